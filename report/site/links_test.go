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

// styledTag matches the beginning of a tag with a style attribute.
var styledTag = regexp.MustCompile(`<[a-z][^<>]*\sstyle=`)

// TestNothingRemote checks that no file of the site loads a file of another site. It also checks
// that the content security policy of the pages is met: they have no scripts and no style
// attributes.
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
		if strings.Contains(data, "raw HTML omitted") {
			t.Errorf("%s: the Markdown contains raw HTML", name)
		}
		if styledTag.MatchString(data) || strings.Contains(pageScript.ReplaceAllString(data, ""), "<script") {
			t.Errorf("%s contains a style attribute or a script", name)
		}
	}
}

var (
	addressInHTML     = regexp.MustCompile(`(?:href|src|srcset)="([^"]*)"`)
	addressInMarkdown = regexp.MustCompile(`\]\(([^)\s]*)\)`)
	anchorInMarkdown  = regexp.MustCompile(`<a id="([^"]*)"></a>`)
)

func isExternal(address string) bool { return strings.HasPrefix(address, "https://") }

// TestLinks checks the links of the pages, except those to other sites. Each must lead to a file of
// the site. If it has an anchor, the file must have an element with that id.
func TestLinks(t *testing.T) {
	if testing.Short() {
		t.Skip("renders a whole site")
	}
	files := siteWithFigures(t)
	files[sumsFile], files[programFile] = "written last", "only of a complete build"
	for name, data := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, m := range addressInHTML.FindAllStringSubmatch(data, -1) {
			file, id, hasAnchor := strings.Cut(m[1], "#")
			if file == "" {
				file = name
			}
			switch {
			case isExternal(m[1]):
			case files[file] == "":
				t.Errorf("%s links to %q, but the file does not exist", name, m[1])
			case hasAnchor && !strings.Contains(files[file], `id="`+id+`"`):
				t.Errorf("%s links to %q, but the anchor does not exist", name, m[1])
			}
		}
	}
}

// TestLinksOfTheDocument checks the links of the single document, except those to other sites. Each
// must lead to a heading or an anchor of the document, to a figure that it shows, to the document
// itself or to the digests.
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
				t.Errorf("report.md: two headings have the anchor %q", id)
			}
			ids[id] = true
		}
	}
	for _, m := range anchorInMarkdown.FindAllStringSubmatch(text, -1) {
		ids[m[1]] = true
	}
	for _, m := range addressInMarkdown.FindAllStringSubmatch(text, -1) {
		address := m[1]
		id, isAnchor := strings.CutPrefix(address, "#")
		isFigure := strings.HasSuffix(address, ".svg") && files[address] != "" &&
			strings.Contains(text, "]("+address+")\n\n**Figure ")
		isFile := address == sumsFile || address == reportFile || isFigure
		isKnown := isExternal(address) || isFile
		if isAnchor {
			isKnown = ids[id]
		}
		if !isKnown {
			t.Errorf("report.md links to %q, which does not exist", address)
		}
	}
	for _, m := range regexp.MustCompile(`\[\^([a-z0-9]+)\][^:]`).FindAllStringSubmatch(text, -1) {
		if strings.Count(text, "\n[^"+m[1]+"]: ") != 1 {
			t.Errorf("report.md does not have exactly one footnote %q", m[1])
		}
	}
}
