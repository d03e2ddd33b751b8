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
	"mcsim/sim/result"
)

// figureForms lists the files of each figure, starting with the best one for print.
var figureForms = []struct {
	suffix, formatName, purpose string
	theme                       theme.Theme
}{
	{".pdf", "PDF", "for print and LaTeX", theme.Print},
	{".png", "PNG", "for slides and posts", theme.Print},
	{".svg", "SVG", "for the web, on light and on dark pages", theme.Web},
	{"-narrow.svg", "narrow SVG", "for one column or a telephone", theme.Web.NarrowVariant()},
	{".csv", "CSV", "the numbers that are drawn", theme.Print},
	{".tex", "LaTeX", "a figure environment with the caption, to paste", theme.Print},
}

// newFigures returns the figures of the charts for which a document has data.
func newFigures(doc *result.Document) []figure.Figure {
	var figures []figure.Figure
	for _, c := range chart.All {
		if f := c.NewFigure(doc); f.HasData() {
			figures = append(figures, f)
		}
	}
	return figures
}

// drawFigures returns the files of all figures.
func drawFigures(figures []figure.Figure) ([]File, error) {
	var files []File
	for _, g := range figures {
		for _, f := range figureForms {
			data, err := g.File(path.Ext(f.suffix)[1:], f.theme)
			if err != nil {
				return nil, err
			}
			files = append(files, File{"figures/" + g.Name + f.suffix, data})
		}
	}
	return files, nil
}

// imageSizes returns the sizes in pixels of the SVG files of all figures, by their names.
func imageSizes(figures []figure.Figure) map[string]markdown.Size {
	const pixelsPerPoint = 4.0 / 3
	sizes := map[string]markdown.Size{}
	for _, g := range figures {
		for _, f := range figureForms {
			if path.Ext(f.suffix) != ".svg" {
				continue
			}
			w, h := g.Size(f.theme)
			sizes["figures/"+g.Name+f.suffix] = markdown.Size{
				Width:  int(math.Round(pixelsPerPoint * float64(w))),
				Height: int(math.Round(pixelsPerPoint * float64(h))),
			}
		}
	}
	return sizes
}

// figure returns the Markdown of a figure with its caption. The caption begins with the optional
// message, which a page passes to say what the figure shows there. If the page, or the single
// document, has the figure already, figure returns a reference to it.
func (w *writer) figure(name string, message ...string) (string, error) {
	i := slices.IndexFunc(w.figures, func(f figure.Figure) bool { return f.Name == name })
	number := fmt.Sprintf("Figure %d", w.numbers[name])
	switch {
	case !slices.ContainsFunc(chart.All, func(c figure.Chart) bool { return c.Name == name }):
		return "", fmt.Errorf("the figure %q does not exist", name)
	case i < 0:
		return "*" + number + " is left out: this plan has no rows for it.*", nil
	case w.shownFigures[name]:
		return "See " + number + " above.", nil
	}
	w.shownFigures[name] = true
	w.anchors[markdown.Slug(number)] = "figure-" + name
	return w.figureText(w.figures[i], number, strings.Join(message, " ")), nil
}

// figureText returns the Markdown of an image with its caption, links to its files, and a fold (a
// closed <details> element) with the meaning of the marks, the sample sizes and how it was made. It
// does not link to the narrow SVG, which a browser chooses by itself. The single document has no
// links to files.
func (w *writer) figureText(f figure.Figure, number, message string) string {
	joinEquations := func(text string) string { return strings.ReplaceAll(text, " = ", page.Equals) }
	title := label.Plain(f.Title)
	alt, caption, details := message, message, title+". "
	if message == "" {
		alt, caption, details = title, title+".", ""
	}
	details += joinEquations(label.Plain(f.DescribeMarks()) + " " + f.Reading(markdown.Escape))
	base := "figures/" + f.Name
	text := fmt.Sprintf("![%s](%s.svg)\n\n**%s.** %s\n\n",
		markdown.Escape(alt), base, number, joinEquations(caption))
	if w.single {
		return text + markdown.Fold("How "+number+" was made", details+"\n")
	}
	var links []string
	for _, form := range figureForms {
		if isNarrow := strings.HasPrefix(form.suffix, "-"); !isNarrow {
			links = append(links, fmt.Sprintf("[%s](%s%s)", form.formatName, base, form.suffix))
		}
	}
	fold := markdown.Fold("How it was made", details+"\n")
	if w.page.Name != page.Record { // other pages show the figures of the record and how to embed them
		fold = markdown.Fold("How it was made, and how to embed it", details+"\n\n"+w.explainEmbedding(f)+"\n")
	}
	return text + strings.Join(links, " · ") + "\n\n" + fold
}
