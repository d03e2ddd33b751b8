package browser

import (
	"os"
	"path/filepath"
	"strings"
)

// head is what the head of a page says of it to those who do not show it.
const head = `(() => {
	const of = (query, name) => (document.querySelector(query) || document.createElement("i")).getAttribute(name) || "";
	return {
		description: of('meta[name="description"]', "content"), title: of('meta[property="og:title"]', "content"),
		icon: of('link[rel="icon"]', "href"), image: of('meta[property="og:image"]', "content"),
		colours: document.querySelectorAll('meta[name="theme-color"]').length, chart: document.querySelector(".chart") !== null,
		heading: document.querySelector("h1").textContent,
	};
})()`

// described reports what the head of the page that is open lacks: it says what the page is
// about, each something else, and has an icon that the browser can show; a page with figures
// has an image. The navigation takes three lines of a telephone, and is told apart by its names.
func (all *seen) described(b *tab, name string) {
	b.t.Helper()
	h := evaluate[struct {
		Description, Title, Icon, Image, Heading string
		Colours                                  int
		Chart                                    bool
	}](b, head)
	if len(h.Description) < 20 || len([]rune(h.Description)) > 400 || strings.ContainsAny(h.Description, `\${}<>`) {
		b.t.Errorf("%s describes itself as %q", name, h.Description)
	}
	if other, twice := all.descriptions.LoadOrStore(h.Description, name); twice {
		b.t.Errorf("%s and %s describe themselves alike", name, other)
	}
	if h.Title == "" || h.Colours != 2 || h.Chart != (h.Image != "") {
		b.t.Errorf("%s: the head lacks something: %+v", name, h)
	}
	drawn := evaluate[float64](b, `new Promise(done => { const i = new Image(); i.onload = () => done(i.width); i.onerror = () => done(0); i.src = "`+h.Icon+`" })`)
	if h.Icon == "" || drawn == 0 {
		b.t.Errorf("%s: the icon %q is not shown", name, h.Icon)
	}
	if _, err := os.Stat(filepath.Join(siteDir, filepath.FromSlash(h.Image))); err != nil {
		b.t.Errorf("%s: no image %s", name, h.Image)
	}
	b.resize(390, 800)
	if high := evaluate[float64](b, `document.querySelector("header").getBoundingClientRect().height`); high > 110 {
		b.t.Errorf("%s: the navigation is %v px high", name, high)
	}
	labels := evaluate[[]string](b, `[...document.querySelectorAll("nav")].map(n => n.getAttribute("aria-label") || "")`)
	named := map[string]bool{}
	for _, l := range labels {
		if l == "" || named[l] {
			b.t.Errorf("%s: names of navigations %q", name, labels)
		}
		named[l] = true
	}
}
