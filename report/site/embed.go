package site

import (
	"fmt"
	"html"
	"strings"

	"mcsim/report/figure"
	"mcsim/report/label"
	"mcsim/report/markdown"
	"mcsim/report/page"
)

// publicAddress returns the address with which another site refers to a file of this site. It is
// relative if base, the address of this site, is empty, and absolute otherwise.
func publicAddress(file, base string) string {
	if base == "" {
		return file
	}
	return strings.TrimSuffix(base, "/") + "/" + file
}

// embedCode returns HTML and Markdown that show a figure on a page of another site, with a credit.
// The other page loads the picture from this site, and the picture links to this site. The picture
// has the given size, and shrinks if there is less room. The addresses are absolute if base, the
// address of this site, is not empty.
//
// The alternative text is only the title: it is copied to the other page, where numbers in it would
// become wrong when the picture changes.
func embedCode(f figure.Figure, pageName, base string, size markdown.Size) (inHTML, inMarkdown string) {
	picture := publicAddress("figures/"+f.Name+".svg", base)
	home := publicAddress(pageName+".html#figure-"+f.Name, base)
	alt, credit := label.Plain(f.Title), f.Credit()
	escape := html.EscapeString
	inHTML = fmt.Sprintf(
		`<figure><a href="%s"><img src="%s" alt="%s" width="%d" height="%d" style="max-width: 100%%; height: auto">`+
			`</a><figcaption><a href="%s">%s</a></figcaption></figure>`,
		escape(home), escape(picture), escape(alt), size.Width, size.Height, escape(home), escape(credit))
	inMarkdown = fmt.Sprintf("[![%s](%s)](%s) %s", markdown.Escape(alt), picture, home, markdown.Escape(credit))
	return inHTML, inMarkdown
}

// explainEmbedding returns Markdown that explains how to show a figure on another site.
func (w *writer) explainEmbedding(f figure.Figure) string {
	base := page.HomeURL()
	note := "The links are relative. Keep your page in the folder that contains `figures`, " +
		"or put the web address of this site in front of each link."
	if base != "" {
		note = "The picture is loaded from these pages, and changes when they do; a copy of its file does not."
	}
	inHTML, inMarkdown := embedCode(f, w.page.Name, base, w.sizes["figures/"+f.Name+".svg"])
	return "In HTML:\n\n```html\n" + inHTML + "\n```\n\nIn Markdown:\n\n```markdown\n" + inMarkdown + "\n```\n\n" + note
}
