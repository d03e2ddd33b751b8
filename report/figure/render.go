package figure

import (
	"bytes"
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
	"mcsim/report/theme"
)

// Formats are the formats of figures.
var Formats = []string{"svg", "pdf", "png", "csv", "tex"}

// File returns the figure in one of the Formats. It panics if the document does not have data for
// the figure. An SVG for light pages of the web also has the colours for dark pages. A browser then
// shows the colours that its user prefers.
func (f Figure) File(format string, variant theme.Theme) ([]byte, error) {
	switch format {
	case "csv":
		return f.CSV()
	case "tex":
		return f.TeX(variant), nil
	}
	d := f.prepare(variant)
	if format == "svg" && variant.Style.Name == theme.Web.Style.Name && !variant.Dark && variant.Custom == nil {
		d.palette = &palette{dark: map[string]string{}}
	}
	page := NewPage(format, d.w, d.h)
	page.Fill(Rectangle(Box{Right: d.w, Top: d.h}), d.colour("fill", theme.Paper))
	d.draw(page)
	file, err := page.Document(f.Name, label.Plain(f.Title), label.Plain(f.fullCaption()))
	if err != nil || d.palette == nil {
		return file, err
	}
	stylesheet := "</desc>\n<style>@media (prefers-color-scheme:dark){" + d.palette.rules + "}</style>\n"
	return bytes.Replace(file, []byte("</desc>\n"), []byte(stylesheet), 1), nil
}

// palette collects rules of CSS that replace the colours of an SVG on dark pages. A rule selects
// the elements of one colour for light pages. Swatches that differ only in the colour for dark
// pages therefore need slightly different colours for light pages.
type palette struct {
	dark  map[string]string // colour for dark pages, by the attribute (fill or stroke) and the colour for light pages
	rules string
}

// colour returns the swatch's colour for light pages or, if this colour already has a rule for
// another colour on dark pages, a similar one that looks the same.
func (p *palette) colour(attribute string, swatch theme.Swatch) color.NRGBA {
	c, dark := swatch.Paper, hex(swatch.Dark)
	for n := 1; p.dark[attribute+hex(c)] != dark; n++ {
		if p.dark[attribute+hex(c)] == "" {
			p.dark[attribute+hex(c)] = dark
			p.rules += fmt.Sprintf(`[%s="%s"]{%s:%s}`, attribute, hex(c), attribute, dark)
			break
		}
		c.G, c.B = swatch.Paper.G^uint8(n>>8), swatch.Paper.B^uint8(n) // the low bits of blue, then of green
	}
	return c
}

// VisitLabels looks up all labels of the figure in the theme, and draws nothing.
func (f Figure) VisitLabels(variant theme.Theme) { f.prepare(variant).draw(&occupancy{}) }

// Size returns the size of the figure in points.
func (f Figure) Size(variant theme.Theme) (width, height vg.Length) {
	d := f.prepare(variant)
	return d.w, d.h
}

// prepare returns a drawing of the figure with its layout, but without a canvas.
func (f Figure) prepare(variant theme.Theme) *drawing {
	if !f.HasData() {
		panic(fmt.Sprintf("figure: the document has no data for %s", f.Name))
	}
	d := &drawing{theme: variant, w: variant.Width(), textSize: variant.Style.TextSize, panels: f.panels,
		seriesCount: len(f.ids), message: f.Message}
	d.columns = columnCount(f.Chart, variant.Narrow, len(f.panels))
	d.plainHeight = f.height(d)
	d.layOut()
	return d
}

// captionRoom is the additional height that a narrow figure leaves for its caption, which has twice
// as many lines as the caption of a wide figure.
const captionRoom = 12 * vg.Millimeter

// narrowRatio is the height of a narrow figure, relative to a wide one with the same rows of
// panels.
const narrowRatio = 0.95

// height returns the height of a drawing. It is the height of the chart, multiplied by the number
// of rows of panels relative to their number at full width. The style may limit it, but the panels
// must have room for one line of text per category.
func (c Chart) height(d *drawing) vg.Length {
	n := len(d.panels)
	wide := columnCount(c, false, n)
	wideRows := (n + wide - 1) / wide
	h := vg.Length(c.Height) * vg.Millimeter * vg.Length(len(d.rows())) / vg.Length(wideRows)
	if d.theme.Narrow {
		h *= narrowRatio
	}
	if maxHeight := d.theme.Style.MaxHeight; maxHeight > 0 {
		if d.theme.Narrow {
			maxHeight -= captionRoom
		}
		h = min(h, maxHeight)
	}
	for _, p := range d.panels {
		lines := vg.Length(len(p.Categories)) * 1.6 * d.textSize
		h = max(h, lines*vg.Length(d.totalRelativeHeight()/p.RelativeHeight())+8*d.textSize)
	}
	return h
}
