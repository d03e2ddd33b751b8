package site

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/page"
)

func TestOwnTemplates(t *testing.T) {
	if testing.Short() {
		t.Skip("renders many sites")
	}
	doc := fullDocument()
	figures := newFigures(doc)
	for _, c := range []struct {
		name, text string
		want       string // in the error, or on the page
		fails      bool
	}{
		{"index.md", "# Our own\n\nWords for d_k.\n", "Words for <i>d</i>", false},
		{"index.md", "# One\n\nOur $x<y^{99}$.\n", `<code class="tex">x&lt;y^{99}</code>`, false},
		{"index.md", "# One\n\nSaid{{cite \"nobody\"}}.\n", "index.md:3:", true},
		{"index.md", "# One\n\nBy {{ref \"nothing\"}}.\n", "index.md:3:", true},
		{"shell.html", "<p>{{.Title}}</p>{{.Body}}", "<p>Why does attention divide", false},
		{"style.css", "p { color: red }", "Why does attention divide", false},
		{"notes.txt", "not a template", "Why does attention divide", false},
		{"index.md", "# One\n\n<!-- finding\n- {row: \"variance.score_mean[d_k=2]\", is: many}\n-->\nA.",
			"index.md:4:", true},
		{"index.md", "# One\n\n{{measured \"variance.score[d_k=2]\"}}", "index.md:3:", true},
		{"index.md", "# One\n\n{{measured \"variance.score_variance[d_k=77]\"}}",
			"index.md:3: these results do not hold", true},
		{"index.md", "# One\n\n{{count \"variance.score_variance[d_k=64]\"}}", "index.md:3:", true},
		{"index.md", "# One\n\n{{matrix \"nobody\" \"queries\" \"Q\"}}", "index.md:3: these results do not hold", true},
		{"index.md", "One\n", "index.md:1:", true},
		{"index.md", "\ufeff# One\n", "One", false},
		{"index.md", "# One\n\n{{.Verdict", "index.md:3:", true},
		{"index.md", "# One\n\n\n{{.Nothing}}", "index.md:4:", true},
		{"index.md", "# One\n{{figure \"nope\"}}", "index.md:2:", true},
		{"index.md", "# One\n{{link \"nope\"}}", "index.md:2:", true},
		{"shell.html", "<p>\n{{if}}", "shell.html:2:", true},
		{"shell.html", "<p>\n{{.Nothing}}", "shell.html:2:", true},
		{"index.md", "# One\n\n## A {#same}\n\n## B {#same}\n", "index.md:5:", true},
		{"index.md", "# One\n\n## A {#main}\n", "index.md:3:", true},
		{"index.md", "# One\n\n## A {#Bad id!}\n", "index.md:3:", true},
		{"index.md", "# One\n\n## A {#closed} ##\n", "index.md:3:", true},
		{"index.md", "# One\n\n## A {#a}\n\nSaid {#b}.\n", "index.md:5:", true},
		{"index.md", "# One\n\n## A {#a}\n\nSaid `{#b}`.\n", `<h2 id="a"><a href="#a">A</a></h2>`, false},
		{"index.md", "# One\n\n## To [A](https://example.org/) {#a}\n",
			`<h2 id="a">To <a href="https://example.org/">A</a></h2>`, false},
		{"indx.md", "# One", "indx.md replaces nothing", true},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, c.name), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		files, _, err := textFiles(page.NewSource(doc, page.Run{}, nil), figures, Options{Templates: dir})
		if c.fails {
			want := filepath.Join(dir, c.want)
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s %q: error %v, want one line with %q", c.name, c.text, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, f := range files {
			if f.Name == "index.html" && !strings.Contains(string(f.Data), c.want) {
				t.Errorf("%s: index.html does not contain %q", c.name, c.want)
			}
			if f.Name == c.name && string(f.Data) != c.text {
				t.Errorf("%s was not replaced", c.name)
			}
		}
	}
}

func TestNoTemplates(t *testing.T) {
	for dir, want := range map[string]string{
		filepath.Join(t.TempDir(), "absent"): "no such file",
		"site.go":                            "not a folder",
	} {
		_, _, err := textFiles(page.NewSource(sample.Document(), page.Run{}, nil), newFigures(sample.Document()),
			Options{Templates: dir})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}
