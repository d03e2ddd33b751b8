package figure

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
	"mcsim/report/theme"
)

// HeadMapFormats are the formats of a map.
var HeadMapFormats = []string{"svg", "pdf", "png"}

// headMapTitle is the title of every map of heads.
const headMapTitle = "Standard deviation of the logits of every head"

// HeadLayer is the standard deviations of the logits of the heads of a layer.
type HeadLayer struct {
	Name string
	SD   []float64
}

// HeadMap is a map of layers, the first on top, and heads.
type HeadMap struct {
	Layers  []HeadLayer
	Lo, Hi  float64 // the band of values that are pale; Lo may be 0
	Meaning string  // of the band, such as "as --gate asks"
}

// colour returns a pale colour inside the band; outside, it is the stronger the further away, up to a
// factor of ten.
func (m HeadMap) colour(sd float64) theme.Swatch {
	const edge, reach = 0.14, 0.36 // of half the scale: beside the band, and beyond
	strength := func(decades float64) float64 { return edge + reach*min(1, max(0.15, decades)) }
	switch {
	case sd < m.Lo:
		return theme.DivergingColour(0.5 - strength(math.Log10(m.Lo/sd)))
	case sd > m.Hi:
		return theme.DivergingColour(0.5 + strength(math.Log10(sd/m.Hi)))
	case m.Lo == 0:
		return theme.DivergingColour(0.5)
	}
	position := math.Log(sd/m.Lo) / math.Log(m.Hi/m.Lo)
	return theme.DivergingColour(0.5 + edge*(position-0.5))
}

// Lengths in points.
const (
	headMargin = 8
	minSide    = 3 // of a cell
	maxSide    = 40
	maxTall    = 420 // all layers together
)

// headDrawing is a map that is being drawn.
type headDrawing struct {
	page Page
	in   theme.Theme
	text vg.Length // size of labels
	box  Box       // of all cells
	w, h vg.Length // of a cell
}

// File draws the map as svg, pdf or png.
func (m HeadMap) File(format string) ([]byte, error) {
	heads, left := 0, vg.Length(0)
	d := headDrawing{in: theme.Web, text: theme.Web.Style.TextSize}
	for _, l := range m.Layers {
		heads = max(heads, len(l.SD))
		left = max(left, label.Width(label.EscapeLiteral(l.Name), d.text))
	}
	left += 2*headMargin + 2*d.text
	width := d.in.Width()
	d.w = min(maxSide, (width-left-headMargin)/vg.Length(heads))
	d.h = min(d.w, max(minSide, maxTall/vg.Length(len(m.Layers))))
	bottom := 3.4 * d.text
	d.box = Box{Left: left, Bottom: bottom, Right: left + vg.Length(heads)*d.w,
		Top: bottom + vg.Length(len(m.Layers))*d.h}
	height := d.box.Top + 5*d.text
	d.page = NewPage(format, width, height)
	if format != "png" { // whose page is white
		d.fill(Box{Right: width, Top: height}, theme.Paper)
	}
	d.cells(m)
	d.axes(m, heads)
	band := fmt.Sprintf("%.3g to %.3g: %s", m.Lo, m.Hi, m.Meaning)
	d.legend(m, band, height)
	return d.page.Document("heads", headMapTitle, headMapTitle+". "+band)
}

func (d *headDrawing) fill(b Box, s theme.Swatch) { d.page.Fill(Rectangle(b), d.in.Colour(s)) }

// cell returns the box of a head.
func (d *headDrawing) cell(layer, head int) Box {
	x, y := d.box.Left+vg.Length(head)*d.w, d.box.Top-vg.Length(layer)*d.h
	return Box{Left: x, Bottom: y - d.h, Right: x + d.w, Top: y}
}

// cells draws a cell for each head, with its number if there is room for it.
func (d *headDrawing) cells(m HeadMap) {
	size := 0.8 * d.text
	hasRoom := d.h > 1.2*size && d.w > label.Width("0.000", size)
	precision := 2
	if m.Hi < 1.5*m.Lo {
		precision = 3 // to tell the inside of a narrow band from the outside
	}
	for i, l := range m.Layers {
		for j, sd := range l.SD {
			b, colour := d.cell(i, j), m.colour(sd)
			d.fill(b, colour)
			if hasRoom {
				number := strconv.FormatFloat(sd, 'g', max(precision, len(strconv.Itoa(int(sd)))), 64)
				x, y := (b.Left+b.Right)/2, (b.Bottom+b.Top)/2-0.35*size
				d.write(number, size, x, y, 0.5, theme.ContrastingInk(d.in.Colour(colour)))
			}
		}
	}
}

// axes draws the frame, and as many names of layers and numbers of heads as there is room for.
func (d *headDrawing) axes(m HeadMap, heads int) {
	ink := d.in.Colour(theme.Ink)
	d.page.Stroke(Rectangle(d.box), ink, 0.5, nil)
	for i := 0; i < len(m.Layers); i += stepFor(1.25*d.text, d.h) {
		b := d.cell(i, 0)
		d.write(label.EscapeLiteral(m.Layers[i].Name), d.text, d.box.Left-4, (b.Bottom+b.Top)/2-0.35*d.text, 1, ink)
	}
	for j := 0; j < heads; j += stepFor(label.Width("000", d.text), d.w) {
		b := d.cell(0, j)
		d.write(strconv.Itoa(j), d.text, (b.Left+b.Right)/2, d.box.Bottom-1.2*d.text, 0.5, ink)
	}
	d.write("head", d.text, (d.box.Left+d.box.Right)/2, d.box.Bottom-2.6*d.text, 0.5, ink)
	name := label.Typeset("layer", d.text)
	d.page.Words(name.Pieces, vg.Point{X: headMargin + d.text, Y: (d.box.Bottom+d.box.Top)/2 - name.Width/2}, true, ink)
}

// stepFor returns the power of 2 of cells that make room for a label.
func stepFor(size, cell vg.Length) int {
	step := 1
	for vg.Length(step)*cell < size {
		step *= 2
	}
	return step
}

// legend writes the title and what the colours mean.
func (d *headDrawing) legend(m HeadMap, band string, height vg.Length) {
	ink := d.in.Colour(theme.Ink)
	d.write(label.EscapeLiteral(headMapTitle), d.text, headMargin, height-1.6*d.text, 0, ink)
	x, y := vg.Length(headMargin), height-3.4*d.text
	for _, entry := range []struct {
		sd   float64
		text string
	}{
		{m.Lo / 10, fmt.Sprintf("below %.3g", m.Lo)},
		{math.Sqrt(m.Lo * m.Hi), band},
		{m.Hi * 10, fmt.Sprintf("above %.3g", m.Hi)},
	} {
		if m.Lo == 0 && entry.text == "below 0" {
			continue
		}
		b := Box{Left: x, Bottom: y - 1, Right: x + 1.2*d.text, Top: y + 0.8*d.text}
		d.fill(b, m.colour(entry.sd))
		d.page.Stroke(Rectangle(b), ink, 0.4, nil)
		d.write(entry.text, d.text, b.Right+4, y, 0, ink)
		x = b.Right + 4 + label.Width(entry.text, d.text) + 2*d.text
	}
}

// write draws a label, the given proportion of it to the left of x.
func (d *headDrawing) write(text string, size, x, y vg.Length, proportion float64, ink color.NRGBA) {
	set := label.Typeset(text, size)
	d.page.Words(set.Pieces, vg.Point{X: x - vg.Length(proportion)*set.Width, Y: y}, false, ink)
}
