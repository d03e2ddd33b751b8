//go:build long

package figure

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/theme"
)

// papers are documents of the kind that each style is for, with the width of its text.
var papers = map[string]string{
	// Nature's page: two columns of 89 mm in 183 mm.
	"nature": `\documentclass[twocolumn]{article}
\usepackage[paperwidth=210mm,paperheight=276mm,textwidth=183mm,textheight=247mm,columnsep=5mm]{geometry}`,
	"ieee": `\documentclass[journal]{IEEEtran}`,
	// A page of the site, 540 points wide, which is as high as it need be.
	"web": `\documentclass{article}
\usepackage[paperwidth=210mm,paperheight=600mm,textwidth=190.5mm,textheight=560mm]{geometry}`,
}

// Every figure of every style, in both widths, stands in a document of LaTeX as its .tex
// file sets it, and LaTeX finds it neither too wide nor too high.
func TestLongLaTeX(t *testing.T) {
	tool(t, "pdflatex")
	for _, style := range theme.Styles {
		for _, narrow := range []bool{true, false} {
			in := theme.Theme{Style: style, Narrow: narrow}
			name := style.Name + map[bool]string{true: " single", false: " double"}[narrow]
			t.Run(name, func(t *testing.T) {
				dir := t.TempDir()
				text := papers[style.Name] + "\n\\usepackage{graphicx}\n\\extrafloats{100}\n\\begin{document}\n"
				for _, c := range charts {
					f := c.Of(sample.Document())
					pdf, err := f.File("pdf", in)
					if err != nil {
						t.Fatal(err)
					}
					write(t, dir, c.Name+".pdf", pdf)
					text += string(f.TeX(in)) + "\\clearpage\n"
				}
				write(t, dir, "paper.tex", []byte(text+"\\end{document}\n"))
				compile(t, dir, "paper.tex")
			})
		}
	}
}

func write(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// compile runs LaTeX, which must find no fault, and no figure too wide or too high for
// its place.
func compile(t *testing.T, dir, file string) {
	t.Helper()
	c := exec.Command("pdflatex", "-interaction=nonstopmode", "-halt-on-error", file)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("pdflatex: %v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "Float too large") || strings.HasPrefix(line, "Overfull \\hbox") {
			t.Error(strings.TrimSpace(line))
		}
	}
}
