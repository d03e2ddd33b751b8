//go:build long

package tabular

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

const preamble = `\documentclass{article}
\usepackage[paperwidth=900mm,paperheight=1500mm,margin=5mm]{geometry}
\usepackage{booktabs}
\usepackage{longtable}
\usepackage{siunitx}
\begin{document}
`

// TestLongTables checks that LaTeX compiles tables of all experiments, with estimates of every
// quantity and distribution, and siunitx reads all their numbers.
func TestLongTables(t *testing.T) {
	for _, command := range [][]string{
		{"pdflatex", "-version"}, {"kpsewhich", "siunitx.sty"},
		{"kpsewhich", "booktabs.sty"}, {"kpsewhich", "longtable.sty"},
	} {
		if err := exec.Command(command[0], command[1]).Run(); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("%s: %v; .ci/tools long installs it", command, err)
			}
			t.Skipf("%s: %v; .ci/tools long installs it", command, err)
		}
	}
	// A table has the first estimates of its experiment, and the first of every quantity and
	// distribution.
	const firstEstimates = 25
	doc := sample.Document()
	byExperiment := map[string][]result.Estimate{}
	seen := map[string]bool{}
	for _, e := range doc.Estimates {
		distribution, _ := e.Params.Text(names.ParamDistribution)
		id := e.Experiment + e.Quantity + distribution
		if !seen[id] || len(byExperiment[e.Experiment]) < firstEstimates {
			seen[id] = true
			byExperiment[e.Experiment] = append(byExperiment[e.Experiment], e)
		}
	}
	text := preamble
	tables := 0
	for _, e := range names.Entries() {
		estimates := byExperiment[e.Name]
		if e.Group != names.GroupExperiment || estimates == nil {
			continue
		}
		text += string(LaTeX(estimates, DefaultColumns(estimates), "a & b % c _ d")) +
			string(LaTeX(estimates, Columns(estimates), "")) + "\\clearpage\n"
		tables += 2
	}
	if tables < 20 {
		t.Fatalf("the sample has %d tables, want at least 20", tables)
	}
	columns := []string{names.ColumnCell, names.ColumnQuantity, names.ColumnValue}
	text += string(LaTeX(doc.Estimates, columns, "all estimates")) // a longtable on many pages
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.tex"), []byte(text+"\\end{document}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "x.tex")
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("pdflatex: %v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		isWarning := strings.Contains(line, "siunitx") && strings.Contains(line, "Warning")
		if isWarning || strings.Contains(line, "Overfull") || strings.Contains(line, "Missing character") {
			t.Error(line)
		}
	}
}
