package theme

import (
	"image/color"
	"math"
	"slices"
)

// exponentSteps is the number of steps into which the exponents from 0 to 1 are rounded. Halves,
// thirds, quarters and eighths have different steps.
const exponentSteps = 24

// exponentOrder is the order in which steps get their markers and dashes. The exponents of most
// plans come first, so that they get the simplest ones.
var exponentOrder = []int{0, 6, 8, 12, 16, 24, 18, 3, 9, 15, 21, 1, 2, 4, 5, 7, 10, 11, 13, 14, 17, 19, 20, 22, 23}

// ExponentStyle returns the style of an exponent from 0 to 1, which is the same in all figures.
// Only 0, 1/2 and 1 have colours, others are grey; the line of 1/2 is thick. Exponents that differ
// by less than 1/24 may have the same style. For an exponent outside of [0, 1], ok is false.
func ExponentStyle(p float64) (_ SeriesStyle, ok bool) {
	if !(p >= 0 && p <= 1) {
		return SeriesStyle{}, false
	}
	step := int(math.Round(p * exponentSteps))
	s := NewSeriesStyle(slices.Index(exponentOrder, step))
	switch step {
	case 0:
		s.Colour = unscaledColour
	case exponentSteps / 2:
		s.Colour, s.Thick = rootColour, true
	case exponentSteps:
		s.Colour = dimensionColour
	default:
		s.Colour = ReferenceInk
	}
	return s, true
}

// NonExponentStyle returns the style of the i-th series without an exponent. No exponent has its
// colour, or its combination of marker and dash.
func NonExponentStyle(i int) SeriesStyle {
	s := NewSeriesStyle(exponentSteps + 1 + i)
	s.Colour = NeutralColour(i)
	return s
}

// NeutralColour returns the i-th of the colours that no scale has.
func NeutralColour(i int) Swatch { return hues[(i+1)%len(hues)] }

// mix interpolates linearly between the colours a, at t = 0, and b, at t = 1.
func mix(a, b color.NRGBA, t float64) color.NRGBA {
	channel := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + t*(float64(y)-float64(x)))) }
	return color.NRGBA{R: channel(a.R, b.R), G: channel(a.G, b.G), B: channel(a.B, b.B), A: 255}
}
