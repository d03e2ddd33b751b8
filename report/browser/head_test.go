package browser

import (
	"strings"
	"testing"
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

// Every page says in its head what it is about, each something else, and has an icon that
// the browser can show; a page with figures has an image.
func TestHeads(t *testing.T) {
	descriptions := map[string]string{}
	for _, name := range pages(t) {
		b := open(t)
		b.visit(address+"/"+name, "light")
		h := evaluate[struct {
			Description, Title, Icon, Image, Heading string
			Colours                                  int
			Chart                                    bool
		}](b, head)
		if len(h.Description) < 20 || len([]rune(h.Description)) > 300 || strings.ContainsAny(h.Description, `\${}<>`) {
			t.Errorf("%s describes itself as %q", name, h.Description)
		}
		if other, twice := descriptions[h.Description]; twice {
			t.Errorf("%s and %s describe themselves alike", name, other)
		}
		descriptions[h.Description] = name
		if h.Title == "" || h.Colours != 2 || h.Chart != (h.Image != "") {
			t.Errorf("%s: the head lacks something: %+v", name, h)
		}
		drawn := evaluate[float64](b, `new Promise(done => { const i = new Image(); i.onload = () => done(i.width); i.onerror = () => done(0); i.src = "`+h.Icon+`" })`)
		if h.Icon == "" || drawn == 0 {
			t.Errorf("%s: the icon %q is not shown", name, h.Icon)
		}
		if h.Image != "" && !answers(t, address+"/"+h.Image) {
			t.Errorf("%s: no image %s", name, h.Image)
		}
		b.sound(name, address)
	}
}

// The navigation takes three lines of a telephone at most, and is told apart by its names.
func TestNavigationIsShort(t *testing.T) {
	for _, name := range pages(t) {
		b := open(t)
		b.resize(390, 800)
		b.visit(address+"/"+name, "light")
		if high := evaluate[float64](b, `document.querySelector("header").getBoundingClientRect().height`); high > 110 {
			t.Errorf("%s: the navigation is %v px high", name, high)
		}
		labels := evaluate[[]string](b, `[...document.querySelectorAll("nav")].map(n => n.getAttribute("aria-label") || "")`)
		seen := map[string]bool{}
		for _, l := range labels {
			if l == "" || seen[l] {
				t.Errorf("%s: names of navigations %q", name, labels)
			}
			seen[l] = true
		}
	}
}
