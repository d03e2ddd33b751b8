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

// runFiles are the files of a run next to the site, with their purposes.
var runFiles = []struct{ name, format, purpose string }{
	{"results.json", "JSON", "every row, curve and gate, and the plan; all else is made from it"},
	{"results.json.gz", "JSON, packed", "the same, where there are many rows"},
	{"estimates.csv", "CSV", "the rows, for a spreadsheet or a data frame"},
	{"estimates.csv.gz", "CSV, packed", "the same, which pandas and R read as it is"},
	{"run.json", "JSON", "when and where the run was, and how long it took"},
	{"nodes.bin", "binary", "the merged sums, from which a longer run goes on"},
}

const (
	sumsFile   = "SHA256SUMS"
	gatesFile  = "gates.csv"
	reportFile = "report.md"
)

// listFiles lists every file of the site except those of the figures.
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
	add(reportFile, "Markdown", "all pages as one document, but the lab, the handout, the page of claims "+
		"and what is said of the run")
	add(gatesFile, "CSV", "every gate with its interval, its band and its verdict")
	for _, f := range runFiles {
		if w.src.Files[f.name] {
			add(f.name, f.format, f.purpose)
		}
	}
	add(sumsFile, "text", "the digests of those files that are the same on every machine")
	add(styleFile, "CSS", "the look of the pages")
	add(labStyleFile, "CSS", "the look of the lab")
	add(iconFile, "SVG", "the icon of the pages")
	add(markdown.FontFile, "CSS", "the font of the formulas, a subset of Latin Modern Math")
	return t
}

// listFigureForms lists the forms of a figure with their purposes.
func (w *writer) listFigureForms() page.Table {
	t := page.Table{
		Caption: "The forms of a figure. NAME stands for its file in the table below.",
		Head:    []string{"file", "format", "what it is for"},
		Left:    []int{1, 2},
	}
	for _, f := range figureForms {
		t.Rows = append(t.Rows, []string{"`figures/NAME" + f.suffix + "`", f.formatName, f.purpose})
	}
	return t
}

// listFigures lists the forms of each figure.
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

// linkToData links to a file of the site or its run, or to its compressed form, if one exists.
func (w *writer) linkToData(name string) string {
	packed := name + ".gz"
	switch {
	case w.src.Files[packed]:
		return w.linkToFile(packed)
	case name == gatesFile || w.src.Files[name]:
		return w.linkToFile(name)
	}
	return "`" + name + "`"
}

// linkToFile links to a file of the site by its name.
func (w *writer) linkToFile(name string) string { return w.linkTo(name, "`"+name+"`") }

// linkTo links a text to a file. The single document has links only to the digests and to the wide
// SVG of each figure, since only these are published with it.
func (w *writer) linkTo(name, text string) string {
	isSVG := strings.HasPrefix(name, "figures/") && path.Ext(name) == ".svg"
	isKept := name == sumsFile || name == reportFile || isSVG && !strings.Contains(path.Base(name), "-")
	if w.single && !isKept {
		return text
	}
	return "[" + text + "](" + name + ")"
}
