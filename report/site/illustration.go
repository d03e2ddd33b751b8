package site

import (
	"fmt"
	"strings"

	"mcsim/report/chart"
	"mcsim/report/figure"
	"mcsim/report/label"
	"mcsim/report/markdown"
	"mcsim/report/view"
)

// formats are the forms in which a figure is offered, best for print first.
var formats = []struct{ suffix, name, purpose string }{
	{".pdf", "PDF", "for print and LaTeX"},
	{".png", "PNG", "for slides and posts"},
	{".svg", "SVG", "for the web, on light paper"},
	{"-dark.svg", "dark SVG", "for the web, on dark paper"},
	{"-narrow.svg", "narrow SVG", "for one column or a telephone"},
	{"-narrow-dark.svg", "narrow dark SVG", "the same on dark paper"},
	{".csv", "CSV", "the numbers that are drawn"},
	{".md", "Markdown", "the figure with its caption and citation, for a Markdown text"},
	{".tex", "LaTeX", "a figure environment with the caption, to paste"},
}

// beside are the suffixes that a caption links to.
var beside = []string{".pdf", ".png", ".svg", ".csv", ".md", ".tex"}

// figure writes a figure with its caption; in one document only once.
func (w *writer) figure(name string) (string, error) {
	for i, c := range chart.All {
		if c.Name != name {
			continue
		}
		number := fmt.Sprintf("Figure %d", i+1)
		switch {
		case !c.Shows(w.src.Doc):
			return "*" + number + " is left out: this plan has no rows for it.*", nil
		case w.shown[name]:
			return "See " + number + " above.", nil
		}
		w.shown[name] = true
		return w.figureText(c, number), nil
	}
	return "", fmt.Errorf("no figure %q", name)
}

// figureText writes a chart as an image with its caption.
func (w *writer) figureText(c figure.Chart, number string) string {
	text := c.Reading(w.src.Doc, markdown.Escape)
	if finding := c.Finding(w.src.Doc, markdown.Escape); finding != "" {
		text = finding + " " + text
	}
	text = strings.ReplaceAll(text, " = ", view.Equals)
	path := "figures/" + c.Name
	return fmt.Sprintf("![%s](%s.svg)\n\n**%s.** %s%s", markdown.Escape(label.Plain(c.Title)), path, number, text, w.offers(path))
}

// offers links to the other forms of a figure. They are not kept beside the
// one document, so it has no such links.
func (w *writer) offers(path string) string {
	var links []string
	for _, f := range formats {
		for _, suffix := range beside {
			if f.suffix == suffix && w.src.Files[path+suffix] && !w.single {
				links = append(links, fmt.Sprintf("[%s](%s%s)", f.name, path, suffix))
			}
		}
	}
	if len(links) == 0 {
		return ""
	}
	return " (" + strings.Join(links, ", ") + ")"
}
