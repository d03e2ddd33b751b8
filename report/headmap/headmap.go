// Package headmap draws maps of the heads of a model, or of its layers over files, as figures.
package headmap

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"

	"mcsim/report/figure"
	"mcsim/report/label"
	"mcsim/report/theme"
	"mcsim/sim/model/series"
)

// Map is a map of heads that this package draws.
type Map series.HeadMap

func (m Map) title() string {
	if m.Axis != "" {
		return "Standard deviation of the logits of every layer"
	}
	return "Standard deviation of the logits of every head"
}

// colour returns a pale colour for a value inside the band. Outside, the colour is stronger for
// values that are farther away, up to a factor of ten.
func (m Map) colour(sd float64) theme.Swatch {
	// The colour scale goes from 0 to 1, and is palest at 0.5. The colours of values inside the
	// band are less than maxInside away from 0.5. The colours of values outside are farther away,
	// by up to rangeOutside for values that are a decade or more from the band.
	const maxInside, rangeOutside = 0.14, 0.36
	const minDecades = 0.15 // makes a value that is just outside distinct from the band
	strength := func(decades float64) float64 {
		return maxInside + rangeOutside*min(1, max(minDecades, decades))
	}
	switch {
	case sd < m.Lo:
		return theme.DivergingColour(0.5 - strength(math.Log10(m.Lo/sd)))
	case sd > m.Hi:
		return theme.DivergingColour(0.5 + strength(math.Log10(sd/m.Hi)))
	case m.Lo == 0:
		return theme.DivergingColour(0.5)
	}
	position := math.Log(sd/m.Lo) / math.Log(m.Hi/m.Lo)
	return theme.DivergingColour(0.5 + maxInside*(position-0.5))
}

// Lengths in points.
const (
	headMargin     = 8
	minSide        = 3   // minimum height of a cell
	maxSide        = 40  // maximum width of a cell
	maxHeadsHeight = 420 // height of all layers together
)

// headDrawing is a head map that is being drawn.
type headDrawing struct {
	page                  figure.Page
	theme                 theme.Theme
	textSize              vg.Length  // size of labels
	box                   figure.Box // box of all cells
	cellWidth, cellHeight vg.Length  // size of a cell
}

// File returns the map as "svg", "pdf" or "png".
func (m Map) File(format string) ([]byte, error) {
	heads, left := 0, vg.Length(0)
	d := headDrawing{theme: theme.Web, textSize: theme.Web.Style.TextSize}
	for _, l := range m.Layers {
		heads = max(heads, len(l.SD))
		left = max(left, label.Width(label.EscapeLiteral(l.Name), d.textSize))
	}
	left += 2*headMargin + 2*d.textSize
	width := d.theme.Width()
	d.cellWidth = min(maxSide, (width-left-headMargin)/vg.Length(heads))
	d.cellHeight = min(maxSide, max(minSide, maxHeadsHeight/vg.Length(len(m.Layers))))
	if m.Axis == "" { // cells of heads are at most square
		d.cellHeight = min(d.cellHeight, d.cellWidth)
	}
	bottom := 3.4 * d.textSize
	if m.Axis != "" {
		bottom += linesHeight + 2*d.textSize
	}
	d.box = figure.Box{Left: left, Bottom: bottom, Right: left + vg.Length(heads)*d.cellWidth,
		Top: bottom + vg.Length(len(m.Layers))*d.cellHeight}
	height := d.box.Top + 5*d.textSize
	d.page = figure.NewPage(format, width, height)
	d.fillBox(figure.Box{Right: width, Top: height}, theme.Paper)
	d.drawCells(m)
	d.drawAxes(m, heads)
	band := fmt.Sprintf("%.3g to %.3g: %s", m.Lo, m.Hi, m.Meaning)
	d.drawLegend(m, band, height)
	if m.Axis != "" {
		d.drawLines(m)
	}
	return d.page.Document("heads", m.title(), m.title()+". "+band)
}

func (d *headDrawing) fillBox(b figure.Box, s theme.Swatch) {
	d.page.Fill(figure.Rectangle(b), d.theme.Colour(s))
}

func (d *headDrawing) cellBox(layer, head int) figure.Box {
	x, y := d.box.Left+vg.Length(head)*d.cellWidth, d.box.Top-vg.Length(layer)*d.cellHeight
	return figure.Box{Left: x, Bottom: y - d.cellHeight, Right: x + d.cellWidth, Top: y}
}

