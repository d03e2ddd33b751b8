package figure

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"mcsim/report/internal/sample"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// changedSample returns the sample with every estimate changed.
func changedSample(change func(e *result.Estimate)) *result.Document {
	doc := sample.Document()
	for i := range doc.Estimates {
		change(&doc.Estimates[i])
	}
	return doc
}

// reducedSample returns the sample without the dropped estimates.
func reducedSample(drop func(result.Estimate) bool) *result.Document {
	doc := sample.Document()
	doc.Estimates = slices.DeleteFunc(doc.Estimates, drop)
	return doc
}

func isParam(e result.Estimate, param string, value float64) bool {
	x, ok := e.Params.Number(param)
	return ok && x == value
}

// documents returns variants of the sample by name. The plans of users may give such documents.
func documents() map[string]*result.Document {
	changed := map[string]bool{} // quantities of which the document "far" has changed an estimate
	empty := sample.Document()
	empty.Curves, empty.Gates = nil, nil
	return map[string]*result.Document{
		"default":              sample.Document(),
		"hostile distribution": sample.OneDistribution("<script>*_{^\\ ]]>&\x00\"", 8),
		"one d_k":              sample.OneDistribution("normal", 1),
		"short": sample.JoinScores(sample.OneDistribution("uniform", 4),
			sample.OneDistribution("laplace", 2)),
		"no intervals": changedSample(func(e *result.Estimate) {
			e.Lo, e.Hi = result.Absent(), result.Absent()
		}),
		"no errors": changedSample(func(e *result.Estimate) {
			e.SE, e.Lo, e.Hi = result.Absent(), result.Absent(), result.Absent()
		}),
		"bars below 0": changedSample(func(e *result.Estimate) { e.Lo = -1 }), // not on a logarithmic axis
		"empty":        empty,
		"far": changedSample(func(e *result.Estimate) { // one estimate of each quantity
			if !changed[e.Quantity] && e.Lo.Present() {
				changed[e.Quantity] = true
				e.Value, e.SE, e.Lo, e.Hi = 1000*e.Value, 200*e.Value, result.Absent(), result.Absent()
			}
		}),
		"tiny": changedSample(func(e *result.Estimate) {
			for _, x := range []*result.Number{&e.Value, &e.Lo, &e.Hi} {
				if e.Theory.Present() {
					*x = e.Theory + (*x-e.Theory)*1e-9
				}
			}
		}),
		"extreme": changedSample(func(e *result.Estimate) {
			e.Value, e.Lo, e.Hi = math.MaxFloat64, 5e-324, math.MaxFloat64
		}),
		"one exponent": reducedSample(func(e result.Estimate) bool {
			return e.Params["exponent"] != nil && !isParam(e, "exponent", 0.5)
		}),
		"no medians":  reducedSample(func(e result.Estimate) bool { return strings.HasSuffix(e.Quantity, "_q50") }),
		"no residual": reducedSample(func(e result.Estimate) bool { return e.Params["residual"] == "yes" }),
	}
}

// themes are the themes in which the tests draw.
var themes = map[string]theme.Theme{
	"web": theme.Web, "web-dark": theme.Web.DarkVariant(),
	"web-narrow": theme.Web.NarrowVariant(), "web-narrow-dark": theme.Web.NarrowVariant().DarkVariant(),
	"nature": theme.Print, "nature-narrow": theme.Print.NarrowVariant(),
	"ieee": {Style: theme.Styles[1]}, "ieee-narrow": {Style: theme.Styles[1], Narrow: true},
}

// checkFigures calls check with the figures of all charts and documents that have data. With
// -short, it uses two documents.
func checkFigures(t *testing.T, check func(name string, f Figure)) {
	for name, doc := range documents() {
		if testing.Short() && name != "default" && name != "hostile distribution" {
			continue
		}
		for _, c := range charts {
			if f := c.NewFigure(doc); f.HasData() {
				check(name+"/"+c.Name, f)
			}
		}
	}
}

// checkDrawings calls check with the drawings of the figures of checkFigures in all themes. With
// -short, it uses two themes.
func checkDrawings(t *testing.T, check func(name string, d *drawing, rec *recorder)) {
	drawFigures(t, !testing.Short(), check)
}

// drawFigures calls check with the drawings of the figures of checkFigures in all themes, or in two.
func drawFigures(t *testing.T, inAllThemes bool, check func(name string, d *drawing, rec *recorder)) {
	checkFigures(t, func(name string, f Figure) {
		for themeName, style := range themes {
			if !inAllThemes && themeName != "web-narrow" && themeName != "nature" {
				continue
			}
			d, rec := record(f, style)
			check(name+"/"+themeName, d, rec)
		}
	})
}

// record draws a figure on a recorder.
func record(f Figure, style theme.Theme) (*drawing, *recorder) {
	d, rec := f.prepare(style), &recorder{}
	d.draw(rec)
	return d, rec
}

// recorder is a canvas that records the painted paths and the labels in the order of their calls.
type recorder struct {
	painted []paintedPath
	pieces  []label.Piece
	labels  []string // text of each label
	extents []Box    // bounding boxes of the labels
}

// paintedPath is a stroke, or a fill if the width is 0.
type paintedPath struct {
	path   vg.Path
	width  vg.Length
	colour color.NRGBA
}

func (r *recorder) Fill(p vg.Path, colour color.NRGBA) {
	r.painted = append(r.painted, paintedPath{p, 0, colour})
}

func (r *recorder) Stroke(p vg.Path, colour color.NRGBA, width vg.Length, _ []vg.Length) {
	r.painted = append(r.painted, paintedPath{p, width, colour})
}

func (r *recorder) DrawLabel(pieces []label.Piece, origin vg.Point, rotated bool, _ color.NRGBA) {
	r.pieces = append(r.pieces, pieces...)
	text := ""
	for _, p := range pieces {
		text += p.Text
	}
	r.labels = append(r.labels, text)
	extent := Box{Left: 1e9, Bottom: 1e9, Right: -1e9, Top: -1e9}
	for _, p := range pieces {
		x := p.X
		for _, c := range p.Text {
			g := p.Font.Face().Glyph(c)
			for _, step := range g.Path {
				if step.Type == vg.CloseComp {
					continue
				}
				q := labelPoint(origin, rotated, x+step.Pos.X*p.Size, p.Y+step.Pos.Y*p.Size)
				extent.Left, extent.Bottom = min(extent.Left, q.X), min(extent.Bottom, q.Y)
				extent.Right, extent.Top = max(extent.Right, q.X), max(extent.Top, q.Y)
			}
			x += vg.Length(g.Advance) * p.Size
		}
	}
	r.extents = append(r.extents, extent)
}

// panelsOf returns the panels of a chart with the data of a document.
func panelsOf(chart string, doc *result.Document) []plot.Data {
	return chartByName(chart).NewFigure(doc).panels
}
