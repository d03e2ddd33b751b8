package figure

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
	"mcsim/report/theme"
)

// Formats are the formats in which a figure comes.
var Formats = []string{"svg", "pdf", "png", "csv", "tex"}

// File returns the figure in one of the Formats. The document must have rows
// for it. An SVG for the web has the colours of a dark page, too, and takes those that suit
// the page that it stands on.
func (f Figure) File(format string, in theme.Theme) ([]byte, error) {
	text, err := f.file(format, in)
	if err != nil || format != "svg" || in.Style.Name != theme.Web.Style.Name || in.Dark {
		return text, err
	}
	dark, err := f.file(format, in.OnDark())
	if err != nil {
		return nil, err
	}
	return adaptive(text, dark)
}

// paint is a colour of an SVG.
type paint struct {
	attribute string // fill or stroke
	colour    string // six hexadecimal digits
}

// paintAt is a paint with the position of its digits in the file.
type paintAt struct {
	paint
	position int
}

// coloured matches the value of a colour. An expression that begins with the attribute would take
// ten times as long.
var coloured = regexp.MustCompile(`="#[0-9a-f]{6}"`)

// paints returns the colours of an SVG in their order.
func paints(svg []byte) (all []paintAt) {
	for _, m := range coloured.FindAllIndex(svg, -1) {
		for _, attribute := range []string{"fill", "stroke"} {
			if bytes.HasSuffix(svg[:m[0]], []byte(" "+attribute)) {
				position := m[0] + len(`="#`)
				all = append(all, paintAt{paint{attribute, string(svg[position : m[1]-1])}, position})
			}
		}
	}
	return all
}

// adaptive returns a drawing on light paper that takes the colours of the same drawing on dark paper
// if the page is dark. If one colour is two on dark paper, the second becomes another colour that
// looks the same.
func adaptive(light, dark []byte) ([]byte, error) {
	onLight, onDark := paints(light), paints(dark)
	if len(onLight) != len(onDark) {
		return nil, errors.New("figure: a drawing on dark paper is another one")
	}
	rules, text, copied := "", []byte(nil), 0
	taken := map[paint]bool{}
	chosen := map[[2]paint]string{} // colours on light paper, by pairs of colours
	for i, p := range onLight {
		pair := [2]paint{p.paint, onDark[i].paint}
		colour, known := chosen[pair]
		if !known {
			colour = freeColour(p.paint, taken)
			taken[paint{p.attribute, colour}] = true
			chosen[pair] = colour
			rules += fmt.Sprintf(`[%s="#%s"]{%s:#%s}`, p.attribute, colour, p.attribute, onDark[i].colour)
		}
		text = append(text, light[copied:p.position]...)
		text = append(text, colour...)
		copied = p.position + len(colour)
	}
	text = append(text, light[copied:]...)
	style := "<style>@media (prefers-color-scheme:dark){" + rules + "}</style>\n"
	end := bytes.Index(text, []byte("</desc>\n")) + len("</desc>\n")
	return slices.Concat(text[:end], []byte(style), text[end:]), nil
}

// freeColour returns the colour of a paint, or the nearest one that is not taken.
func freeColour(p paint, taken map[paint]bool) string {
	colour := p.colour
	x, _ := strconv.ParseUint(p.colour, 16, 32)
	for n := uint64(1); taken[paint{p.attribute, colour}]; n++ {
		colour = fmt.Sprintf("%06x", x^n)
	}
	return colour
}

// file is the figure in a format and a theme.
func (f Figure) file(format string, in theme.Theme) ([]byte, error) {
	switch format {
	case "csv":
		return f.CSV()
	case "tex":
		return f.TeX(in), nil
	}
	d := f.prepare(in)
	page := NewPage(format, d.w, d.h)
	if format != "png" { // whose page is white
		page.Fill(Rectangle(Box{Right: d.w, Top: d.h}), in.Of(theme.Paper))
	}
	d.draw(page)
	return page.Document(f.Name, label.Plain(f.Title), label.Plain(f.fullCaption()))
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
	d := &drawing{theme: in, w: in.Width(), text: in.Style.Text, panels: f.panels, series: len(f.keys)}
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
	if maxHeight := d.theme.Style.Highest; maxHeight > 0 {
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
