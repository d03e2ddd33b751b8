package browser

import (
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// widths are those of telephones, a tablet, a laptop and a wide screen, in
// CSS pixels.
var widths = []int64{320, 390, 768, 1024, 1440, 1920}

var schemes = []string{"light", "dark"}

// measure opens what is folded, waits for the images that are shown, wherever on the page,
// and then says what is wrong with the layout: how far the page scrolls sideways, and
// which images are not there.
const measure = `(async () => {
	for (const d of document.querySelectorAll("details")) d.open = true;
	const shown = [...document.images].filter(i => i.getClientRects().length);
	for (const i of shown) i.loading = "eager";
	await Promise.all(shown.map(i => i.decode().catch(() => {})));
	const root = document.documentElement;
	return {
		sideways: root.scrollWidth - root.clientWidth,
		broken: shown.filter(i => !i.complete || !i.naturalWidth).map(i => i.currentSrc || i.src),
		shown: shown.map(i => new URL(i.currentSrc).pathname),
	};
})()`

type layout struct {
	Sideways int
	Broken   []string
	Shown    []string
}

// everyPage runs a test of each page in a tab of its own, as many at a time as there are
// processors.
func everyPage(t *testing.T, test func(b *tab, name string)) {
	t.Helper()
	for _, name := range pages(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(open(t), name)
		})
	}
}

// looks are the widths at which pages are laid out; in the dark, which changes colours and
// pictures alone, one of each form of the pictures.
func looks(scheme string) []int64 {
	switch {
	case testing.Short():
		return []int64{320, 1440}
	case scheme == "dark":
		return []int64{390, 1440}
	}
	return widths
}

// seen counts what the pages show, so that no test passes for want of anything to look at.
type seen struct{ figures, leads, formulas atomic.Int64 }

// A page has nothing to scroll sideways for, shows all its images in the form for the
// width and the colours, with text that can be read, and its tables, listings and formulas
// stand as they should. It is opened once in each scheme, since opening is what takes the
// time.
func TestLayout(t *testing.T) {
	var all seen
	t.Run("pages", func(t *testing.T) {
		everyPage(t, func(b *tab, name string) {
			for _, scheme := range schemes {
				at := looks(scheme)
				b.resize(at[0], 800)
				b.visit(address+"/"+name, scheme)
				for _, width := range at {
					b.resize(width, 900)
					b.laidOut(name, width, scheme)
					if scheme == "light" {
						b.look(name, width, &all)
					}
				}
			}
			b.sound(name, address)
		})
	})
	if figures, leads, formulas := all.figures.Load(), all.leads.Load(), all.formulas.Load(); figures == 0 || leads == 0 || formulas < 50 {
		t.Errorf("all pages show %d figures, %d of them behind a lead, and %d formulas", figures, leads, formulas)
	}
}

// look looks at what stands on the page that is open, which is in the light.
func (b *tab) look(name string, width int64, all *seen) {
	b.t.Helper()
	all.figures.Add(int64(b.readable(name, width)))
	b.listings(name, width)
	if width > widths[0] {
		b.fit(name, width)
		b.breaks(name, width)
	}
	if width == 1440 {
		all.leads.Add(int64(b.leads(name)))
		all.formulas.Add(int64(b.formulas(name)))
	}
}

// laidOut reports what is wrong with the layout of the page that is open.
func (b *tab) laidOut(name string, width int64, scheme string) {
	b.t.Helper()
	l := evaluate[layout](b, measure)
	if l.Sideways > 0 {
		b.t.Errorf("%s scrolls sideways by %d px at %d px, %s", name, l.Sideways, width, scheme)
	}
	for _, image := range l.Broken {
		b.t.Errorf("%s shows no image %s at %d px, %s", name, image, width, scheme)
	}
	// The browser takes another picture some time after its window has changed; two
	// minutes are more than any machine needs.
	for end := time.Now().Add(2 * time.Minute); !suits(l.Shown, width, scheme) && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
		l = evaluate[layout](b, measure)
	}
	if !suits(l.Shown, width, scheme) {
		b.t.Errorf("%s shows %v at %d px, %s", name, l.Shown, width, scheme)
	}
}

