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

// roll goes through the whole page, so that all comes near the screen, and waits until
// all images that are shown are there.
const roll = `(async () => {
	for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
		scrollTo(0, y);
		await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
	}
	await Promise.all([...document.images].filter(i => i.getClientRects().length).map(i => i.decode()));
	return true;
})()`

// requested are the files that the tab asked for since the last call, each once.
func (b *tab) requested() (files []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range b.asked {
		u, err := url.Parse(a)
		must(b.t, err)
		if u.Scheme != "data" {
			files = append(files, u.Path)
		}
	}
	b.asked = nil
	slices.Sort(files)
	return slices.Compact(files)
}

// Of a page's images those are fetched that one sees, and no others; the font of formulas
// where there are formulas.
func TestWhatIsShownIsFetched(t *testing.T) {
	for _, name := range []string{"index.html", "training.html"} { // with formulas, and figures of both sizes
		open(t).fetches(name, 390, "dark")
		open(t).fetches(name, 1440, "light") // with nothing fetched so far
	}
}

// fetches opens a page and reports what it fetches and does not show, or the reverse.
func (b *tab) fetches(name string, width int64, scheme string) {
	b.t.Helper()
	b.resize(width, 900)
	b.visit(address+"/"+name, scheme)
	evaluate[bool](b, roll)
	shown := evaluate[layout](b, measure).Shown
	slices.Sort(shown)
	files := b.requested()
	has := evaluate[bool](b, `document.querySelector("math") !== null`)
	if fetched := slices.Contains(files, "/math.css"); fetched != has {
		b.t.Errorf("%s has formulas: %v; it fetches their font: %v", name, has, fetched)
	}
	fetched := slices.DeleteFunc(files, func(f string) bool { return !strings.HasPrefix(f, "/figures/") })
	if !slices.Equal(fetched, slices.Compact(shown)) {
		b.t.Errorf("%s at %d px, %s, shows %v and fetches %v", name, width, scheme, shown, fetched)
	}
}

// mostOfFirst is how many bytes all files of the first page have at most.
const mostOfFirst = 300_000

// The first page is light, on a telephone and on a desktop.
func TestFirstPageIsLight(t *testing.T) {
	for _, width := range []int64{390, 1440} {
		b := open(t)
		b.resize(width, 900)
		b.visit(address+"/index.html", "light")
		evaluate[bool](b, roll)
		var bytes int64
		files := b.requested()
		for _, f := range files {
			if f == "/favicon.ico" {
				continue
			}
			info, err := os.Stat(filepath.Join(siteDir, filepath.FromSlash(f)))
			must(t, err)
			bytes += info.Size()
		}
		if bytes > mostOfFirst || len(files) < 3 {
			t.Errorf("at %d px the first page has %d bytes, in %v", width, bytes, files)
		}
	}
}

// Who prints a page, from dark paper or a telephone, gets all its figures as light and
// wide images, though none of them had been fetched.
func TestPaperHasItsImages(t *testing.T) {
	if open(t).fetchedForPaper("softmax.html") == 0 {
		t.Error("the page has no figure to print")
	}
}

// fetchedForPaper prints a page, and says how many images that fetches.
func (b *tab) fetchedForPaper(name string) int {
	b.t.Helper()
	b.resize(390, 900)
	b.visit(address+"/"+name, "dark")
	want := evaluate[[]string](b, `[...document.querySelectorAll(".paper")].map(i => new URL(i.src).pathname)`)
	slices.Sort(want)
	b.requested()
	_, err := chromedp.Call(b, page.PrintToPDF, page.PrintToPDFParams{})
	must(b.t, err)
	var got []string
	end := time.Now().Add(time.Minute)
	for ; len(got) < len(want) && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		got = append(got, slices.DeleteFunc(b.requested(), func(f string) bool {
			return !strings.HasPrefix(f, "/figures/") || strings.Contains(f, "-narrow")
		})...)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		b.t.Errorf("%s: printing fetches %v, and needs %v", name, got, want)
	}
	return len(got)
}
