package theme

import (
	"image/color"
	"math"
	"slices"
)

// exponentColours are those of the exponents of the scale, in the sense that all figures have:
// warm for the smallest exponents, cool for the largest, green for 1/2.
var exponentColours = []stop{{0, hues[1]}, {0.25, hues[5]}, {0.5, hues[3]}, {0.75, hues[6]}, {1, hues[2]}}

// exponentSteps is how finely exponents from 0 to 1 are told apart by colour: halves,
// thirds, quarters and eighths have each their own.
const exponentSteps = 24

// markers is the order in which steps have markers and dashes: those of exponents that plans
// usually have come first, which have the simplest ones.
var markers = []int{0, 6, 8, 12, 16, 24, 18, 3, 9, 15, 21, 1, 2, 4, 5, 7, 10, 11, 13, 14, 17, 19, 20, 22, 23}

// ExponentStyle returns the style of an exponent from 0 to 1, which is the same on all
// figures; that of the usual 1/2 is strong. Two that are nearer than a 24th may share it.
func ExponentStyle(p float64) (_ SeriesStyle, ok bool) {
	if !(p >= 0 && p <= 1) {
		return SeriesStyle{}, false
	}
	step := int(math.Round(p * exponentSteps))
	s := SeriesStyleOf(slices.Index(markers, step))
	s.Colour, s.Strong = along(exponentColours, float64(step)/exponentSteps), 2*step == exponentSteps
	return s, true
}

// BesideExponents returns the style of the i-th of the series that stand beside those of
// exponents, whose colours, and markers with dashes, no exponent has.
func BesideExponents(i int) SeriesStyle {
	s := SeriesStyleOf(exponentSteps + 1 + i)
	s.Colour = Neutral(i)
	return s
}

// Neutral returns the i-th of the colours that stand for no exponent, and so for neither
// way in which softmax departs.
func Neutral(i int) Swatch {
	free := []Swatch{hues[4], hues[0], hues[7]}
	return free[i%len(free)]
}

// AsExponent returns the i-th style beside those of exponents in the colour of one.
func (s SeriesStyle) AsExponent(i int) SeriesStyle {
	other := BesideExponents(i)
	other.Colour, other.Strong = s.Colour, s.Strong
	return other
}

// mix returns the colour on the straight line from a to b, at t from 0 to 1.
func mix(a, b color.NRGBA, t float64) color.NRGBA {
	part := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + t*(float64(y)-float64(x)))) }
	return color.NRGBA{R: part(a.R, b.R), G: part(a.G, b.G), B: part(a.B, b.B), A: 255}
}
