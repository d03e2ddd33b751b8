package theme

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// Swatch is a colour on paper and its partner on a dark page.
type Swatch struct{ Paper, Dark color.NRGBA }

// rgb is an opaque colour.
func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// Translucent returns the colour of a band: so thin that bands may overlap.
func (s Swatch) Translucent() Swatch { return s.thinned(52) }

// Faint returns the colour of what is less certain.
func (s Swatch) Faint() Swatch { return s.thinned(150) }

func (s Swatch) thinned(alpha uint8) Swatch {
	s.Paper.A, s.Dark.A = alpha, alpha
	return s
}

var (
	Paper = Swatch{rgb(0xffffff), rgb(0x17191c)}
	Ink   = Swatch{rgb(0x1b1b1b), rgb(0xdedbd5)}
	Quiet = Swatch{rgb(0x767676), rgb(0x908d88)} // reference lines, and theory
)

// hues are the colours of Okabe and Ito (Color Universal Design, 2008)
// without their yellow, which is lost on white, and with a grey. Their orange
// and sky blue are darkened to the contrast of 3:1 with the paper that WCAG
// 2.2 (1.4.11) asks of graphics; on a dark page the dark ones are lifted.
var hues = []Swatch{
	{rgb(0x000001), rgb(0xf4f1ea)},
	{rgb(0xd55e00), rgb(0xe8751a)},
	{rgb(0x0072b2), rgb(0x4ba3dc)},
	{rgb(0x009e73), rgb(0x22b68b)},
	{rgb(0xcc79a7), rgb(0xd58bb4)},
	{rgb(0xc68900), rgb(0xe8a91e)},
	{rgb(0x4a9cca), rgb(0x7cc6f0)},
	{rgb(0x777778), rgb(0xa5a5a6)},
}

var dashes = [][]vg.Length{
	{}, {5, 2}, {1.2, 1.8}, {5, 1.8, 1.2, 1.8}, {9, 2.5}, {5, 1.5, 1.2, 1.5, 1.2, 1.5},
}

// SeriesStyle tells a series apart by colour, marker and dash at once, so that it
// survives a copier and any eye.
type SeriesStyle struct {
	Colour Swatch
	Glyph  glyph
	Hollow bool
	Dash   []vg.Length
	Strong bool // a thicker line than those of the others
}

// SeriesStyleOf returns the style of the i-th series. The counts of colours, shapes
// and dashes differ, so combinations do not soon repeat.
func SeriesStyleOf(i int) SeriesStyle {
	return SeriesStyle{
		Colour: hues[i%len(hues)],
		Glyph:  glyphs[i%len(glyphs)],
		Hollow: i/len(glyphs)%2 == 1,
		Dash:   dashes[i%len(dashes)],
	}
}

// InkOn returns the ink of words on a colour of a map, black or white, whichever stands
// out more.
func InkOn(k color.NRGBA) color.NRGBA {
	// The light of a display, to a third of a per cent.
	light := func(v uint8) float64 {
		x := float64(v) / 255
		return x * (0.012522878 + x*(0.682171111+x*0.305306011))
	}
	// Contrasts with black and with white are equal where (l + .05)² = 1.05·.05.
	if 0.2126*light(k.R)+0.7152*light(k.G)+0.0722*light(k.B) > 0.179 {
		return color.NRGBA{A: 255}
	}
	return color.NRGBA{R: 255, G: 255, B: 255, A: 255}
}
