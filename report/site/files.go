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
	"mcsim/report/view"
)

// The files that a run leaves beside the site, with what they are for.
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

// files lists every file of the site but those of the figures.
func (w *writer) files() view.Table {
	t := view.Table{
		Caption: "The files of this site.",
		Head:    []string{"file", "format", "what it is for"},
		Left:    []int{1, 2},
	}
	add := func(name, format, purpose string) {
		t.Rows = append(t.Rows, []string{w.file(name), format, purpose})
	}
	for _, p := range w.sheets {
		add(p.Name+".html", "HTML", p.About)
	}
	add(reportFile, "Markdown", "all pages as one document, but the lab, the handout, the page of claims and what is said of the run")
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

// figureForms says what each form of a figure is for.
func (w *writer) figureForms() view.Table {
	t := view.Table{
		Caption: "The forms of a figure. NAME stands for its file in the table below.",
		Head:    []string{"file", "format", "what it is for"},
		Left:    []int{1, 2},
	}
	for _, f := range formats {
		t.Rows = append(t.Rows, []string{"`figures/NAME" + f.suffix + "`", f.name, f.purpose})
	}
	return t
}

// figureFiles lists the forms of each figure.
func (w *writer) figureFiles() view.Table {
	t := view.Table{
		Caption: "The figures, in every form.",
		Head:    []string{"figure", "file", "formats"},
		Left:    []int{1, 2},
	}
	charts := slices.SortedFunc(slices.Values(chart.All), func(a, b figure.Chart) int { return w.numbers[a.Name] - w.numbers[b.Name] })
	for _, c := range charts {
		base := "figures/" + c.Name
		var forms []string
		for _, f := range formats {
			if name := base + f.suffix; w.src.Files[name] {
				forms = append(forms, w.named(name, f.name))
			}
		}
		if len(forms) > 0 {
			t.Rows = append(t.Rows, []string{fmt.Sprintf("%d. %s", w.numbers[c.Name], label.Plain(c.Title)), "`" + c.Name + "`", strings.Join(forms, ", ")})
		}
	}
	return t
}

// file links to a file of the site by its name.
func (w *writer) file(name string) string { return w.named(name, "`"+name+"`") }

// linked links to a file of the site or its run, packed or not, where it stands there.
func (w *writer) linked(name string) string {
	if packed := name + ".gz"; w.src.Files[packed] {
		return w.file(packed)
	}
	if name != gatesFile && !w.src.Files[name] {
		return "`" + name + "`"
	}
	return w.file(name)
}

// named links to a file where it stands beside the document: the report as
// one document is kept with its figures and sums alone.
func (w *writer) named(name, text string) string {
	if w.single && name != sumsFile && name != reportFile && (!strings.HasPrefix(name, "figures/") || path.Ext(name) != ".svg" || strings.Contains(path.Base(name), "-")) {
		return text
	}
	return "[" + text + "](" + name + ")"
}
