package site

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"mcsim/report/chart"
	"mcsim/report/figure"
	"mcsim/report/label"
	"mcsim/report/markdown"
	"mcsim/report/page"
	"mcsim/report/theme"
	"mcsim/report/view"
	"mcsim/sim/result"
)

// formats are the forms of each figure, best for print first: for the pages in
// four variants, and for who cites it, for print, with its data and its caption.
var formats = []struct {
	suffix, name, purpose string
	in                    theme.Theme
}{
	{".pdf", "PDF", "for print and LaTeX", theme.Print},
	{".png", "PNG", "for slides and posts", theme.Print},
	{".svg", "SVG", "for the web, on light and on dark pages", theme.Web},
	{"-narrow.svg", "narrow SVG", "for one column or a telephone", theme.Web.InColumn()},
	{".csv", "CSV", "the numbers that are drawn", theme.Print},
	{".tex", "LaTeX", "a figure environment with the caption, to paste", theme.Print},
}

// figuresOf returns the figures of the charts that a document has something for.
func figuresOf(doc *result.Document) []figure.Figure {
	var out []figure.Figure
	for _, c := range chart.All {
		if f := c.Of(doc); f.Shows() {
			out = append(out, f)
		}
	}
	return out
}

// draw returns every figure, in every form.
func draw(figures []figure.Figure) ([]File, error) {
	var files []File
	for _, g := range figures {
		for _, f := range formats {
			data, err := g.File(path.Ext(f.suffix)[1:], f.in)
			if err != nil {
				return nil, err
			}
			files = append(files, File{"figures/" + g.Name + f.suffix, data})
		}
	}
	return files, nil
}

// sizes are those of the images of all figures.
func sizes(figures []figure.Figure) map[string]markdown.Size {
	const pixels = 4.0 / 3 // of CSS to a point
	out := map[string]markdown.Size{}
	for _, g := range figures {
		for _, f := range formats {
			if path.Ext(f.suffix) != ".svg" {
				continue
			}
			w, h := g.Size(f.in)
			out["figures/"+g.Name+f.suffix] = markdown.Size{Width: int(math.Round(pixels * float64(w))), Height: int(math.Round(pixels * float64(h)))}
		}
	}
	return out
}

// figure writes a figure with its caption, which begins with a message where a page has one;
// in one document only once.
func (w *writer) figure(name string, message ...string) (string, error) {
	i := slices.IndexFunc(w.figures, func(f figure.Figure) bool { return f.Name == name })
	number := fmt.Sprintf("Figure %d", w.numbers[name])
	switch {
	case !slices.ContainsFunc(chart.All, func(c figure.Chart) bool { return c.Name == name }):
		return "", fmt.Errorf("no figure %q", name)
	case i < 0:
		return "*" + number + " is left out: this plan has no rows for it.*", nil
	case w.shown[name]:
		return "See " + number + " above.", nil
	}
	w.shown[name] = true
	w.anchors[markdown.Slug(number)] = "figure-" + name
	return w.figureText(w.figures[i], number, strings.Join(message, " ")), nil
}

// figureText writes a figure as an image with its caption, links to its other forms but
// the variants that a browser chooses, and folded how it was made. The forms are not kept beside
// the one document.
func (w *writer) figureText(f figure.Figure, number, message string) string {
	set := func(text string) string { return strings.ReplaceAll(text, " = ", view.Equals) }
	title := label.Plain(f.Title)
	said, more := message, title+". "
	if message == "" {
		said, more = title+".", ""
	}
	base := "figures/" + f.Name
	text := fmt.Sprintf("![%s](%s.svg)\n\n**%s.** %s", markdown.Escape(title), base, number, set(said+" "+label.Plain(f.What())))
	more += set(f.Reading(markdown.Escape))
	if w.single {
		return text + "\n\n" + markdown.Fold("How Figure "+number[len("Figure "):]+" was made", more+"\n")
	}
	var links []string
	for _, form := range formats {
		if form.suffix[0] == '.' {
			links = append(links, fmt.Sprintf("[%s](%s%s)", form.name, base, form.suffix))
		}
	}
	fold := markdown.Fold("How it was made", more+"\n")
	if w.here.Name != page.Record { // whose figures the pages before it show as well
		fold = markdown.Fold("How it was made, and how to embed it", more+"\n\n"+w.embed(f)+"\n")
	}
	return text + "\n\n" + strings.Join(links, " · ") + "\n\n" + fold
}
