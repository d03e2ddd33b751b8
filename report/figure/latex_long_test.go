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

// papers are the preambles of LaTeX documents, by style. The text is as wide as the style requires.
var papers = map[string]string{
	// Nature's page: two columns of 89 mm in 183 mm.
	"nature": `\documentclass[twocolumn]{article}
\usepackage[paperwidth=210mm,paperheight=276mm,textwidth=183mm,textheight=247mm,columnsep=5mm]{geometry}`,
	"ieee": `\documentclass[journal]{IEEEtran}`,
	// A page of the site, 540 points wide and of any height.
	"web": `\documentclass{article}
\usepackage[paperwidth=210mm,paperheight=600mm,textwidth=190.5mm,textheight=560mm]{geometry}`,
}

// TestLongLaTeX checks that LaTeX compiles a document with the .tex files of all figures, in every
// style and both widths. LaTeX must not warn that a figure is too wide or too high.
func TestLongLaTeX(t *testing.T) {
	requireProgram(t, "pdflatex")
	for _, style := range theme.Styles {
		for i, width := range theme.Widths {
			variant := theme.Theme{Style: style, Narrow: i == 0}
			t.Run(style.Name+" "+width, func(t *testing.T) {
				dir := t.TempDir()
				text := papers[style.Name] + "\n\\usepackage{graphicx}\n\\extrafloats{100}\n\\begin{document}\n"
				for _, c := range charts {
					f := c.NewFigure(sample.Document())
					pdf, err := f.File("pdf", variant)
					if err != nil {
						t.Fatal(err)
					}
					write(t, dir, c.Name+".pdf", pdf)
					text += string(f.TeX(variant)) + "\\clearpage\n"
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

// compile runs LaTeX. It fails the test if LaTeX fails, or warns that a figure is too wide or too
// high.
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
