package browser

import (
	"os"
	"path/filepath"
	"strings"
)

// headScript returns the metadata in the head of a page.
const headScript = `(() => {
	const read = (query, name) => document.querySelector(query)?.getAttribute(name) || "";
	return {
		description: read('meta[name="description"]', "content"), title: read('meta[property="og:title"]', "content"),
		icon: read('link[rel="icon"]', "href"), image: read('meta[property="og:image"]', "content"),
		colours: document.querySelectorAll('meta[name="theme-color"]').length,
		heading: document.querySelector("h1").textContent,
	};
})()`

// checkHead checks the metadata of the open page, its icon and its preview image. The description
// must differ from those of other pages. It also checks that the header has at most three lines on
// a telephone, and that each navigation of the page has a different name.
func (totals *counts) checkHead(b *tab, name string) {
	b.t.Helper()
	h := evaluate[struct {
		Description, Title, Icon, Image, Heading string
		Colours                                  int
	}](b, headScript)
	if length := len([]rune(h.Description)); length < 20 || length > 400 {
		b.t.Errorf("%s: the description has %d characters, want 20 to 400: %q", name, length, h.Description)
	}
	if strings.ContainsAny(h.Description, `\${}<>`) {
		b.t.Errorf("%s: the description contains markup: %q", name, h.Description)
	}
	if previous, ok := totals.descriptions.LoadOrStore(h.Description, name); ok {
		b.t.Errorf("%s and %s have the same description", name, previous)
	}
	if h.Title == "" || h.Colours != 2 {
		b.t.Errorf("%s: got the title %q and %d theme colours, want a title and 2 colours", name, h.Title, h.Colours)
	}
	if h.Image == "" {
		b.t.Errorf("%s has no preview image, want the card", name)
	}
	iconWidth := evaluate[float64](b, `new Promise(done => {
		const i = new Image();
		i.onload = () => done(i.width);
		i.onerror = () => done(0);
		i.src = "`+h.Icon+`";
	})`)
	if h.Icon == "" || iconWidth == 0 {
		b.t.Errorf("%s: the icon %q is not shown", name, h.Icon)
	}
	if _, err := os.Stat(filepath.Join(siteDir, filepath.FromSlash(h.Image))); err != nil {
		b.t.Errorf("%s: the preview image %s does not exist", name, h.Image)
	}
	b.resize(390, 800)
	const maxHeaderHeight = 110 // CSS pixels of three lines
	height := evaluate[float64](b, `document.querySelector("header").getBoundingClientRect().height`)
	if height > maxHeaderHeight {
		b.t.Errorf("%s: the header is %v px high, want at most %d px", name, height, maxHeaderHeight)
	}
	labels := evaluate[[]string](b,
		`[...document.querySelectorAll("nav")].map(n => n.getAttribute("aria-label") || "")`)
	isUsed := map[string]bool{}
	for _, l := range labels {
		if l == "" || isUsed[l] {
			b.t.Errorf("%s: the navigations have the names %q, want different names that are not empty", name, labels)
		}
		isUsed[l] = true
	}
}
