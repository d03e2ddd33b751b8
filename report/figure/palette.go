package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// swatch is a colour on paper and its partner on a dark page.
type swatch struct {
	paper color.NRGBA
	dark  string
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

var (
	paper = swatch{rgb(0xffffff), "#17191c"}
	ink   = swatch{rgb(0x1b1b1b), "#dedbd5"}
	quiet = swatch{rgb(0x767676), "#908d88"} // reference lines
	shade = swatch{rgb(0xe9e9e6), "#2a2d31"} // bands
)

// hues are the colours of Okabe and Ito (Color Universal Design, 2008)
// without their yellow, which is lost on white, and with a grey; on a dark
// page the two darkest are lifted.
var hues = []swatch{
	{rgb(0x000001), "#f4f1ea"},
	{rgb(0xd55e00), "#e8751a"},
	{rgb(0x0072b2), "#4ba3dc"},
	{rgb(0x009e73), "#22b68b"},
	{rgb(0xcc79a7), "#d58bb4"},
	{rgb(0xe69f00), "#e8a91e"},
	{rgb(0x56b4e9), "#7cc6f0"},
	{rgb(0x777778), "#a5a5a6"},
}

// swatches are all colours that a figure may use: SVG turns each into its
// partner on a dark page.
func swatches() []swatch { return append([]swatch{paper, ink, quiet, shade}, hues...) }

var dashes = [][]vg.Length{
	{}, {5, 2}, {1.2, 1.8}, {5, 1.8, 1.2, 1.8}, {8, 2}, {3, 1.5}, {6, 1.5, 1.2, 1.5, 1.2, 1.5},
}

// style tells a series apart by colour, marker and dash at once, so that it
// survives a copier and any eye.
type style struct {
	colour color.NRGBA
	glyph  glyph
	hollow bool
	dash   []vg.Length
}

// styleOf returns the style of the i-th series. The counts of colours, shapes
// and dashes differ, so combinations do not soon repeat.
func styleOf(i int) style {
	return style{
		colour: hues[i%len(hues)].paper,
		glyph:  glyphs[i%len(glyphs)],
		hollow: i/len(glyphs)%2 == 1,
		dash:   dashes[i%len(dashes)],
	}
}
