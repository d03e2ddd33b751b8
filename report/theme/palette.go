package theme

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// Swatch is a colour on paper and its counterpart on a dark page.
type Swatch struct{ Paper, Dark color.NRGBA }

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// Translucent returns the colour of a band, which is transparent enough for bands to overlap.
func (s Swatch) Translucent() Swatch { return s.withAlpha(52) }

// Faint returns the colour for less certain estimates.
func (s Swatch) Faint() Swatch { return s.withAlpha(150) }

func (s Swatch) withAlpha(alpha uint8) Swatch {
	s.Paper.A, s.Dark.A = alpha, alpha
	return s
}

var (
	Paper        = Swatch{rgb(0xffffff), rgb(0x17191c)}
	Ink          = Swatch{rgb(0x1b1b1b), rgb(0xdedbd5)}
	ReferenceInk = Swatch{rgb(0x767676), rgb(0x908d88)} // reference lines, and theory
)

// The colours of the three scales, which nothing else has: orange for none, green for √d_k and blue
// for d_k. They are of Okabe and Ito (Color Universal Design, 2008).
var (
	unscaledColour  = Swatch{rgb(0xd55e00), rgb(0xe8751a)}
	rootColour      = Swatch{rgb(0x009e73), rgb(0x22b68b)}
	dimensionColour = Swatch{rgb(0x0072b2), rgb(0x4ba3dc)}
)

// hues are the colours of other series: black, purples and greys. All have the contrast of 3:1 with
// the page that WCAG 2.2 (1.4.11) requires of graphics.
var hues = []Swatch{
	{rgb(0x000001), rgb(0xf4f1ea)},
	{rgb(0x8a3ffc), rgb(0xb58cff)},
	{rgb(0x777778), rgb(0xa5a5a6)},
	{rgb(0xcc79a7), rgb(0xd58bb4)},
	{rgb(0x5a2a6b), rgb(0xc9a5d6)},
}

var dashes = [][]vg.Length{
	{}, {5, 2}, {1.2, 1.8}, {5, 1.8, 1.2, 1.8}, {9, 2.5}, {5, 1.5, 1.2, 1.5, 1.2, 1.5},
}

// SeriesStyle distinguishes a series from others by its colour and also by its marker and dash, for
// copies in grey and for colour-blind readers.
type SeriesStyle struct {
	Colour Swatch
	Marker Marker
	Hollow bool // only the outline of the marker is drawn
	Dash   []vg.Length
	Thick  bool // the line is thicker than those of other series
}

// NewSeriesStyle returns the style of the i-th series. The numbers of colours (5), shapes (7) and
// dashes (6) differ, so that the first 210 series have different combinations.
func NewSeriesStyle(i int) SeriesStyle {
	return SeriesStyle{
		Colour: hues[i%len(hues)],
		Marker: markerShapes[i%len(markerShapes)],
		Hollow: i/len(markerShapes)%2 == 1,
		Dash:   dashes[i%len(dashes)],
	}
}

// ContrastingInk returns the colour of text on a colour of a map: black or white, whichever has the
// higher contrast.
func ContrastingInk(background color.NRGBA) color.NRGBA {
	// A cubic approximation of sRGB's transfer function, with an error of at most 0.003.
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		return x * (0.012522878 + x*(0.682171111+x*0.305306011))
	}
	// Black and white have the same contrast with a luminance l if (l + 0.05)² = 1.05·0.05.
	if 0.2126*linear(background.R)+0.7152*linear(background.G)+0.0722*linear(background.B) > 0.179 {
		return color.NRGBA{A: 255}
	}
	return color.NRGBA{R: 255, G: 255, B: 255, A: 255}
}