// The numbers that decide, and the warnings, are seen on a telephone without
// scrolling their tables; on a laptop the finding, and where its figure begins, stand on
// the first screen.
func TestFirstScreens(t *testing.T) {
	if testing.Short() {
		t.Skip("TestLayout looks at the first pages")
	}
	b := open(t)
	for _, width := range widths[:2] {
		b.resize(width, 800)
		b.visit(address+"/index.html", "light")
		if over := evaluate[int](b, `(() => { const s = document.querySelector(".table .scroll"); return s.scrollWidth - s.clientWidth })()`); over > 0 {
			t.Errorf("the first table is %d px too wide at %d px", over, width)
		}
	}
	b.resize(360, 800)
	b.visit(address+"/checks.html#table-warnings-of-rows", "light")
	evaluate[layout](b, measure)
	if over := evaluate[int](b, `(() => { const s = document.querySelector("#table-warnings-of-rows .scroll"); return s.scrollWidth - s.clientWidth })()`); over > 0 {
		t.Errorf("the warnings are %d px too wide at 360 px", over)
	}
	b.resize(1280, 800)
	b.visit(address+"/index.html", "light")
	if end := evaluate[float64](b, `document.querySelector("main p").getBoundingClientRect().bottom`); end > 400 {
		t.Errorf("the finding ends at %v px of 800", end)
	}
	if start := evaluate[float64](b, `document.querySelector(".chart img").getBoundingClientRect().top`); start > 700 {
		t.Errorf("the first figure begins at %v px of 800", start)
	}
}

// suits reports whether all images are those for the width and the scheme.
func suits(shown []string, width int64, scheme string) bool {
	for _, image := range shown {
		if strings.Contains(image, "-dark") != (scheme == "dark") || strings.Contains(image, "-narrow") != (width < 45*16) {
			return false
		}
	}
	return true
}

// Paper is light, whatever the screen is.
func TestPaper(t *testing.T) {
	whole(t)
	everyPage(t, func(b *tab, name string) {
		b.resize(1280, 900)
		b.visit(address+"/"+name, "dark")
		evaluate[layout](b, measure)
		b.emulate("print", "dark")
		for _, image := range evaluate[layout](b, measure).Shown {
			if strings.Contains(image, "-dark") {
				b.t.Errorf("%s prints %s", name, image)
			}
		}
		if colour := evaluate[string](b, "getComputedStyle(document.body).backgroundColor"); colour != "rgb(255, 255, 255)" {
			b.t.Errorf("%s prints on %s", name, colour)
		}
	})
}

// A name that never ends, from a plan, makes no page scroll.
func TestLongNames(t *testing.T) {
	whole(t)
	everyPage(t, func(b *tab, name string) {
		b.resize(360, 800)
		b.visit(address+"/long/"+name, "light")
		if l := evaluate[layout](b, measure); l.Sideways > 0 {
			b.t.Errorf("%s scrolls sideways by %d px", name, l.Sideways)
		}
	})
}

// A page that is opened as a file looks the same as one that is served.
func TestFromFiles(t *testing.T) {
	whole(t)
	everyPage(t, func(b *tab, name string) {
		b.resize(1280, 900)
		b.visit("file://"+filepath.ToSlash(filepath.Join(site, name)), "light")
		if l := evaluate[layout](b, measure); l.Sideways > 0 || len(l.Broken) > 0 {
			b.t.Errorf("%s as a file: %+v", name, l)
		}
		if !evaluate[bool](b, `getComputedStyle(document.body).maxWidth !== "none"`) {
			b.t.Errorf("%s as a file has no style", name)
		}
		b.sound(name, "file://"+filepath.ToSlash(site))
	})
}

// collect lists where a page links to, and what can be linked to in it.
const collect = `({
	links: [...document.querySelectorAll("a[href]")].map(a => a.href),
	ids: [...document.querySelectorAll("[id]")].map(e => e.id),
})`

func TestLinksLead(t *testing.T) {
	whole(t)
	type parts struct{ Links, IDs []string }
	found := map[string]parts{}
	all := pages(t)
	b := open(t)
	for _, name := range all {
		b.visit(address+"/"+name, "light")
		found[name] = evaluate[parts](b, collect)
		slices.Sort(found[name].IDs)
		if n := len(slices.Compact(slices.Clone(found[name].IDs))); n != len(found[name].IDs) {
			t.Errorf("%s has the same id twice", name)
		}
	}
	there := map[string]bool{}
	for name, p := range found {
		for _, link := range p.Links {
			u, err := url.Parse(link)
			must(t, err)
			if !strings.HasPrefix(link, address) {
				if u.Scheme != "https" {
					t.Errorf("%s links to %s", name, link)
				}
				continue
			}
			target := strings.TrimPrefix(u.Path, "/")
			if _, asked := there[target]; !asked {
				there[target] = answers(t, address+"/"+target)
			}
			if !there[target] {
				t.Errorf("%s links to %s, which is not there", name, target)
			}
			if u.Fragment != "" && isPage(target) && !slices.Contains(found[target].IDs, u.Fragment) {
				t.Errorf("%s links to %s, which has no such part", name, link)
			}
		}
	}
}

func answers(t *testing.T, address string) bool {
	t.Helper()
	response, err := http.Head(address)
	must(t, err)
	must(t, response.Body.Close())
	return response.StatusCode == http.StatusOK
}
