package theme

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// Swatch is a colour on paper and its partner on a dark page.
type Swatch struct{ Paper, Dark color.NRGBA }

func Rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// Translucent returns the colour of a band: so thin that bands may overlap.
func Translucent(k color.NRGBA) color.NRGBA {
	k.A = 52
	return k
}

var (
	Paper = Swatch{Rgb(0xffffff), Rgb(0x17191c)}
	Ink   = Swatch{Rgb(0x1b1b1b), Rgb(0xdedbd5)}
	Quiet = Swatch{Rgb(0x767676), Rgb(0x908d88)} // reference lines
	Shade = Swatch{Rgb(0xe9e9e6), Rgb(0x2a2d31)} // bands of tolerance
)

// Hues are the colours of Okabe and Ito (Color Universal Design, 2008)
// without their yellow, which is lost on white, and with a grey. Their orange
// and sky blue are darkened to the contrast of 3:1 with the paper that WCAG
// 2.2 (1.4.11) asks of graphics; on a dark page the dark ones are lifted.
var Hues = []Swatch{
	{Rgb(0x000001), Rgb(0xf4f1ea)},
	{Rgb(0xd55e00), Rgb(0xe8751a)},
	{Rgb(0x0072b2), Rgb(0x4ba3dc)},
	{Rgb(0x009e73), Rgb(0x22b68b)},
	{Rgb(0xcc79a7), Rgb(0xd58bb4)},
	{Rgb(0xc68900), Rgb(0xe8a91e)},
	{Rgb(0x4a9cca), Rgb(0x7cc6f0)},
	{Rgb(0x777778), Rgb(0xa5a5a6)},
}

// Swatches are all colours that change on a dark page.
func Swatches() []Swatch { return append([]Swatch{Paper, Ink, Quiet, Shade}, Hues...) }

var dashes = [][]vg.Length{
	{}, {5, 2}, {1.2, 1.8}, {5, 1.8, 1.2, 1.8}, {9, 2.5}, {5, 1.5, 1.2, 1.5, 1.2, 1.5},
}

// SeriesStyle tells a series apart by colour, marker and dash at once, so that it
// survives a copier and any eye.
type SeriesStyle struct {
	Colour color.NRGBA
	Glyph  glyph
	Hollow bool
	Dash   []vg.Length
}

// SeriesStyleOf returns the style of the i-th series. The counts of colours, shapes
// and dashes differ, so combinations do not soon repeat.
func SeriesStyleOf(i int) SeriesStyle {
	return SeriesStyle{
		Colour: Hues[i%len(Hues)].Paper,
		Glyph:  Glyphs[i%len(Glyphs)],
		Hollow: i/len(Glyphs)%2 == 1,
		Dash:   dashes[i%len(dashes)],
	}
}
