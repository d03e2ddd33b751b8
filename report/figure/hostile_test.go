package figure

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/theme"
)

// sequences are the control sequences of LaTeX in a text.
var sequences = regexp.MustCompile(`\\[a-zA-Z]+`)

// A name from a plan is text in LaTeX: it brings no command that a figure of
// plain names does not have, no comment, and no bracket out of balance. Poppler
// reads each PDF.
func TestHostileNames(t *testing.T) {
	known := map[string]bool{}
	for _, c := range charts {
		for _, command := range sequences.FindAllString(string(c.Of(sample.Document()).TeX(theme.Print)), -1) {
			known[command] = true
		}
	}
	for _, command := range []string{`\textbackslash`, `\textasciitilde`, `\textasciicircum`, `\textless`, `\textgreater`, `\textbar`, `\textquotedbl`} {
		known[command] = true // what LaTeX calls characters of its own
	}
	for i, s := range few(sample.Hostile, 8) {
		if i%hostileStep > 0 {
			continue
		}
		doc := sample.HostileDocument(s)
		for _, c := range charts {
			if !c.Of(doc).Shows() {
				continue
			}
			checkCells(t, s, c.Of(doc))
			// What stands before are comments, which LaTeX skips to their ends.
			tex := string(c.Of(doc).TeX(theme.Print))
			tex = tex[strings.Index(tex, "\n\\begin")+1:]
			for _, command := range sequences.FindAllString(tex, -1) {
				if !known[command] {
					t.Errorf("%q: %s.tex has the command %s", s, c.Name, command)
				}
			}
			if n := strings.Count(tex, `\end{figure*}`); n != 1 {
				t.Errorf("%q: %s.tex ends its figure %d times", s, c.Name, n)
			}
			body := strings.NewReplacer(`\\`, "", `\{`, "", `\}`, "", `\$`, "", `\%`, "", `\#`, "", `\&`, "", `\_`, "").Replace(tex)
			if strings.Count(body, "{") != strings.Count(body, "}") || strings.Count(body, "$")%2 != 0 {
				t.Errorf("%q: %s.tex is out of balance:\n%s", s, c.Name, tex)
			}
			for line := range strings.Lines(body) {
				if strings.Contains(line, "%") && !strings.HasPrefix(line, "%") || strings.ContainsAny(line, "#&~") {
					t.Errorf("%q: %s.tex has a bare character: %s", s, c.Name, line)
				}
			}
		}
		if i%4 == 0 { // the rest differs in the same characters
			readable(t, s)
		}
	}
}

// checkCells wants a figure's table without a cell that a spreadsheet would compute.
func checkCells(t *testing.T, s string, f Figure) {
	t.Helper()
	file, err := f.CSV()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatalf("%q: %s.csv: %v", s, f.Name, err)
	}
	for _, cell := range slices.Concat(lines...) {
		if _, err := strconv.ParseFloat(cell, 64); err != nil && cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
			t.Errorf("%q: %s.csv has the cell %q", s, f.Name, cell)
		}
	}
}

func readable(t *testing.T, s string) {
	t.Helper()
	tool(t, "pdftotext")
	doc := sample.HostileDocument(s)
	path := filepath.Join(t.TempDir(), "hostile.pdf")
	if err := os.WriteFile(path, fileOf(t, charted("variance"), doc), 0o644); err != nil {
		t.Fatal(err)
	}
	if text := run(t, "pdftotext", path, "-"); !strings.Contains(text, "dimension of query and key") {
		t.Errorf("%q: the PDF reads %q", s, text)
	}
}
