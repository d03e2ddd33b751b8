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

// A table of each experiment's rows, one of every quantity and of each distribution, compiles with
// booktabs and siunitx, which find no fault with any number.
func TestLongTables(t *testing.T) {
	for _, program := range [][]string{{"pdflatex", "-version"}, {"kpsewhich", "siunitx.sty"}, {"kpsewhich", "booktabs.sty"}, {"kpsewhich", "longtable.sty"}} {
		if err := exec.Command(program[0], program[1]).Run(); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("%s: %v; .ci/tools long installs it", program, err)
			}
			t.Skipf("%s: %v; .ci/tools long installs it", program, err)
		}
	}
	doc := sample.Document()
	of := map[string][]result.Estimate{}
	seen := map[string]bool{}
	for _, e := range doc.Estimates {
		distribution, _ := e.Params.Text(names.ParamDistribution)
		if key := e.Experiment + e.Quantity + distribution; !seen[key] || len(of[e.Experiment]) < 25 {
			seen[key] = true
			of[e.Experiment] = append(of[e.Experiment], e)
		}
	}
	text := "\\documentclass{article}\n\\usepackage[paperwidth=900mm,paperheight=1500mm,margin=5mm]{geometry}\n\\usepackage{booktabs}\n\\usepackage{longtable}\n\\usepackage{siunitx}\n\\begin{document}\n"
	tables := 0
	for _, e := range names.Entries() {
		if rows := of[e.Name]; e.Group == names.GroupExperiment && rows != nil {
			text += string(LaTeX(rows, Of(rows), "a & b % c _ d")) + string(LaTeX(rows, Columns(rows), "")) + "\\clearpage\n"
			tables += 2
		}
	}
	if tables < 20 {
		t.Fatalf("%d tables", tables)
	}
	text += string(LaTeX(doc.Estimates, []string{names.ColumnCell, names.ColumnQuantity, names.ColumnValue}, "all rows")) // on many pages
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
		if strings.Contains(line, "Overfull") || strings.Contains(line, "siunitx") && strings.Contains(line, "Warning") || strings.Contains(line, "Missing character") {
			t.Error(line)
		}
	}
}
