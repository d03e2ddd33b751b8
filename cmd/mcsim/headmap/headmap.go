// Package headmap draws the standard deviation of the logits of every head as a map of layers and heads.
package headmap

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/label"
	"mcsim/report/theme"
)

// Formats are the formats of a map.
var Formats = []string{"svg", "pdf", "png"}

// Map is the standard deviation of the logits of every head of every layer.
type Map struct {
	Title   string
	Layers  []string    // the first is drawn on top
	SD      [][]float64 // of a layer's heads
	Band    [2]float64  // what a gate asks for, or where normal logits are spread; it may begin at 0
	Meaning string      // what the band is, such as "spread at 128 keys"
}

// heads is the most that a layer has.
func (m Map) heads() (n int) {
	for _, layer := range m.SD {
		n = max(n, len(layer))
	}
	return n
}

// colour of a standard deviation: pale inside the band, the stronger the further outside, up
// to ten times its ends.
func (m Map) colour(sd float64) theme.Swatch {
	const edge, reach = 0.14, 0.36 // of the scale, inside the band and beyond it
	lo, hi := math.Log10(m.Band[0]), math.Log10(m.Band[1])
	at := math.Log10(sd)
	switch {
	case at < lo:
		return theme.Departed(0.5 - edge - reach*min(1, max(0.15, lo-at)))
	case at > hi:
		return theme.Departed(0.5 + edge + reach*min(1, max(0.15, at-hi)))
	case hi == lo || math.IsInf(lo, 0):
		return theme.Departed(0.5)
	}
	return theme.Departed(0.5 + edge*(2*(at-lo)/(hi-lo)-1)*0.5)
}

// Lengths of the map, in points.
const (
	mapMargin  = 8
	mapNumbers = 22 // what the names of layers may be wide at least
	leastCell  = 3
	mostCell   = 40
)

// headMap is a map that is being drawn.
type headMap struct {
	Map
	page figure.Page
	in   theme.Theme
	box  figure.Box
}

// File draws the map as svg, pdf or png.
func (m Map) File(format string) ([]byte, error) {
	d := &headMap{Map: m, in: theme.Web}
	width := d.in.Width()
	text := d.in.Style.Text
	left := vg.Length(mapNumbers)
	for _, name := range m.Layers {
		left = max(left, label.WidthOf(label.Literal(name), text))
	}
	left += 2*mapMargin + 1.5*text
	columns, rows := vg.Length(m.heads()), vg.Length(len(m.SD))
	cell := min(mostCell, (width-left-mapMargin)/columns)
	tall := min(mostCell, max(leastCell, min(cell, 420/rows)))
	below, above := 3.4*text, 5*text
	d.box = figure.Box{Left: left, Bottom: below, Right: left + columns*cell, Top: below + rows*tall}
	height := d.box.Top + above
	d.page = figure.NewPage(format, width, height)
	if format != "png" { // whose page is white
		d.fill(figure.Box{Right: width, Top: height}, theme.Paper)
	}
	d.cells()
	d.axes()
	d.legend(width, height)
	return d.page.Document("heads", m.Title, m.Title+". "+d.says())
}

// fill fills a box.
func (d *headMap) fill(b figure.Box, s theme.Swatch) { d.page.Fill(figure.Rectangle(b), d.in.Of(s)) }

// cells draws a field for each head, with its number where fields have room for one.
func (d *headMap) cells() {
	text := 0.8 * d.in.Style.Text
	first := d.cell(0, 0)
	numbers := first.Height() > 1.2*text && first.Width() > label.WidthOf("0.000", text)
	for i, layer := range d.SD {
		for h, sd := range layer {
			b := d.cell(i, h)
			s := d.colour(sd)
			d.fill(b, s)
			if numbers {
				d.write(
					shortly(sd, d.places()),
					text,
					vg.Point{X: (b.Left + b.Right) / 2, Y: (b.Bottom+b.Top)/2 - 0.35*text},
					0.5,
					theme.InkOn(d.in.Of(s)),
				)
			}
		}
	}
}

