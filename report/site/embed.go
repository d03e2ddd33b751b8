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

// embedding is what shows a figure on a page of somebody else's: its picture, which is
// loaded from where these pages stand and leads back to them, and whose it is.
type embedding struct {
	picture, home string // addresses
	alt, credit   string
	size          markdown.Size
}

// embeddingOf is that of a figure on a page. With a base, the place where the pages are
// published, its addresses are absolute; without, they are relative to these pages.
//
// What would be seen is its title alone: a number that the line says would stay when the
// picture changes.
func embeddingOf(f figure.Figure, on, base string, size markdown.Size) embedding {
	return embedding{
		picture: published("figures/"+f.Name+".svg", base), home: published(on+".html#figure-"+f.Name, base),
		alt: label.Plain(f.Title), credit: f.Credit(), size: size,
	}
}

// HTML is the line for a page. The picture is as large as here where there is room, and
// shrinks where there is not.
func (e embedding) HTML() string {
	q := html.EscapeString
	return fmt.Sprintf(`<figure><a href="%s"><img src="%s" alt="%s" width="%d" height="%d" style="max-width: 100%%; height: auto"></a><figcaption><a href="%s">%s</a></figcaption></figure>`,
		q(e.home), q(e.picture), q(e.alt), e.size.Width, e.size.Height, q(e.home), q(e.credit))
}

// Markdown is the line for a text in Markdown.
func (e embedding) Markdown() string {
	return fmt.Sprintf("[![%s](%s)](%s) %s", markdown.Escape(e.alt), e.picture, e.home, markdown.Escape(e.credit))
}

// text is what stands folded below a figure.
func (e embedding) text(base string) string {
	start, end := markdown.Reveal("Embed this figure")
	word := "The addresses are relative: keep the page beside the folder `figures`, or put in front of them where these pages are published."
	if base != "" {
		word = "The picture is loaded from these pages, and changes when they do; a copy of its file does not."
	}
	return strings.Join([]string{start, "In HTML:", listing("html", e.HTML()), "In Markdown:", listing("markdown", e.Markdown()), word, end}, "\n\n")
}

// listing is a line as a block of code.
func listing(language, line string) string { return "```" + language + "\n" + line + "\n```" }

// embed writes how to show a figure elsewhere, below its files. The one document has no
// such line, as it has none of the files.
func (w *writer) embed(f figure.Figure) string {
	base := page.Home()
	size, ok := w.sizes["figures/"+f.Name+".svg"]
	if w.single || !ok || !w.src.Files["figures/"+f.Name+".svg"] {
		return ""
	}
	return "\n\n" + embeddingOf(f, w.here.Name, base, size).text(base)
}

// published is the address of a file of these pages for others: absolute where base says
// where they are published.
func published(file, base string) string {
	if base == "" {
		return file
	}
	return strings.TrimSuffix(base, "/") + "/" + file
}
