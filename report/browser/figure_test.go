package browser

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// pictures lists the images that are shown, with the widths that they have on the screen.
const pictures = `[...document.images].filter(i => i.getClientRects().length).map(i => ({
	path: new URL(i.currentSrc).pathname, width: i.getBoundingClientRect().width, left: i.getBoundingClientRect().left,
	right: i.getBoundingClientRect().right, shape: (i.getBoundingClientRect().height / i.getBoundingClientRect().width) * (i.naturalWidth / i.naturalHeight)}))`

type picture struct {
	Path                      string
	Width, Left, Right, Shape float64
}

// leastText is how many pixels the smallest text of a figure has at least.
const leastText = 8.5

// readable reports text in figures that cannot be read, its scripts and marks among it, and
// figures that leave the screen or their shape.
func (b *tab) readable(name string, width int64) (seen int) {
	b.t.Helper()
	for _, p := range evaluate[[]picture](b, pictures) {
		seen++
		if size := p.Width * smallestText(b.t, p.Path); size < leastText {
			b.t.Errorf("%s at %d px: text of %.2f px in %s, which is %.0f px wide", name, width, size, p.Path, p.Width)
		}
		if p.Left < -0.5 || p.Right > float64(width)+0.5 {
			b.t.Errorf("%s at %d px: %s stands from %.0f to %.0f", name, width, p.Path, p.Left, p.Right)
		}
		if p.Shape < 0.99 || p.Shape > 1.01 {
			b.t.Errorf("%s at %d px: %s has its sides in another ratio: %.3f of its own", name, width, p.Path, p.Shape)
		}
	}
	return seen
}

var (
	drawnWidth = regexp.MustCompile(`<svg [^>]*viewBox="0 0 ([0-9.]+) `)
	drawnText  = regexp.MustCompile(`<tspan [^>]*font-size="([0-9.]+)"`)
)

// smallestText is the size of the smallest text of a figure, as a share of its width.
func smallestText(t *testing.T, path string) float64 {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(siteDir, filepath.FromSlash(path)))
	must(t, err)
	number := func(s []byte) float64 {
		x, err := strconv.ParseFloat(string(s), 64)
		must(t, err)
		return x
	}
	least := 0.0
	for _, m := range drawnText.FindAllSubmatch(data, -1) {
		if size := number(m[1]); least == 0 || size < least {
			least = size
		}
	}
	whole := drawnWidth.FindSubmatch(data)
	if least == 0 || whole == nil {
		t.Fatalf("%s: no text, or no width", path)
	}
	return least / number(whole[1])
}
