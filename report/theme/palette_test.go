package theme

import (
	"fmt"
	"image/color"
	"math"
	"testing"
)

// luminance returns the luminance of an sRGB colour (WCAG 2.2, "relative luminance").
func luminance(k color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x > 0.04045 {
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return x / 12.92
	}
	return 0.2126*linear(k.R) + 0.7152*linear(k.G) + 0.0722*linear(k.B)
}

func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestContrast checks the contrasts with the background that WCAG 2.2 requires: 3:1 for graphics
// (1.4.11) and 4.5:1 for text (1.4.3).
func TestContrast(t *testing.T) {
	for _, s := range append([]Swatch{ReferenceInk}, hues...) {
		if c := contrast(s.Paper, Paper.Paper); c < 3 {
			t.Errorf("the contrast of %v with the paper is %.2f, want at least 3", s.Paper, c)
		}
		if c := contrast(s.Dark, Paper.Dark); c < 3 {
			t.Errorf("the contrast of %v with the dark page is %.2f, want at least 3", s.Dark, c)
		}
	}
	for step := range exponentSteps + 1 {
		k, _ := ExponentStyle(float64(step) / exponentSteps)
		if contrast(k.Colour.Paper, Paper.Paper) < 3 || contrast(k.Colour.Dark, Paper.Dark) < 3 {
			t.Errorf("the contrast of step %d of the exponents with the page is below 3", step)
		}
	}
	if contrast(Ink.Paper, Paper.Paper) < 4.5 || contrast(Ink.Dark, Paper.Dark) < 4.5 {
		t.Error("the contrast of text with the page is below 4.5")
	}
}

// TestTextOnColours checks that text on any colour of a map has the contrast that WCAG 2.2
// requires.
func TestTextOnColours(t *testing.T) {
	for _, theme := range []Theme{Web, Web.DarkVariant()} {
		for i := range 256 {
			k := theme.Colour(DivergingColour(float64(i) / 255))
			if c := contrast(ContrastingInk(k), k); c < 4.5 {
				t.Errorf("dark %v, colour %d: the contrast of text is %.2f, want at least 4.5", theme.Dark, i, c)
			}
		}
	}
}

// TestStylesAreDistinct compares the styles of series without their colours. The first 2n series,
// for n shapes, must have different markers, since each shape may be full or hollow. The first 6n
// must have different combinations of marker and dash.
func TestStylesAreDistinct(t *testing.T) {
	markers, markersAndDashes := map[string]int{}, map[string]int{}
	for i := range 3 * 2 * len(markerShapes) {
		s := NewSeriesStyle(i)
		marker := fmt.Sprint(s.Marker, s.Hollow)
		if j, ok := markers[marker]; ok && i < 2*len(markerShapes) {
			t.Errorf("series %d and %d have the same marker", j, i)
		}
		markerAndDash := marker + fmt.Sprint(s.Dash)
		if j, ok := markersAndDashes[markerAndDash]; ok {
			t.Errorf("series %d and %d have the same marker and dash", j, i)
		}
		markers[marker], markersAndDashes[markerAndDash] = i, i
	}
}

// TestDiverging checks that the colours of a map go from blue through a nearly grey middle to red.
// From the middle to either end, they become darker (on a dark page, lighter) at every step, so
// that a copy in grey shows the distance from the middle.
func TestDiverging(t *testing.T) {
	for _, theme := range []Theme{Web, Web.DarkVariant()} {
		middle := theme.Colour(DivergingColour(0.5))
		if chroma := max(middle.R, middle.G, middle.B) - min(middle.R, middle.G, middle.B); chroma > 12 {
			t.Errorf("dark %v: the middle %v is not nearly grey", theme.Dark, middle)
		}
		for side, direction := range map[string]float64{"cool": -1, "warm": 1} {
			previous := luminance(middle)
			for i := 5; i <= 125; i += 5 { // smaller steps vanish in the rounding to 8 bits
				k := theme.Colour(DivergingColour(0.5 + direction*float64(i)/250))
				l := luminance(k)
				if (l < previous) == theme.Dark {
					t.Errorf("dark %v, %s, step %d: the luminance of %v is not monotonic", theme.Dark, side, i, k)
				} else {
					previous = l
				}
				if warm := k.R > k.B; i >= 20 && warm != (direction > 0) {
					t.Errorf("dark %v, %s, step %d: the hue of %v is on the wrong side", theme.Dark, side, i, k)
				}
			}
		}
	}
}
