package browser

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// scrollScript scrolls through the whole page, so that all images come near the screen, and waits
// until the visible images are loaded.
const scrollScript = `(async () => {
	for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
		scrollTo(0, y);
		await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
	}
	await Promise.all([...document.images].filter(i => i.getClientRects().length).map(i => i.decode()));
	return true;
})()`

// takeRequests returns the distinct paths that were requested since the last call, sorted.
func (b *tab) takeRequests() (files []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range b.requests {
		u, err := url.Parse(a)
		must(b.t, err)
		if u.Scheme != "data" {
			files = append(files, u.Path)
		}
	}
	b.requests = nil
	slices.Sort(files)
	return slices.Compact(files)
}

// TestOnlyShownFilesAreFetched checks that a page fetches the images that it shows and no others,
// and that it fetches the font of formulas only if it has formulas.
func TestOnlyShownFilesAreFetched(t *testing.T) {
	for _, name := range []string{"index.html", "training.html"} {
		open(t).checkFetches(name, 390, "dark")
		open(t).checkFetches(name, 1440, "light") // in a new tab, which has fetched nothing
	}
}

// checkFetches opens a page and compares the images that it fetches with those that it shows.
func (b *tab) checkFetches(name string, width int64, scheme string) {
	b.t.Helper()
	b.resize(width, 900)
	b.visit(address+"/"+name, scheme)
	evaluate[bool](b, scrollScript)
	shown := evaluate[layout](b, layoutScript).Shown
	slices.Sort(shown)
	files := b.takeRequests()
	hasFormulas := evaluate[bool](b, `document.querySelector("math") !== null`)
	if fetchesFont := slices.Contains(files, "/math.css"); fetchesFont != hasFormulas {
		b.t.Errorf("%s has formulas: %v, but fetches their font: %v", name, hasFormulas, fetchesFont)
	}
	fetched := slices.DeleteFunc(files, func(f string) bool { return !strings.HasPrefix(f, "/figures/") })
	if !slices.Equal(fetched, slices.Compact(shown)) {
		b.t.Errorf("%s at %d px, %s: the page fetches %v, want the shown images %v",
			name, width, scheme, fetched, shown)
	}
}

// maxFirstPageBytes bounds the total size of the files that the first page loads.
const maxFirstPageBytes = 300_000

// TestFirstPageIsSmall checks that the first page loads few bytes on a telephone and on a desktop.
func TestFirstPageIsSmall(t *testing.T) {
	for _, width := range []int64{390, 1440} {
		b := open(t)
		b.resize(width, 900)
		b.visit(address+"/index.html", "light")
		evaluate[bool](b, scrollScript)
		var bytes int64
		files := b.takeRequests()
		for _, f := range files {
			if f == "/favicon.ico" {
				continue
			}
			info, err := os.Stat(filepath.Join(siteDir, filepath.FromSlash(f)))
			must(t, err)
			bytes += info.Size()
		}
		if bytes > maxFirstPageBytes {
			t.Errorf("at %d px, the first page loads %d bytes, want at most %d", width, bytes, maxFirstPageBytes)
		}
		if len(files) < 3 {
			t.Errorf("at %d px, the first page loads only %v, want at least three files", width, files)
		}
	}
}

// TestPrintFetchesImages prints a page that is shown in the dark scheme and at the width of a
// telephone. It checks that the page then fetches the light and wide variants of all its figures.
func TestPrintFetchesImages(t *testing.T) {
	if open(t).checkPrintFetches("softmax.html") == 0 {
		t.Error("softmax.html fetches no image when it is printed, want at least one")
	}
}

// checkPrintFetches prints a page, checks which images the page fetches for print, and returns
// their number.
func (b *tab) checkPrintFetches(name string) int {
	b.t.Helper()
	b.resize(390, 900)
	b.visit(address+"/"+name, "dark")
	want := evaluate[[]string](b, `[...document.querySelectorAll(".paper")].map(i => new URL(i.src).pathname)`)
	slices.Sort(want)
	b.takeRequests()
	_, err := chromedp.Call(b, page.PrintToPDF, page.PrintToPDFParams{})
	must(b.t, err)
	var got []string
	end := time.Now().Add(time.Minute)
	for ; len(got) < len(want) && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		got = append(got, slices.DeleteFunc(b.takeRequests(), func(f string) bool {
			return !strings.HasPrefix(f, "/figures/") || strings.Contains(f, "-narrow")
		})...)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		b.t.Errorf("%s: printing fetches %v, want %v", name, got, want)
	}
	return len(got)
}
