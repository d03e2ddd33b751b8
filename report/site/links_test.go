package site

import (
	"regexp"
	"strings"
	"testing"

	"mcsim/report/markdown"
)

// remoteResource matches the address of a file on another site that a browser loads by itself.
// Links, and the names of XML namespaces, are not loaded.
var remoteResource = regexp.MustCompile(`(?i)((\s(src|srcset|poster|data|action)\s*=|` +
	`<(link|image|use|base)\b[^>]*href\s*=)\s*["']?\s*|url\(\s*["']?|@import\s*["']?)(https?:)?//`)

// styledTag matches a tag with a style attribute.
var styledTag = regexp.MustCompile(`<[a-z][^<>]*\sstyle=`)

func TestNothingRemote(t *testing.T) {
	if testing.Short() {
		t.Skip("draws the whole site")
	}
	for name, data := range siteWithFigures(t) {
		if strings.HasSuffix(name, ".png") || strings.HasSuffix(name, ".pdf") {
			continue
		}
		if address := remoteResource.FindString(data); address != "" {
			t.Errorf("%s loads %q", name, address)
		}
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		if strings.Contains(data, "raw HTML omitted") || styledTag.MatchString(data) ||
			strings.Contains(data, "<script") {
			t.Errorf("%s contains raw HTML, a style or a script", name)
		}
	}
}

var (
	hrefs   = regexp.MustCompile(`(?:href|src|srcset)="([^"]*)"`)
	targets = regexp.MustCompile(`\]\(([^)\s]*)\)`)
	anchors = regexp.MustCompile(`<a id="([^"]*)"></a>`)
)

func isExternal(address string) bool { return strings.HasPrefix(address, "https://") }

// TestLinks checks that every link of a page that is not external leads to a file of the site, and
// to an element of it if the link has an anchor.
func TestLinks(t *testing.T) {
	if testing.Short() {
		t.Skip("renders a whole site")
	}
	files := siteWithFigures(t)
	files[sumsFile] = "written last"
	for name, data := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, m := range hrefs.FindAllStringSubmatch(data, -1) {
			file, id, hasAnchor := strings.Cut(m[1], "#")
			if file == "" {
				file = name
			}
			switch {
			case isExternal(m[1]):
			case files[file] == "":
				t.Errorf("%s: no file %q", name, m[1])
			case hasAnchor && !strings.Contains(files[file], `id="`+id+`"`):
				t.Errorf("%s: no anchor %q", name, m[1])
			}
		}
	}
}

// TestLinksOfTheDocument checks that the links of the single document are external, or lead to its
// headings and anchors, to the figures that it shows, or to the digests.
func TestLinksOfTheDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("renders a whole site")
	}
	files := siteWithFigures(t)
	text := files[reportFile]
	ids := map[string]bool{}
	for l := range strings.Lines(text) {
		if heading := strings.TrimLeft(l, "#"); heading != l {
			id := markdown.Slug(strings.TrimSpace(heading))
			if ids[id] {
				t.Errorf("two headings %q", id)
			}
			ids[id] = true
		}
	}
	for _, m := range anchors.FindAllStringSubmatch(text, -1) {
		ids[m[1]] = true
	}
	for _, m := range targets.FindAllStringSubmatch(text, -1) {
		address := m[1]
		id, isAnchor := strings.CutPrefix(address, "#")
		isFigure := strings.HasSuffix(address, ".svg") && files[address] != "" &&
			strings.Contains(text, "]("+address+")\n\n**Figure ")
		isFile := address == sumsFile || address == reportFile || isFigure
		if isAnchor && !ids[id] || !isAnchor && !isExternal(address) && !isFile {
			t.Errorf("report.md: nothing at %q", address)
		}
	}
	for _, m := range regexp.MustCompile(`\[\^([a-z0-9]+)\][^:]`).FindAllStringSubmatch(text, -1) {
		if strings.Count(text, "\n[^"+m[1]+"]: ") != 1 {
			t.Errorf("report.md: no note %q", m[1])
		}
	}
}
