package figure

import (
	"os"
	"path/filepath"
	"regexp"
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
		doc := sample.HostileDocument(s)
		for _, c := range charts {
			if !c.Of(doc).Shows() {
				continue
			}
			// What stands before are comments, which LaTeX skips to their ends.
			tex := string(c.Of(doc).TeX(theme.Print))
			tex = tex[strings.Index(tex, "\n\\begin")+1:]
			for _, command := range sequences.FindAllString(tex, -1) {
				if !known[command] {
					t.Errorf("%q: %s.tex has the command %s", s, c.Name, command)
				}
			}
			if n := strings.Count(tex, `\end{figure}`); n != 1 {
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
