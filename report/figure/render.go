package figure

import (
	"cmp"
	"fmt"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/label"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// Formats are the formats in which a figure comes.
var Formats = []string{"svg", "pdf", "png", "csv", "md", "tex"}

// Shows reports whether the document has rows for the chart.
func (c Chart) Shows(doc *result.Document) bool {
	_, _, ok := build(c, doc)
	return ok
}

// File returns the chart in one of the Formats. The document must have rows
// for it. A declaration that lacks something is an error that says what.
func (c Chart) File(doc *result.Document, format string, in theme.Theme) ([]byte, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	switch format {
	case "svg":
		return c.SVG(doc, in), nil
	case "pdf":
		return c.PDF(doc, in)
	case "png":
		return c.PNG(doc, in)
	case "csv":
		return c.CSV(doc)
	case "md":
		return c.Markdown(doc), nil
	case "tex":
		return c.TeX(doc, in), nil
	}
	panic("figure: no such format")
}

// SVG draws the chart with its title and description for who does not see it.
func (c Chart) SVG(doc *result.Document, in theme.Theme) []byte {
	d := c.prepare(doc, in)
	canvas := draw.NewSVG(d.w, d.h)
	d.draw(canvas)
	return canvas.Document(c.Name, label.Plain(c.Title), label.Plain(c.fullCaption(doc)))
}

// PNG draws the chart with 300 dots to the inch.
func (c Chart) PNG(doc *result.Document, in theme.Theme) ([]byte, error) {
	d := c.prepare(doc, in)
	canvas := draw.NewRaster(d.w, d.h)
	d.draw(canvas)
	return canvas.Document(label.Plain(c.Title), label.Plain(c.fullCaption(doc)))
}

// PDF draws the chart on a page of its own size.
func (c Chart) PDF(doc *result.Document, in theme.Theme) ([]byte, error) {
	d := c.prepare(doc, in)
	canvas := draw.NewPDF(d.w, d.h)
	d.draw(canvas)
	return canvas.Document(label.Plain(c.Title), label.Plain(c.fullCaption(doc)), draw.Keywords)
}

// prepare sizes a drawing of the chart.
func (c Chart) prepare(doc *result.Document, in theme.Theme) *drawing {
	if err := c.Check(); err != nil {
		panic("figure: " + err.Error())
	}
	panels, keys, ok := build(c, doc)
	if !ok {
		panic(fmt.Sprintf("figure: the document has no rows for %s", c.Name))
	}
	d := &drawing{in: in, w: in.Width(), text: in.Style.Text, panels: panels, count: len(keys)}
	d.grid = gridOf(c, len(panels), in.Narrow)
	d.h = c.height(d)
	d.crowded()
	return d
}

// crowded puts names into the legend where there are more than the end of the
// axes has room for.
func (d *drawing) crowded() {
	shares := d.shares()
	for i := range d.panels {
		p := &d.panels[i]
		room := (d.h - 8*d.text) * vg.Length(p.HeightShare()/shares)
		p.Ends = p.Ends && vg.Length(len(p.LineEnds()))*1.25*d.text <= room
	}
}

// draw puts the drawing on a canvas.
func (d *drawing) draw(c draw.Canvas) {
	d.c = c
	d.all()
}

// usualHeight is that of a chart that declares none.
const usualHeight = 90 * vg.Millimeter

// height keeps a narrow figure tall enough to read, gives every name of an
// axis its line, and every row of panels that a grid has more its share.
func (c Chart) height(d *drawing) vg.Length {
	wide := gridOf(c, len(d.panels), false)
	h := cmp.Or(vg.Length(c.Height)*vg.Millimeter, usualHeight)
	h = h * vg.Length(d.grid.rows) / vg.Length(wide.rows)
	if d.in.Narrow {
		h *= 0.95
	}
	if d.in.Style.Highest > 0 {
		h = min(h, d.in.Style.Highest)
	}
	for _, p := range d.panels {
		h = max(h, vg.Length(len(p.RowNames))*1.6*d.text+8*d.text)
	}
	return h
}
