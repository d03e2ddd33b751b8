package browser

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// picturesScript lists the visible images with their positions and shapes. The shape of an image is
// its ratio of height to width on the screen, relative to the same ratio of the file.
const picturesScript = `[...document.images].filter(i => i.getClientRects().length).map(i => {
	const box = i.getBoundingClientRect();
	return {
		path: new URL(i.currentSrc).pathname, width: box.width, left: box.left, right: box.right,
		shape: (box.height / box.width) * (i.naturalWidth / i.naturalHeight),
	};
})`

type picture struct {
	Path                      string
	Width, Left, Right, Shape float64 // Shape is 1 unless the picture is distorted
}

// minTextSize is the minimum size of text in figures, in pixels.
const minTextSize = 8.5

// checkFigures reports figures with text that is too small, and figures that leave the screen or
// are distorted. It returns the number of figures.
func (b *tab) checkFigures(name string, width int64) (count int) {
	b.t.Helper()
	for _, p := range evaluate[[]picture](b, picturesScript) {
		count++
		if size := p.Width * smallestText(b.t, p.Path); size < minTextSize {
			b.t.Errorf("%s at %d px: the smallest text of %s has %.2f px, want at least %v px",
				name, width, p.Path, size, minTextSize)
		}
		if p.Left < -0.5 || p.Right > float64(width)+0.5 {
			b.t.Errorf("%s at %d px: %s leaves the screen: it extends from %.0f px to %.0f px",
				name, width, p.Path, p.Left, p.Right)
		}
		if p.Shape < 0.99 || p.Shape > 1.01 {
			b.t.Errorf("%s at %d px: %s is distorted by the factor %.3f", name, width, p.Path, p.Shape)
		}
	}
	return count
}

var (
	svgWidth    = regexp.MustCompile(`<svg [^>]*viewBox="0 0 ([0-9.]+) `)
	svgTextSize = regexp.MustCompile(`<tspan [^>]*font-size="([0-9.]+)"`)
)

// smallestText returns the size of the smallest text of an SVG file, relative to the width of the
// figure.
func smallestText(t *testing.T, path string) float64 {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(siteDir, filepath.FromSlash(path)))
	must(t, err)
	number := func(s []byte) float64 {
		x, err := strconv.ParseFloat(string(s), 64)
		must(t, err)
		return x
	}
	smallest := 0.0
	for _, m := range svgTextSize.FindAllSubmatch(data, -1) {
		if size := number(m[1]); smallest == 0 || size < smallest {
			smallest = size
		}
	}
	width := svgWidth.FindSubmatch(data)
	if smallest == 0 || width == nil {
		t.Fatalf("%s: the SVG has no text or no width", path)
	}
	return smallest / number(width[1])
}
