package site

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/page"
	"mcsim/sim/result"
)

// ownTemplate is a file in the folder of Options.Templates.
type ownTemplate struct {
	name, text string
	want       string // text of index.html, or of the error
}

// renderOwnTemplate returns the files of a site without figures, whose templates are the embedded
// ones except for one file. It writes this file into dir.
func renderOwnTemplate(t *testing.T, doc *result.Document, dir string, file ownTemplate) ([]File, error) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, file.name), []byte(file.text), 0o644); err != nil {
		t.Fatal(err)
	}
	files, _, err := textFiles(page.NewSource(doc, page.Run{}, nil), newFigures(doc), Options{Templates: dir})
	return files, err
}

func TestOwnTemplates(t *testing.T) {
	if testing.Short() {
		t.Skip("renders many sites")
	}
	doc := fullDocument()
	for _, file := range []ownTemplate{
		{"index.md", "# Our own\n\nWords for d_k.\n", "Words for <i>d</i>"},
		{"index.md", "# One\n\nOur $x<y^{99}$.\n", `<code class="tex">x&lt;y^{99}</code>`},
		{"shell.html", "<p>{{.Title}}</p>{{.Body}}", "<p>Why does attention divide"},
		{"style.css", "p { color: red }", "Why does attention divide"},
		{"notes.txt", "not a template", "Why does attention divide"},
		{"index.md", "\ufeff# One\n", "One"},
		{"index.md", "# One\n\n## A {#a}\n\nSaid `{#b}`.\n", `<h2 id="a"><a href="#a">A</a></h2>`},
		{"index.md", "# One\n\n## To [A](https://example.org/) {#a}\n",
			`<h2 id="a">To <a href="https://example.org/">A</a></h2>`},
	} {
		files, err := renderOwnTemplate(t, doc, t.TempDir(), file)
		if err != nil {
			t.Errorf("%s %q: %v", file.name, file.text, err)
			continue
		}
		for _, f := range files {
			if f.Name == "index.html" && !strings.Contains(string(f.Data), file.want) {
				t.Errorf("%s %q: index.html does not contain %q", file.name, file.text, file.want)
			}
			if f.Name == file.name && string(f.Data) != file.text {
				t.Errorf("%s %q: the file of the site has the embedded text", file.name, file.text)
			}
		}
	}
}

// TestFaultsOfOwnTemplates checks that the error of a faulty template is one line with the path of
// the template and, if known, the number of the faulty line.
func TestFaultsOfOwnTemplates(t *testing.T) {
	if testing.Short() {
		t.Skip("renders many sites")
	}
	doc := fullDocument()
	for _, file := range []ownTemplate{
		{"index.md", "# One\n\nSaid{{cite \"nobody\"}}.\n", "index.md:3:"},
		{"index.md", "# One\n\nBy {{ref \"nothing\"}}.\n", "index.md:3:"},
		{"index.md", "# One\n\n<!-- finding\n- {row: \"variance.score_mean[d_k=2]\", is: many}\n-->\nA.",
			"index.md:4:"},
		{"index.md", "# One\n\n{{measured \"variance.score[d_k=2]\"}}", "index.md:3:"},
		{"index.md", "# One\n\n{{measured \"variance.score_variance[d_k=77]\"}}",
			"index.md:3: these results do not hold"},
		{"index.md", "# One\n\n{{count \"variance.score_variance[d_k=64]\"}}", "index.md:3:"},
		{"index.md", "# One\n\n{{matrix \"nobody\" \"queries\" \"Q\"}}", "index.md:3: these results do not hold"},
		{"index.md", "One\n", "index.md:1:"},
		{"index.md", "# One\n\n{{.Verdict", "index.md:3:"},
		{"index.md", "# One\n\n\n{{.Nothing}}", "index.md:4:"},
		{"index.md", "# One\n{{figure \"nope\"}}", "index.md:2:"},
		{"index.md", "# One\n{{link \"nope\"}}", "index.md:2:"},
		{"shell.html", "<p>\n{{if}}", "shell.html:2:"},
		{"shell.html", "<p>\n{{.Nothing}}", "shell.html:2:"},
		{"index.md", "# One\n\n## A {#same}\n\n## B {#same}\n", "index.md:5:"},
		{"index.md", "# One\n\n## A {#main}\n", "index.md:3:"},
		{"index.md", "# One\n\n## A {#Bad id!}\n", "index.md:3:"},
		{"index.md", "# One\n\n## A {#closed} ##\n", "index.md:3:"},
		{"index.md", "# One\n\n## A {#a}\n\nSaid {#b}.\n", "index.md:5:"},
		{"indx.md", "# One", "indx.md replaces nothing"},
	} {
		dir := t.TempDir()
		_, err := renderOwnTemplate(t, doc, dir, file)
		want := filepath.Join(dir, file.want)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %q: got the error %v, want one line with %q", file.name, file.text, err, want)
		}
	}
}

// TestNoTemplates checks the error if Options.Templates is not a folder.
func TestNoTemplates(t *testing.T) {
	for path, want := range map[string]string{ // text of the error
		filepath.Join(t.TempDir(), "absent"): "no such file",
		"site.go":                            "not a folder",
	} {
		_, _, err := textFiles(page.NewSource(sample.Document(), page.Run{}, nil), newFigures(sample.Document()),
			Options{Templates: path})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got the error %v, want one with the path and %q", path, err, want)
		}
	}
}

// TestEndlessTemplates checks that a device, which may not end, is refused.
func TestEndlessTemplates(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(os.DevNull, filepath.Join(dir, "index.md")); err != nil {
		t.Skip(err)
	}
	_, err := readTemplates(dir)
	if err == nil || err.Error() != "templates: index.md is not a regular file" {
		t.Errorf("got the error %v, want that index.md is not a regular file", err)
	}
}
