package figure

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
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

// paint is a colour of an SVG: of what, which, and where its digits stand.
type paint struct {
	of, colour string
	at         int
}

// coloured finds what is painted; an expression that begins with the attribute would take ten times as long.
var coloured = regexp.MustCompile(`="#[0-9a-f]{6}"`)

// paints are the colours of an SVG in their order.
func paints(svg []byte) (all []paint) {
	for _, m := range coloured.FindAllIndex(svg, -1) {
		for _, of := range []string{"fill", "stroke"} {
			if bytes.HasSuffix(svg[:m[0]], []byte(" "+of)) {
				at := m[0] + len(`="#`)
				all = append(all, paint{of, string(svg[at : m[1]-1]), at})
			}
		}
	}
	return all
}

// adaptive is a drawing on light paper that takes the colours of the same drawing on dark paper
// where the page is dark. Where one colour is two on dark paper, the second is another by what no
// eye sees.
func adaptive(light, dark []byte) ([]byte, error) {
	from, on := paints(light), paints(dark)
	if len(from) != len(on) {
		return nil, errors.New("figure: a drawing on dark paper is another one")
	}
	rules, taken, looks := "", map[paint]bool{}, map[[2]paint]string{}
	var text []byte
	done := 0
	for i, p := range from {
		at, to := p.at, on[i]
		p.at, to.at = 0, 0
		look, known := looks[[2]paint{p, to}]
		if !known {
			look = p.colour
			x, _ := strconv.ParseUint(p.colour, 16, 32)
			for n := uint64(1); taken[paint{of: p.of, colour: look}]; n++ {
				look = fmt.Sprintf("%06x", x^n)
			}
			taken[paint{of: p.of, colour: look}], looks[[2]paint{p, to}] = true, look
			rules += fmt.Sprintf(`[%s="#%s"]{%s:#%s}`, p.of, look, p.of, to.colour)
		}
		text = append(append(text, light[done:at]...), look...)
		done = at + len(look)
	}
	text = append(text, light[done:]...)
	style := "<style>@media (prefers-color-scheme:dark){" + rules + "}</style>\n"
	end := bytes.Index(text, []byte("</desc>\n")) + len("</desc>\n")
	return slices.Concat(text[:end], []byte(style), text[end:]), nil
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
	page := draw.NewPage(format, d.w, d.h)
	if format != "png" { // whose page is white
		page.Fill(draw.Rectangle(draw.Box{Right: d.w, Top: d.h}), in.Of(theme.Paper))
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
	d := &drawing{in: in, w: in.Width(), text: in.Style.Text, panels: f.panels, count: len(f.keys)}
	d.columns = columnsOf(f.Chart, in.Narrow, len(f.panels))
	d.h = f.height(d)
	return d
}

// captionRoom is how much lower than a wide figure a narrow one must stay, so that a
// column holds it with its caption.
const captionRoom = 12 * vg.Millimeter

// height keeps a narrow figure tall enough to read, gives every name of an
// axis its line, and every row of panels that a grid has more its share.
func (c Chart) height(d *drawing) vg.Length {
	n := len(d.panels)
	wide := columnsOf(c, false, n)
	h := vg.Length(c.Height) * vg.Millimeter * vg.Length(len(d.rows())) / vg.Length((n+wide-1)/wide)
	if d.in.Narrow {
		h *= 0.95
	}
	if most := d.in.Style.Highest; most > 0 {
		if d.in.Narrow { // whose caption has twice the lines
			most -= captionRoom
		}
		h = min(h, most)
	}
	for _, p := range d.panels {
		h = max(h, vg.Length(len(p.RowNames))*1.6*d.text*vg.Length(d.shares()/p.HeightShare())+8*d.text)
	}
	return h
}
