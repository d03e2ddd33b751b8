package browser

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
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

// looks are the widths at which pages are laid out; in the dark, which changes only colours and
// pictures, one of each form of the pictures.
func looks(scheme string) []int64 {
	if scheme == "dark" {
		return []int64{390, 1440}
	}
	return widths
}

// seen counts what the pages show, so that no test passes for want of anything to look at.
type seen struct {
	figures, leads, formulas, folds atomic.Int64
	descriptions                    sync.Map
}

// Every page is opened once, and looked at in all ways. It has nothing to scroll sideways for,
// shows all its images in the form for the width and the colours, with text that can be read;
// its tables, listings and formulas stand as they should; people who see or hear otherwise can
// read it; its head says what it is about; a link opens a folded table; and it prints. A
// picture of it is kept, on a laptop in the light and on a telephone in the dark.
func TestPages(t *testing.T) {
	needBrowser(t)
	axe := accessibility(t)
	must(t, os.MkdirAll(shots, 0o755))
	var all seen
	t.Run("pages", func(t *testing.T) {
		everyPage(t, func(b *tab, name string) {
			for _, scheme := range schemes {
				at := looks(scheme)
				b.resize(at[0], 800)
				if scheme == "light" {
					b.visit(address+"/"+name, scheme)
					all.described(b, name)
					b.foldsOpen(name, &all)
				}
				b.emulate("screen", scheme)
				for _, width := range at {
					b.resize(width, 900)
					b.laidOut(name, width, scheme)
					if scheme == "light" {
						b.look(name, width, &all)
					}
				}
				b.accessible(name, scheme, axe)
				b.keep(name, scheme)
			}
			b.printed(name)
			b.sound(name, address)
		})
	})
	figures, leads, formulas, folds := all.figures.Load(), all.leads.Load(), all.formulas.Load(), all.folds.Load()
	if figures == 0 || leads == 0 || formulas < 50 || folds == 0 {
		t.Errorf("all pages show %d figures, %d of them at a lead, %d formulas and %d folds",
			figures, leads, formulas, folds)
	}
}

// shots is where the pictures of the pages are kept, for a person to look at; continuous
// integration keeps them with its run.
const shots = "screenshots"

// keep keeps a picture of the page that is open.
func (b *tab) keep(name, scheme string) {
	b.t.Helper()
	width := int64(1440)
	if scheme == "dark" {
		width = 360
	}
	b.resize(width, 900)
	path := filepath.Join(shots, strings.TrimSuffix(name, ".html")+"-"+scheme+".jpeg")
	must(b.t, os.WriteFile(path, b.screenshot(width), 0o644))
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
	for end := time.Now().Add(2 * time.Minute); !suits(l.Shown, width) && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
		l = evaluate[layout](b, measure)
	}
	if !suits(l.Shown, width) {
		b.t.Errorf("%s shows %v at %d px, %s", name, l.Shown, width, scheme)
	}
}

// On a laptop the finding, and where its figure begins, stand on the first screen.
func TestFirstScreen(t *testing.T) {
	b := open(t)
	b.resize(1280, 800)
	b.visit(address+"/index.html", "light")
	if end := evaluate[float64](b, `document.querySelector("main p").getBoundingClientRect().bottom`); end > 400 {
		t.Errorf("the finding ends at %v px of 800", end)
	}
	if start := evaluate[float64](b, `document.querySelector(".chart img").getBoundingClientRect().top`); start > 700 {
		t.Errorf("the first figure begins at %v px of 800", start)
	}
}

// suits reports whether all images are those for the width.
func suits(shown []string, width int64) bool {
	for _, image := range shown {
		if strings.Contains(image, "-narrow") != (width < 45*16) {
			return false
		}
	}
	return true
}

// printed reports what is wrong with the page that is open, in the dark, on paper: it is light
// there, whatever the screen is.
func (b *tab) printed(name string) {
	b.t.Helper()
	b.resize(paperWidth, 1000)
	b.emulate("print", "dark")
	evaluate[layout](b, measure)
	const ground = "getComputedStyle(document.body).backgroundColor"
	if colour := evaluate[string](b, ground); colour != "rgb(255, 255, 255)" {
		b.t.Errorf("%s prints on %s", name, colour)
	}
	for _, found := range evaluate[[]string](b, onPaper) {
		b.t.Errorf("%s: %s", name, found)
	}
}

// A name that never ends, from a plan, does not make its page scroll.
func TestLongNames(t *testing.T) {
	b := open(t)
	b.resize(360, 800)
	b.visit(address+"/long/index.html", "light")
	if l := evaluate[layout](b, measure); l.Sideways > 0 {
		t.Errorf("the page scrolls sideways by %d px", l.Sideways)
	}
}

// A page that is opened as a file looks the same as one that is served.
func TestFromFiles(t *testing.T) {
	b := open(t)
	b.resize(1280, 900)
	b.visit("file://"+filepath.ToSlash(filepath.Join(siteDir, "index.html")), "light")
	if l := evaluate[layout](b, measure); l.Sideways > 0 || len(l.Broken) > 0 {
		t.Errorf("as a file: %+v", l)
	}
	if !evaluate[bool](b, `getComputedStyle(document.body).maxWidth !== "none"`) {
		t.Error("as a file the page has no style")
	}
	b.sound("index.html", "file://"+filepath.ToSlash(siteDir))
}
