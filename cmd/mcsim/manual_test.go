package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/manual"
)

// requests are what pages for man may begin a line with.
var requests = regexp.MustCompile(`^\.(TH|SH|SS|TP|PP|B|nf|fi|nh|ad l)( |$)`)

// Pages for man say what help says: every flag and every example. No text is taken for a
// request, and nothing stands in them that is not ASCII.
func TestManual(t *testing.T) {
	dir := t.TempDir()
	for _, c := range commands() {
		c.InitDefaultHelpFlag()
		text := string(manual.Page(c, "2026-01-02", "1.2.3"))
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(text, `\-\-`+strings.ReplaceAll(f.Name, "-", `\-`)) {
				t.Errorf("the page of %s lacks --%s", c.CommandPath(), f.Name)
			}
		})
		if n := strings.Count(text, "\nmcsim") + strings.Count(text, "\n  mcsim"); c.Example != "" && !strings.Contains(text, "\n.SH EXAMPLES\n.nf\n  ") {
			t.Errorf("the page of %s lacks its examples (%d)", c.CommandPath(), n)
		}
		if c.Name() == "advise" && (!strings.Contains(text, "\n.TP\n.B Models:\ntransformer") || strings.Contains(text, ".nf\n        ")) {
			t.Errorf("the lists of %s do not hang below their headings: %s", c.CommandPath(), text)
		}
		for line := range strings.SplitSeq(text, "\n") {
			if (strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'")) && !requests.MatchString(line) {
				t.Errorf("the page of %s has the request %q", c.CommandPath(), line)
			}
			if strings.ContainsFunc(line, func(r rune) bool { return r > 126 || r < ' ' }) {
				t.Errorf("the page of %s has %q", c.CommandPath(), line)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, c.Name()+".1"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lint, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip("mandoc is not installed")
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) < 15 {
		t.Fatalf("%d pages (%v)", len(pages), err)
	}
	if said, err := exec.Command(lint, append([]string{"-Tlint", "-Wwarning"}, pages...)...).CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("mandoc: %v: %s", err, said)
	}
}