// drawCells draws a cell for each head, with its number if there is room for it.
func (d *headDrawing) drawCells(m Map) {
	size := 0.8 * d.textSize
	hasRoom := d.cellHeight > 1.2*size && d.cellWidth > label.Width("0.000", size)
	precision := 2
	if m.Hi < 1.5*m.Lo {
		precision = 3 // two digits could be equal for numbers inside and outside a narrow band
	}
	for i, l := range m.Layers {
		for j, sd := range l.SD {
			b, colour := d.cellBox(i, j), m.colour(sd)
			d.fillBox(b, colour)
			if hasRoom {
				number := strconv.FormatFloat(sd, 'g', max(precision, len(strconv.Itoa(int(sd)))), 64)
				x, y := (b.Left+b.Right)/2, (b.Bottom+b.Top)/2-0.35*size
				d.write(number, size, x, y, 0.5, theme.ContrastingInk(d.theme.Colour(colour)))
			}
		}
	}
}

// drawAxes draws the frame, the names of the layers and the numbers of the heads. It omits names
// and numbers that would touch.
func (d *headDrawing) drawAxes(m Map, heads int) {
	ink := d.theme.Colour(theme.Ink)
	d.page.Stroke(figure.Rectangle(d.box), ink, 0.5, nil)
	for i := 0; i < len(m.Layers); i += labelStep(1.25*d.textSize, d.cellHeight) {
		b := d.cellBox(i, 0)
		d.write(label.EscapeLiteral(m.Layers[i].Name), d.textSize, d.box.Left-4, (b.Bottom+b.Top)/2-0.35*d.textSize,
			1, ink)
	}
	columnNames, widest := m.Columns, label.Width("000", d.textSize)
	for j := len(columnNames); j < heads; j++ {
		columnNames = append(columnNames, strconv.Itoa(j))
	}
	for _, name := range columnNames {
		widest = max(widest, label.Width(name+"0", d.textSize))
	}
	for j := 0; j < heads; j += labelStep(widest, d.cellWidth) {
		b := d.cellBox(0, j)
		d.write(columnNames[j], d.textSize, (b.Left+b.Right)/2, d.box.Bottom-1.2*d.textSize, 0.5, ink)
	}
	d.write(cmp.Or(m.Axis, "head"), d.textSize, (d.box.Left+d.box.Right)/2, d.box.Bottom-2.6*d.textSize, 0.5, ink)
	name := label.Typeset("layer", d.textSize)
	d.page.DrawLabel(name.Pieces, vg.Point{X: headMargin + d.textSize, Y: (d.box.Bottom+d.box.Top)/2 - name.Width/2},
		true, ink)
}

// labelStep returns the number of cells from one label to the next. It is the smallest power of 2
// for which labels of the given size do not touch.
func labelStep(size, cell vg.Length) int {
	step := 1
	for vg.Length(step)*cell < size {
		step *= 2
	}
	return step
}

// drawLegend writes the title and the meanings of the colours.
func (d *headDrawing) drawLegend(m Map, band string, height vg.Length) {
	ink := d.theme.Colour(theme.Ink)
	d.write(label.EscapeLiteral(m.title()), d.textSize, headMargin, height-1.6*d.textSize, 0, ink)
	x, y := vg.Length(headMargin), height-3.4*d.textSize
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
		b := figure.Box{Left: x, Bottom: y - 1, Right: x + 1.2*d.textSize, Top: y + 0.8*d.textSize}
		d.fillBox(b, m.colour(entry.sd))
		d.page.Stroke(figure.Rectangle(b), ink, 0.4, nil)
		d.write(entry.text, d.textSize, b.Right+4, y, 0, ink)
		x = b.Right + 4 + label.Width(entry.text, d.textSize) + 2*d.textSize
	}
}

// write draws a label with its base line at y. The given proportion of its width is to the left of
// x.
func (d *headDrawing) write(text string, size, x, y vg.Length, proportion float64, ink color.NRGBA) {
	s := label.Typeset(text, size)
	d.page.DrawLabel(s.Pieces, vg.Point{X: x - vg.Length(proportion)*s.Width, Y: y}, false, ink)
}
