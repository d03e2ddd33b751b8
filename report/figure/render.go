package figure

import (
	"bytes"
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
	"mcsim/report/theme"
)

// Formats are the formats in which a figure comes.
var Formats = []string{"svg", "pdf", "png", "csv", "tex"}

// File returns the figure in one of the Formats. The document must have rows for it. An SVG for light
// pages of the web also has the colours for dark pages, and takes those that suit the reader's.
func (f Figure) File(format string, in theme.Theme) ([]byte, error) {
	switch format {
	case "csv":
		return f.CSV()
	case "tex":
		return f.TeX(in), nil
	}
	d := f.prepare(in)
	if format == "svg" && in.Style.Name == theme.Web.Style.Name && !in.Dark {
		d.palette = &palette{chosen: map[paint]color.NRGBA{}, taken: map[string]bool{}}
	}
	page := NewPage(format, d.w, d.h)
	if format != "png" { // whose page is white
		page.Fill(Rectangle(Box{Right: d.w, Top: d.h}), d.colour("fill", theme.Paper))
	}
	d.draw(page)
	file, err := page.Document(f.Name, label.Plain(f.Title), label.Plain(f.fullCaption()))
	if err != nil || d.palette == nil {
		return file, err
	}
	style := "</desc>\n<style>@media (prefers-color-scheme:dark){" + d.palette.rules + "}</style>\n"
	return bytes.Replace(file, []byte("</desc>\n"), []byte(style), 1), nil
}

// palette gives each pair of colours for light and dark pages one colour in an SVG, and a rule that
// replaces it on dark pages.
type palette struct {
	chosen map[paint]color.NRGBA
	taken  map[string]bool // attributes with their colours
	rules  string
}

// paint is a pair of colours of an attribute, fill or stroke.
type paint struct{ attribute, light, dark string }

// colour returns the colour for light pages. If it has another partner already, it returns the next
// colour, which looks the same.
func (p *palette) colour(attribute string, k theme.Swatch) color.NRGBA {
	pair := paint{attribute, hex(k.Paper), hex(k.Dark)}
	c, known := p.chosen[pair]
	if !known {
		c = k.Paper
		for n := 1; p.taken[attribute+hex(c)]; n++ {
			c.G, c.B = k.Paper.G^uint8(n>>8), k.Paper.B^uint8(n)
		}
		p.taken[attribute+hex(c)] = true
		p.chosen[pair] = c
		p.rules += fmt.Sprintf(`[%s="%s"]{%s:%s}`, attribute, hex(c), attribute, pair.dark)
	}
	c.A = k.Paper.A
	return c
}

// Size is that of the drawing.
func (f Figure) Size(in theme.Theme) (width, height vg.Length) {
	d := f.prepare(in)
	return d.w, d.h
}

// prepare sizes a drawing of the figure.
func (f Figure) prepare(in theme.Theme) *drawing {
	if !f.Shows() {
		panic(fmt.Sprintf("figure: the document has no rows for %s", f.Name))
	}
	d := &drawing{theme: in, w: in.Width(), text: in.Style.TextSize, panels: f.panels, series: len(f.keys)}
	d.columns = columnsOf(f.Chart, in.Narrow, len(f.panels))
	d.h = f.height(d)
	return d
}

// captionRoom is the height of a column that a narrow figure leaves to its caption, in addition to
// that of a wide figure.
const captionRoom = 12 * vg.Millimeter

// height returns the height of a drawing: a narrow figure is tall enough to read, every name of an
// axis has its line, and additional rows of panels have their share.
func (c Chart) height(d *drawing) vg.Length {
	n := len(d.panels)
	wide := columnsOf(c, false, n)
	wideRows := (n + wide - 1) / wide
	h := vg.Length(c.Height) * vg.Millimeter * vg.Length(len(d.rows())) / vg.Length(wideRows)
	if d.theme.Narrow {
		h *= 0.95
	}
	if maxHeight := d.theme.Style.MaxHeight; maxHeight > 0 {
		if d.theme.Narrow { // whose caption has twice the lines
			maxHeight -= captionRoom
		}
		h = min(h, maxHeight)
	}
	for _, p := range d.panels {
		names := vg.Length(len(p.RowNames)) * 1.6 * d.text
		h = max(h, names*vg.Length(d.shares()/p.HeightShare())+8*d.text)
	}
	return h
}
