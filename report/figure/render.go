package figure

import (
	"bytes"
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"mcsim/sim/result"
)

const dotsPerInch = 300

// Shows reports whether the document has rows for the chart.
func (c Chart) Shows(doc *result.Document) bool {
	_, _, ok := build(c, doc)
	return ok
}

// SVG draws the chart at the given width. A dark page changes its colours
// through its own style sheet. The document must have rows for it.
func (c Chart) SVG(doc *result.Document, width vg.Length) []byte {
	canvas := newSVG(width, c.height(width))
	c.draw(doc, canvas)
	plain := func(s string) string { return s }
	desc := c.Reading(doc, plain)
	if finding := c.Finding(doc, plain); finding != "" {
		desc = finding + " " + desc
	}
	return canvas.document(c.Name, c.Title, desc)
}

// PNG draws the chart at full width with 300 dots to the inch.
func (c Chart) PNG(doc *result.Document) ([]byte, error) {
	canvas := vgimg.NewWith(vgimg.UseWH(Wide, c.height(Wide)), vgimg.UseDPI(dotsPerInch))
	c.draw(doc, canvas)
	var b bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(&b); err != nil {
		return nil, fmt.Errorf("%s.png: %w", c.Name, err)
	}
	return b.Bytes(), nil
}

// height keeps a narrow figure tall enough to read.
func (c Chart) height(width vg.Length) vg.Length {
	if width >= Wide {
		return c.Height
	}
	return c.Height * (0.55 + 0.45*width/Wide)
}

func (c Chart) draw(doc *result.Document, canvas vg.CanvasSizer) {
	panels, keys, ok := build(c, doc)
	if !ok {
		panic("figure: the document has no rows for the chart")
	}
	w, h := canvas.Size()
	d := &drawing{c: canvas, w: w, h: h, panels: panels, count: len(keys)}
	d.all()
}
