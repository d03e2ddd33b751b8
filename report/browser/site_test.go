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

// widths are the widths of telephones, a tablet, a laptop and a wide screen, in CSS pixels.
var widths = []int64{320, 390, 768, 1024, 1440, 1920}

var schemes = []string{"light", "dark"}

// layoutScript opens all folds and waits for the visible images. It returns by how many pixels the
// page scrolls sideways, and which images are visible or broken.
const layoutScript = `(async () => {
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

// testPages runs a test for each page, in a separate tab. These tests run in parallel.
func testPages(t *testing.T, test func(b *tab, name string)) {
	t.Helper()
	for _, name := range pages(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(open(t), name)
		})
	}
}

// widthsOf returns the widths at which pages are checked in a scheme. The dark scheme changes only
// colours and pictures, so that one width for each variant of the pictures is enough.
func widthsOf(scheme string) []int64 {
	if scheme == "dark" {
		return []int64{390, 1440}
	}
	return widths
}

// counts has the numbers of checked elements on all pages. TestPages requires some of each kind,
// since it would otherwise check nothing.
type counts struct {
	figures, leads, formulas, folds atomic.Int64
	descriptions                    sync.Map // page of each description
}

// TestPages opens every page once, and checks it at several widths in both schemes and on paper.
// It saves a screenshot of each scheme.
func TestPages(t *testing.T) {
	requireBrowser(t)
	axe := readAxe(t)
	must(t, os.MkdirAll(screenshotFolder, 0o755))
	var totals counts
	t.Run("pages", func(t *testing.T) {
		testPages(t, func(b *tab, name string) {
			for _, scheme := range schemes {
				schemeWidths := widthsOf(scheme)
				b.resize(schemeWidths[0], 800)
				if scheme == "light" {
					b.visit(address+"/"+name, scheme)
					totals.checkHead(b, name)
					b.checkFoldLink(name, &totals)
				}
				b.emulate("screen", scheme)
				for _, width := range schemeWidths {
					b.resize(width, 900)
					b.checkLayout(name, width, scheme)
					if scheme == "light" {
						b.checkContents(name, width, &totals)
					}
				}
				b.checkAccessibility(name, scheme, axe)
				b.saveScreenshot(name, scheme)
			}
			b.checkPrint(name)
			b.checkFaults(name, address)
		})
	})
	for _, c := range []struct {
		name  string
		count *atomic.Int64
		min   int64
	}{
		{"figures", &totals.figures, 1},
		{"figures after a lead", &totals.leads, 1},
		{"formulas", &totals.formulas, 50},
		{"folds", &totals.folds, 1},
	} {
		if n := c.count.Load(); n < c.min {
			t.Errorf("all pages together have %d %s, want at least %d", n, c.name, c.min)
		}
	}
}

// screenshotFolder is the folder of screenshots, which CI uploads.
const screenshotFolder = "screenshots"

// saveScreenshot saves a screenshot of the open page, at the width of a laptop in the light scheme
// and of a telephone in the dark scheme.
func (b *tab) saveScreenshot(name, scheme string) {
	b.t.Helper()
	width := int64(1440)
	if scheme == "dark" {
		width = 360
	}
	b.resize(width, 900)
	path := filepath.Join(screenshotFolder, strings.TrimSuffix(name, ".html")+"-"+scheme+".jpeg")
	must(b.t, os.WriteFile(path, b.screenshot(width), 0o644))
}

// checkContents checks the figures, listings, tables and formulas of the open page in the light
// scheme.
func (b *tab) checkContents(name string, width int64, totals *counts) {
	b.t.Helper()
	totals.figures.Add(int64(b.checkFigures(name, width)))
	b.checkListings(name, width)
	if width > widths[0] {
		b.checkTables(name, width)
		b.checkTableFaults(name, width)
	}
	if width == 1440 {
		totals.leads.Add(int64(b.checkLeads(name)))
		totals.formulas.Add(int64(b.checkFormulas(name)))
	}
}

// checkLayout checks that the open page does not scroll sideways, and that it shows its images in
// the variant for its width.
func (b *tab) checkLayout(name string, width int64, scheme string) {
	b.t.Helper()
	l := evaluate[layout](b, layoutScript)
	if l.Sideways > 0 {
		b.t.Errorf("%s at %d px, %s: the page scrolls sideways by %d px", name, width, scheme, l.Sideways)
	}
	for _, image := range l.Broken {
		b.t.Errorf("%s at %d px, %s: the image %s is not shown", name, width, scheme, image)
	}
	// The browser chooses another variant some time after the width of its window has changed. Two
	// minutes are enough for any machine.
	for end := time.Now().Add(2 * time.Minute); !haveVariantFor(width, l.Shown) && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
		l = evaluate[layout](b, layoutScript)
	}
	if !haveVariantFor(width, l.Shown) {
		b.t.Errorf("%s at %d px, %s: the images are %v, want the variants for this width", name, width, scheme, l.Shown)
	}
}

// TestFirstScreen checks that a laptop shows the finding of the first page and the beginning of its
// figure without scrolling.
func TestFirstScreen(t *testing.T) {
	b := open(t)
	b.resize(1280, 800)
	b.visit(address+"/index.html", "light")
	if end := evaluate[float64](b, `document.querySelector("main p").getBoundingClientRect().bottom`); end > 400 {
		t.Errorf("the finding ends at %v px of 800 px, want at most 400 px", end)
	}
	if start := evaluate[float64](b, `document.querySelector("#strip, .chart img").getBoundingClientRect().top`); start > 700 {
		t.Errorf("the first figure begins at %v px of 800 px, want at most 700 px", start)
	}
}

// haveVariantFor reports whether all images are in the variant for a width: the narrow variant
// below 45rem, and the wide one otherwise.
func haveVariantFor(width int64, images []string) bool {
	const rem = 16 // CSS pixels
	wantNarrow := width < 45*rem
	for _, image := range images {
		if isNarrow := strings.Contains(image, "-narrow"); isNarrow != wantNarrow {
			return false
		}
	}
	return true
}

// checkPrint checks the open page on paper. In the dark scheme, too, the page must print on white.
func (b *tab) checkPrint(name string) {
	b.t.Helper()
	b.resize(paperWidth, 1000)
	b.emulate("print", "dark")
	evaluate[layout](b, layoutScript)
	const background = "getComputedStyle(document.body).backgroundColor"
	if colour := evaluate[string](b, background); colour != "rgb(255, 255, 255)" {
		b.t.Errorf("%s prints on the colour %s, want white", name, colour)
	}
	for _, found := range evaluate[[]string](b, printFaultsScript) {
		b.t.Errorf("%s, printed: %s", name, found)
	}
}

// TestLongNames checks that a very long name of a plan does not make its page scroll sideways.
func TestLongNames(t *testing.T) {
	b := open(t)
	b.resize(360, 800)
	b.visit(address+"/long/index.html", "light")
	if l := evaluate[layout](b, layoutScript); l.Sideways > 0 {
		t.Errorf("the page with a long name scrolls sideways by %d px, want 0 px", l.Sideways)
	}
}

// TestFromFiles checks that a page has its images and its style if it is opened as a local file.
func TestFromFiles(t *testing.T) {
	b := open(t)
	b.resize(1280, 900)
	b.visit("file://"+filepath.ToSlash(filepath.Join(siteDir, "index.html")), "light")
	if l := evaluate[layout](b, layoutScript); l.Sideways > 0 || len(l.Broken) > 0 {
		t.Errorf("as a file, the page scrolls sideways by %d px and lacks the images %v", l.Sideways, l.Broken)
	}
	if !evaluate[bool](b, `getComputedStyle(document.body).maxWidth !== "none"`) {
		t.Error("as a file, the page has no style")
	}
	b.checkFaults("index.html", "file://"+filepath.ToSlash(siteDir))
}
