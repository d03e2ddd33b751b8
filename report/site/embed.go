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

// embedding shows a figure of a page on a page of somebody else's, in HTML and in Markdown: its
// picture, which is loaded from where these pages stand and leads back to them, and whose it is.
// With a base, the place where the pages are published, its addresses are absolute; without, they
// are relative to these pages. The picture is as large as here where there is room, and shrinks
// where there is not.
//
// What would be seen is its title alone: a number that the line says would stay when the
// picture changes.
func embedding(f figure.Figure, on, base string, size markdown.Size) (inHTML, inMarkdown string) {
	picture, home := published("figures/"+f.Name+".svg", base), published(on+".html#figure-"+f.Name, base)
	alt, credit, q := label.Plain(f.Title), f.Credit(), html.EscapeString
	inHTML = fmt.Sprintf(`<figure><a href="%s"><img src="%s" alt="%s" width="%d" height="%d" style="max-width: 100%%; height: auto"></a><figcaption><a href="%s">%s</a></figcaption></figure>`,
		q(home), q(picture), q(alt), size.Width, size.Height, q(home), q(credit))
	return inHTML, fmt.Sprintf("[![%s](%s)](%s) %s", markdown.Escape(alt), picture, home, markdown.Escape(credit))
}

// listing is a line as a block of code.
func listing(language, line string) string { return "```" + language + "\n" + line + "\n```" }

// embed writes how to show a figure elsewhere, below its files.
func (w *writer) embed(f figure.Figure) string {
	base := page.Home()
	word := "The links are relative. Keep your page beside the folder `figures`, or put the web address of this site in front of each link."
	if base != "" {
		word = "The picture is loaded from these pages, and changes when they do; a copy of its file does not."
	}
	inHTML, inMarkdown := embedding(f, w.here.Name, base, w.sizes["figures/"+f.Name+".svg"])
	parts := []string{"In HTML:", listing("html", inHTML), "In Markdown:", listing("markdown", inMarkdown), word}
	return strings.Join(parts, "\n\n")
}

// published is the address of a file of these pages for others: absolute where base says
// where they are published.
func published(file, base string) string {
	if base == "" {
		return file
	}
	return strings.TrimSuffix(base, "/") + "/" + file
}
