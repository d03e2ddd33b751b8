//go:build long

package page

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// BibTeX and LaTeX set the entry in every style that comes with BibTeX, without a warning,
// and in a narrow column no line of it is too long.
func TestLongBibTeX(t *testing.T) {
	for _, program := range []string{"pdflatex", "bibtex"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("no %s", program)
			}
			t.Skipf("no %s", program)
		}
	}
	entry := cff().bibTeX("7", "sha256:"+strings.Repeat("0123456789abcdef", 4))
	for _, style := range []string{"plain", "abbrv", "alpha", "unsrt"} {
		dir := t.TempDir()
		document := `\documentclass[twocolumn]{article}\begin{document}\cite{mcsim}\bibliographystyle{` + style + `}\bibliography{x}\end{document}`
		for name, text := range map[string]string{"x.bib": entry, "x.tex": document} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var output []byte
		for _, command := range [][]string{{"pdflatex", "-interaction=nonstopmode", "x"}, {"bibtex", "x"}, {"pdflatex", "-interaction=nonstopmode", "x"}, {"pdflatex", "-interaction=nonstopmode", "x"}} {
			c := exec.Command(command[0], command[1:]...)
			c.Dir = dir
			var err error
			if output, err = c.CombinedOutput(); err != nil || command[0] == "bibtex" && strings.Contains(string(output), "Warning") {
				t.Fatalf("%s: %s: %v\n%s", style, command[0], err, output)
			}
		}
		if text := string(output); strings.Contains(text, "Overfull") || strings.Contains(text, "undefined") {
			t.Errorf("%s: %s", style, text)
		}
	}
}