// places is how many digits tell the inside of the band from the outside.
func (m Map) places() int {
	if m.Band[1] < 1.5*m.Band[0] {
		return 3
	}
	return 2
}

// shortly writes a number so that it fits a field.
func shortly(x float64, places int) string {
	if x >= 99.5 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', places, 64)
}

// cell is where a head stands; layers go down.
func (d *headMap) cell(layer, head int) figure.Box {
	columns, rows := float64(d.heads()), float64(len(d.SD))
	return figure.Box{
		Left: d.box.X(float64(head) / columns), Right: d.box.X(float64(head+1) / columns),
		Bottom: d.box.Y(1 - float64(layer+1)/rows), Top: d.box.Y(1 - float64(layer)/rows),
	}
}

// axes draws the frame, with as many names of layers and numbers of heads as there is room for.
func (d *headMap) axes() {
	text, ink := d.in.Style.Text, d.in.Of(theme.Ink)
	d.page.Stroke(figure.Rectangle(d.box), ink, 0.5, nil)
	step := every(d.cell(0, 0).Height(), 1.25*text)
	for i := 0; i < len(d.Layers); i += step {
		b := d.cell(i, 0)
		d.write(
			label.Literal(d.Layers[i]),
			text,
			vg.Point{X: d.box.Left - 4, Y: (b.Bottom+b.Top)/2 - 0.35*text},
			1,
			ink,
		)
	}
	step = every(d.cell(0, 0).Width(), label.WidthOf("000", text))
	for h := 0; h < d.heads(); h += step {
		b := d.cell(0, h)
		d.write(strconv.Itoa(h), text, vg.Point{X: (b.Left + b.Right) / 2, Y: d.box.Bottom - 1.2*text}, 0.5, ink)
	}
	d.write("head", text, vg.Point{X: (d.box.Left + d.box.Right) / 2, Y: d.box.Bottom - 2.6*text}, 0.5, ink)
	set := label.Set("layer", text)
	d.page.Words(set.Pieces, vg.Point{X: mapMargin + text, Y: (d.box.Bottom+d.box.Top)/2 - set.Width/2}, true, ink)
}

// every is how many cells of a size make room for a name of a size.
func every(cell, name vg.Length) int {
	step := 1
	for _, next := range []int{2, 4, 8, 16, 32, 64} {
		if vg.Length(step)*cell >= name {
			break
		}
		step = next
	}
	return step
}

// legend says what is drawn, and which colour is what.
func (d *headMap) legend(width, height vg.Length) {
	text, ink := d.in.Style.Text, d.in.Of(theme.Ink)
	d.write(label.Literal(d.Title), text, vg.Point{X: mapMargin, Y: height - 1.6*text}, 0, ink)
	x, y := vg.Length(mapMargin), height-3.4*text
	for _, k := range []struct {
		sd   float64
		says string
	}{{d.Band[0] / 10, "below " + digits.Short(d.Band[0])}, {math.Sqrt(d.Band[0] * d.Band[1]), d.says()}, {d.Band[1] * 10, "above " + digits.Short(d.Band[1])}} {
		if k.says == "below 0" {
			continue
		}
		b := figure.Box{Left: x, Bottom: y - 1, Right: x + 1.2*text, Top: y + 0.8*text}
		d.fill(b, d.colour(k.sd))
		d.page.Stroke(figure.Rectangle(b), ink, 0.4, nil)
		d.write(k.says, text, vg.Point{X: b.Right + 4, Y: y}, 0, ink)
		x = b.Right + 4 + label.WidthOf(k.says, text) + 2*text
	}
}

// says names the band.
func (d *headMap) says() string {
	return fmt.Sprintf("%.3g to %.3g: %s", d.Band[0], d.Band[1], d.Meaning)
}

// write draws a label with the given part of its width to the left of a point.
func (d *headMap) write(words string, size vg.Length, at vg.Point, part float64, k color.NRGBA) {
	set := label.Set(words, size)
	at.X -= vg.Length(part) * set.Width
	d.page.Words(set.Pieces, at, false, k)
}
