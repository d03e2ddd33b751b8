package figure

import (
	"image/color"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"

	"mcsim/report/internal/sample"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// changed is the sample with every row as change leaves it.
func changed(change func(e *result.Estimate)) *result.Document {
	doc := sample.Document()
	for i := range doc.Estimates {
		change(&doc.Estimates[i])
	}
	return doc
}

// without is the sample without the rows that are dropped.
func without(drop func(result.Estimate) bool) *result.Document {
	doc := sample.Document()
	doc.Estimates = slices.DeleteFunc(doc.Estimates, drop)
	return doc
}

// number reports whether a parameter of a row is that number.
func number(e result.Estimate, param string, value float64) bool {
	x, ok := e.Params.Number(param)
	return ok && x == value
}

// documents are what users' plans leave of the sample, and what they make of it.
func documents() map[string]*result.Document {
	seen := map[string]bool{}
	empty := sample.Document()
	empty.Curves, empty.Gates = nil, nil
	return map[string]*result.Document{
		"default":              sample.Document(),
		"hostile distribution": sample.Distribution("<script>*_{^\\ ]]>&\x00\"", 8),
		"one d_k":              sample.Distribution("normal", 1),
		"short":                sample.Join(sample.Distribution("uniform", 4), sample.Distribution("laplace", 2)),
		"no intervals":         changed(func(e *result.Estimate) { e.Lo, e.Hi = result.Absent(), result.Absent() }),
		"no errors":            changed(func(e *result.Estimate) { e.SE, e.Lo, e.Hi = result.Absent(), result.Absent(), result.Absent() }),
		"bars below 0":         changed(func(e *result.Estimate) { e.Lo = -1 }), // below every logarithm
		"empty":                empty,
		"far": changed(func(e *result.Estimate) { // one row of each quantity
			if !seen[e.Quantity] && e.Lo.Present() {
				seen[e.Quantity] = true
				e.Value, e.SE, e.Lo, e.Hi = 1000*e.Value, 200*e.Value, result.Absent(), result.Absent()
			}
		}),
		"tiny": changed(func(e *result.Estimate) {
			for _, x := range []*result.Number{&e.Value, &e.Lo, &e.Hi} {
				if e.Theory.Present() {
					*x = e.Theory + (*x-e.Theory)*1e-9
				}
			}
		}),
		"extreme":      changed(func(e *result.Estimate) { e.Value, e.Lo, e.Hi = math.MaxFloat64, 5e-324, math.MaxFloat64 }),
		"one exponent": without(func(e result.Estimate) bool { return e.Params["exponent"] != nil && !number(e, "exponent", 0.5) }),
		"no medians":   without(func(e result.Estimate) bool { return len(e.Quantity) > 4 && e.Quantity[len(e.Quantity)-4:] == "_q50" }),
		"no residual":  without(func(e result.Estimate) bool { return e.Params["residual"] == "yes" }),
	}
}

// themes are the ways in which a test draws.
var themes = map[string]theme.Theme{
	"web": theme.Web, "web-dark": theme.Web.DarkVariant(), "web-narrow": theme.Web.NarrowVariant(), "web-narrow-dark": theme.Web.NarrowVariant().DarkVariant(),
	"nature": theme.Print, "nature-narrow": theme.Print.NarrowVariant(), "ieee": {Style: theme.Styles[1]}, "ieee-narrow": {Style: theme.Styles[1], Narrow: true},
}

// everyFigure calls check with every chart that a document has something for: under -short
// of two documents.
func everyFigure(t *testing.T, check func(name string, f Figure)) {
	for name, doc := range documents() {
		if testing.Short() && name != "default" && name != "hostile distribution" {
			continue
		}
		for _, c := range charts {
			if f := c.Of(doc); f.Shows() {
				check(name+"/"+c.Name, f)
			}
		}
	}
}

// everyDrawing draws each of them in every look, or under -short in two.
func everyDrawing(t *testing.T, check func(name string, d *drawing, on *recorder)) {
	everyFigure(t, func(name string, f Figure) {
		for look, in := range themes {
			if testing.Short() && look != "web-narrow" && look != "nature" {
				continue
			}
			d, on := drawnOn(f, in)
			check(name+"/"+look, d, on)
		}
	})
}

// drawnOn draws a figure on a recorder.
func drawnOn(f Figure, in theme.Theme) (*drawing, *recorder) {
	d, on := f.prepare(in), &recorder{}
	d.draw(on)
	return d, on
}

// boxesOf are where the axes of a drawing stand.
func boxesOf(d *drawing) []Box {
	return d.boxes(d.belowLegend(d.layLegend(entries(d.panels), d.w-2*margin)))
}

// recorder is a canvas that keeps what is drawn, in order.
type recorder struct {
	calls  []call
	pieces []label.Piece
	words  []Box // runs of text
}

// call is a stroke of a width, or a fill where it has none.
type call struct {
	path   vg.Path
	width  vg.Length
	colour color.NRGBA
}

func (r *recorder) Fill(p vg.Path, k color.NRGBA) { r.calls = append(r.calls, call{p, 0, k}) }

func (r *recorder) Stroke(p vg.Path, k color.NRGBA, width vg.Length, _ []vg.Length) {
	r.calls = append(r.calls, call{p, width, k})
}

func (r *recorder) Words(ps []label.Piece, at vg.Point, up bool, _ color.NRGBA) {
	r.pieces = append(r.pieces, ps...)
	all := Box{Left: 1e9, Bottom: 1e9, Right: -1e9, Top: -1e9}
	for _, p := range ps {
		x := p.X
		for _, c := range p.Text {
			g := p.Font.Face().Glyph(c)
			for _, step := range g.Path {
				q := pointOfLabel(at, up, x+step.Pos.X*p.Size, p.Y+step.Pos.Y*p.Size)
				if step.Type != vg.CloseComp {
					all = Box{Left: min(all.Left, q.X), Bottom: min(all.Bottom, q.Y), Right: max(all.Right, q.X), Top: max(all.Top, q.Y)}
				}
			}
			x += vg.Length(g.Advance) * p.Size
		}
	}
	r.words = append(r.words, all)
}

// panelsOf are the panels of a chart for a document.
func panelsOf(chart string, doc *result.Document) []plot.Data { return charted(chart).Of(doc).panels }
