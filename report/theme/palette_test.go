package theme

import (
	"fmt"
	"image/color"
	"math"
	"testing"
)

// luminance is that of sRGB (WCAG 2.2, "relative luminance").
func luminance(k color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		if x := float64(v) / 255; x > 0.04045 {
			return math.Pow((x+0.055)/1.055, 2.4)
		} else {
			return x / 12.92
		}
	}
	return 0.2126*linear(k.R) + 0.7152*linear(k.G) + 0.0722*linear(k.B)
}

func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Graphics need a contrast of 3:1 with their ground, text 4.5:1 (WCAG 2.2,
// 1.4.11 and 1.4.3).
func TestContrast(t *testing.T) {
	for _, s := range append([]Swatch{Quiet}, hues...) {
		if c := contrast(s.Paper, Paper.Paper); c < 3 {
			t.Errorf("%v has a contrast of %.2f with the paper", s.Paper, c)
		}
		if c := contrast(s.Dark, Paper.Dark); c < 3 {
			t.Errorf("%v has a contrast of %.2f with the dark page", s.Dark, c)
		}
	}
	for step := range exponentSteps + 1 {
		k, _ := ExponentStyle(float64(step) / exponentSteps)
		if contrast(k.Colour.Paper, Paper.Paper) < 3 || contrast(k.Colour.Dark, Paper.Dark) < 3 {
			t.Errorf("step %d of the exponents is too pale", step)
		}
	}
	if contrast(Ink.Paper, Paper.Paper) < 4.5 || contrast(Ink.Dark, Paper.Dark) < 4.5 {
		t.Error("text is too pale")
	}
}

// A mark can be read on every colour of a map, on paper and on a dark page.
func TestMarksOnColours(t *testing.T) {
	for _, in := range []Theme{Web, Web.OnDark()} {
		for i := range 256 {
			k := in.Of(Departed(float64(i) / 255))
			if c := contrast(InkOn(k), k); c < 4.5 {
				t.Errorf("dark %v, colour %d: a contrast of %.2f", in.Dark, i, c)
			}
		}
	}
}

// Without colour, the marker alone tells twice as many series apart as there
// are shapes, and with its dash three times as many again.
func TestStylesAreDistinct(t *testing.T) {
	markers, both := map[string]int{}, map[string]int{}
	for i := range 3 * 2 * len(glyphs) {
		s := SeriesStyleOf(i)
		marker := fmt.Sprint(s.Glyph, s.Hollow)
		if j, ok := markers[marker]; ok && i < 2*len(glyphs) {
			t.Errorf("series %d and %d have one marker", j, i)
		}
		id := marker + fmt.Sprint(s.Dash)
		if j, ok := both[id]; ok {
			t.Errorf("series %d and %d have one marker and one dash", j, i)
		}
		markers[marker], both[id] = i, i
	}
}

// The colours of a map go from blue over a calm middle to red. On the way from the middle
// to either end they only become darker, on a dark page only lighter, so that grey shows how
// far from the middle a cell is.
func TestDiverging(t *testing.T) {
	for _, in := range []Theme{Web, Web.OnDark()} {
		middle := in.Of(Departed(0.5))
		if grey := max(middle.R, middle.G, middle.B) - min(middle.R, middle.G, middle.B); grey > 12 {
			t.Errorf("dark %v: the middle %v is not calm", in.Dark, middle)
		}
		for side, way := range map[string]float64{"cool": -1, "warm": 1} {
			last := luminance(middle)
			for i := 5; i <= 125; i += 5 { // 8 bits hide smaller steps
				k := in.Of(Departed(0.5 + way*float64(i)/250))
				if l := luminance(k); (l < last) == in.Dark {
					t.Errorf("dark %v, %s, step %d: %v is no farther from the middle than what is before it", in.Dark, side, i, k)
				} else {
					last = l
				}
				if warm := k.R > k.B; i >= 20 && warm != (way > 0) {
					t.Errorf("dark %v, %s, step %d: %v", in.Dark, side, i, k)
				}
			}
		}
	}
}
