package site

import (
	"regexp"
	"strings"
	"testing"

	"mcsim/report/markdown"
)

// loaded finds what a browser would fetch by itself from elsewhere. Links that
// a reader may follow, and the names of XML namespaces, are no such addresses.
var loaded = regexp.MustCompile(`(?i)((\s(src|srcset|poster|data|action)\s*=|<(link|image|use|base)\b[^>]*href\s*=)\s*["']?\s*|url\(\s*["']?|@import\s*["']?)(https?:)?//`)

// styled finds a tag with a style of its own; what a page quotes is no tag.
var styled = regexp.MustCompile(`<[a-z][^<>]*\sstyle=`)

func TestNothingRemote(t *testing.T) {
	if testing.Short() {
		t.Skip("draws the whole site")
	}
	for name, data := range whole(t) {
		if strings.HasSuffix(name, ".png") || strings.HasSuffix(name, ".pdf") {
			continue
		}
		if at := loaded.FindString(data); at != "" {
			t.Errorf("%s loads %q", name, at)
		}
		if strings.HasSuffix(name, ".html") && (strings.Contains(data, "raw HTML omitted") || styled.MatchString(data) || strings.Contains(data, "<script")) {
			t.Errorf("%s holds raw HTML, a style or a script", name)
		}
	}
}

var (
	hrefs   = regexp.MustCompile(`(?:href|src|srcset)="([^"]*)"`)
	targets = regexp.MustCompile(`\]\(([^)\s]*)\)`)
	anchors = regexp.MustCompile(`<a id="([^"]*)"></a>`)
)

// external links are for the reader to follow.
func external(address string) bool { return strings.HasPrefix(address, "https://") }

// Every link of a page leads to a file of the site, or to a part of a page.
func TestLinks(t *testing.T) {
	if testing.Short() {
		t.Skip("renders a whole site")
	}
	files := whole(t)
	files[sumsFile] = "written last"
	for name, data := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, m := range hrefs.FindAllStringSubmatch(data, -1) {
			file, id, part := strings.Cut(m[1], "#")
			if file == "" {
				file = name
			}
			switch {
			case external(m[1]):
			case files[file] == "":
				t.Errorf("%s: no file %q", name, m[1])
			case part && !strings.Contains(files[file], `id="`+id+`"`):
				t.Errorf("%s: no part %q", name, m[1])
			}
		}
	}
}

// The one document is kept with the figures that it shows and the digests:
// whatever it links to is one of these, a heading, or an anchor of its own.
func TestLinksOfTheDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("renders a whole site")
	}
	files := whole(t)
	text := files[reportFile]
	parts := map[string]bool{}
	for l := range strings.Lines(text) {
		if heading := strings.TrimLeft(l, "#"); heading != l {
			id := markdown.Slug(strings.TrimSpace(heading))
			if parts[id] {
				t.Errorf("two headings %q", id)
			}
			parts[id] = true
		}
	}
	for _, m := range anchors.FindAllStringSubmatch(text, -1) {
		parts[m[1]] = true
	}
	for _, m := range targets.FindAllStringSubmatch(text, -1) {
		address := m[1]
		id, part := strings.CutPrefix(address, "#")
		kept := address == sumsFile || address == reportFile || strings.HasSuffix(address, ".svg") && files[address] != "" && strings.Contains(text, "]("+address+")\n\n**Figure ")
		if part && !parts[id] || !part && !external(address) && !kept {
			t.Errorf("report.md: nothing at %q", address)
		}
	}
	for _, m := range regexp.MustCompile(`\[\^([a-z0-9]+)\][^:]`).FindAllStringSubmatch(text, -1) {
		if strings.Count(text, "\n[^"+m[1]+"]: ") != 1 {
			t.Errorf("report.md: no note %q", m[1])
		}
	}
}
