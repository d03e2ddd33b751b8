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

// colours are those of an SVG.
var colours = regexp.MustCompile(`(fill|stroke)="#([0-9a-f]{6})"`)

// adaptive is a drawing on light paper that takes the colours of the same drawing on dark paper
// where the page is dark. Where one colour is two on dark paper, the second is another by what no
// eye sees.
func adaptive(light, dark []byte) ([]byte, error) {
	on := colours.FindAllSubmatch(dark, -1)
	rules, taken, looks, i := "", map[string]bool{}, map[string]string{}, 0
	text := colours.ReplaceAllFunc(light, func(c []byte) []byte {
		if i++; i > len(on) {
			return c
		}
		to := string(on[i-1][2])
		if look, known := looks[string(c)+to]; known {
			return []byte(look)
		}
		of := colours.FindSubmatch(c)
		x, _ := strconv.ParseUint(string(of[2]), 16, 32)
		look := string(c)
		for n := uint64(1); taken[look]; n++ {
			look = fmt.Sprintf(`%s="#%06x"`, of[1], x^n)
		}
		taken[look], looks[string(c)+to] = true, look
		rules += fmt.Sprintf("[%s]{%s:#%s}", look, of[1], to)
		return []byte(look)
	})
	if i != len(on) {
		return nil, errors.New("figure: a drawing on dark paper is another one")
	}
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
