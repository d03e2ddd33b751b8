package site

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"mcsim/report/chart"
	"mcsim/report/figure"
	"mcsim/report/label"
	"mcsim/report/markdown"
	"mcsim/report/page"
)

// runFiles lists the files that a run may have written into the folder of the site.
var runFiles = []struct{ name, format, purpose string }{
	{"results.json", "JSON", "every row, curve and gate, and the plan; all else is made from it"},
	{"results.json.gz", "JSON, packed", "results.json, if it has many rows"},
	{"estimates.csv", "CSV", "the rows, for a spreadsheet or a data frame"},
	{"estimates.csv.gz", "CSV, packed", "estimates.csv, packed, which pandas and R read without unpacking"},
	{"run.json", "JSON", "when and where the run was, and how long it took"},
	{"nodes.bin", "binary", "the merged sums, from which a longer run goes on"},
}

const (
	sumsFile   = "SHA256SUMS"
	gatesFile  = "gates.csv"
	reportFile = "report.md"
)

// listFiles returns a table of all files of the site except the figures.
func (w *writer) listFiles() page.Table {
	t := page.Table{
		Caption: "The files of this site.",
		Head:    []string{"file", "format", "what it is for"},
		Left:    []int{1, 2},
	}
	add := func(name, format, purpose string) {
		t.Rows = append(t.Rows, []string{w.linkToFile(name), format, purpose})
	}
	for _, p := range w.pages {
		add(p.Name+".html", "HTML", p.Description)
	}
	add(reportFile, "Markdown", "all pages as one document, except the lab, the handout, the page of claims "+
		"and the details of the run")
	add(gatesFile, "CSV", "every gate with its interval, its band and its verdict")
	for _, f := range runFiles {
		if w.src.Files[f.name] {
			add(f.name, f.format, f.purpose)
		}
	}
	add(sumsFile, "text", "the digests of those files that are the same on every machine")
	add(styleFile, "CSS", "the look of the pages")
	add(labStyleFile, "CSS", "the look of the lab and of the calculator")
	if w.set.program != nil {
		add(programFile, "JavaScript", "the program that the lab and the calculator run")
	}
	if w.src.Files[cardFile] {
		add(cardFile, "PNG", "the picture that other services show with a link to a page")
	}
	add(embedFile, "HTML", "the strip of the first page, to show in a frame on another site")
	add(iconFile, "SVG", "the icon of the pages")
	add(markdown.FontFile, "CSS", "the font of the formulas, a subset of Latin Modern Math")
	return t
}

// listFigureForms returns a table of the file formats of a figure, with their purposes.
func (w *writer) listFigureForms() page.Table {
	t := page.Table{
		Caption: "The forms of a figure. NAME is its file name in the table below.",
		Head:    []string{"file", "format", "what it is for"},
		Left:    []int{1, 2},
	}
	for _, f := range figureForms {
		t.Rows = append(t.Rows, []string{"`figures/NAME" + f.suffix + "`", f.formatName, f.purpose})
	}
	return t
}

// listFigures returns a table of the figures in reading order, with links to their files.
func (w *writer) listFigures() page.Table {
	t := page.Table{
		Caption: "The figures, in every form.",
		Head:    []string{"figure", "file", "formats"},
		Left:    []int{1, 2},
	}
	charts := slices.Clone(chart.All)
	slices.SortStableFunc(charts, func(a, b figure.Chart) int { return w.numbers[a.Name] - w.numbers[b.Name] })
	for _, c := range charts {
		var forms []string
		for _, f := range figureForms {
			if name := "figures/" + c.Name + f.suffix; w.src.Files[name] {
				forms = append(forms, w.linkTo(name, f.formatName))
			}
		}
		if len(forms) > 0 {
			title := fmt.Sprintf("%d. %s", w.numbers[c.Name], label.Plain(c.Title))
			t.Rows = append(t.Rows, []string{title, "`" + c.Name + "`", strings.Join(forms, ", ")})
		}
	}
	return t
}

// linkToData returns a link to a file of the site or of its run. It links to the compressed form of
// the file, if one exists. If neither exists, it returns the name of the file without a link.
func (w *writer) linkToData(name string) string {
	compressed := name + ".gz"
	switch {
	case w.src.Files[compressed]:
		return w.linkToFile(compressed)
	case name == gatesFile || w.src.Files[name]:
		return w.linkToFile(name)
	}
	return "`" + name + "`"
}

// linkToFile returns a link to a file of the site, whose text is the name of the file.
func (w *writer) linkToFile(name string) string { return w.linkTo(name, "`"+name+"`") }

// linkTo returns a link with a text to a file. In the single document, it returns only the text,
// except for files that are published with the document: the digests, the document itself, and the
// SVG files of figures at full width for light pages.
func (w *writer) linkTo(name, text string) string {
	isSVG := strings.HasPrefix(name, "figures/") && path.Ext(name) == ".svg"
	isVariant := strings.HasSuffix(name, "-narrow.svg") || strings.HasSuffix(name, "-dark.svg")
	isLinked := name == sumsFile || name == reportFile || isSVG && !isVariant
	if w.single && !isLinked {
		return text
	}
	return "[" + text + "](" + name + ")"
}
