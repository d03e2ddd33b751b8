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
		chart: document.querySelector(".chart") !== null,
		heading: document.querySelector("h1").textContent,
	};
})()`

// checkHead checks the metadata of the open page, its icon and its preview image, and that no
// other page has the same description. It also checks that the navigation has at most three lines
// on a telephone, and that each navigation has its own name.
func (totals *counts) checkHead(b *tab, name string) {
	b.t.Helper()
	h := evaluate[struct {
		Description, Title, Icon, Image, Heading string
		Colours                                  int
		Chart                                    bool
	}](b, headScript)
	if len(h.Description) < 20 || len([]rune(h.Description)) > 400 || strings.ContainsAny(h.Description, `\${}<>`) {
		b.t.Errorf("%s has the description %q", name, h.Description)
	}
	if previous, ok := totals.descriptions.LoadOrStore(h.Description, name); ok {
		b.t.Errorf("%s and %s have the same description", name, previous)
	}
	if h.Title == "" || h.Colours != 2 || h.Chart != (h.Image != "") {
		b.t.Errorf("%s: the head is incomplete: %+v", name, h)
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
		b.t.Errorf("%s: no image %s", name, h.Image)
	}
	b.resize(390, 800)
	if height := evaluate[float64](b, `document.querySelector("header").getBoundingClientRect().height`); height > 110 {
		b.t.Errorf("%s: the navigation is %v px high", name, height)
	}
	labels := evaluate[[]string](b,
		`[...document.querySelectorAll("nav")].map(n => n.getAttribute("aria-label") || "")`)
	isUsed := map[string]bool{}
	for _, l := range labels {
		if l == "" || isUsed[l] {
			b.t.Errorf("%s: names of navigations %q", name, labels)
		}
		isUsed[l] = true
	}
}
