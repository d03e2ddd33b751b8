package figure

import (
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"mcsim/report/internal/sample"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// What single charts show of the sample: each test holds a kind of mark to the rows.

// Each way in which components are mismatched has a row at each d_k, by kind, with what
// dividing by the root of d_k leaves and what of it lies between keys, and the theory of both.
func TestMismatchedComponents(t *testing.T) {
	want := []struct {
		name string
		all  float64 // the equation of the page
		seen float64 // without its middle term
	}{
		{"as assumed", 1, 1}, {`$\mu_k = 1/2$`, 1.25, 1}, {`$\sigma_q = 2$`, 4, 4},
		{`$\mu_k = 1/2$, $\sigma_q = 2$`, 5, 4}, {`$\sigma_q = 2$, $r_k = 0.1$`, 4, 4},
	}
	p := panelsOf("mismatch", sample.Document())[0]
	if len(p.RowNames) != len(want) || len(p.Series) != 4 {
		t.Fatalf("%d series in the rows %q", len(p.Series), p.RowNames)
	}
	for _, s := range p.Series {
		for _, pt := range s.Points {
			row := len(p.RowNames) - 1 - int(pt.Y)
			of, off := want[row].all, 0.25 // few samples
			if strings.HasPrefix(s.Label, "between") {
				of = want[row].seen
			}
			if s.Theory {
				off = 1e-12
			}
			if p.RowNames[row] != want[row].name+", $d_k = 64$" || math.Abs(pt.X-of) > off*of {
				t.Errorf("%s, theory: %v: %s stands at %v, want %v", s.Label, s.Theory, p.RowNames[row], pt.X, of)
			}
		}
	}
}

// Initialisations stand by their theory, the largest first; one that leaves nothing has its
// name and no marker, and is not counted as lost.
func TestSortedNames(t *testing.T) {
	doc := sample.Document()
	doc.Estimates = append(doc.Estimates, result.Estimate{Experiment: "init", Cell: "init/zero", Quantity: "logit_sd", Level: 0.95, Theory: result.Absent(),
		Params: result.Params{"init": "zero", "d_model": 768.0, "d_k": 64.0}})
	f := charted("initialisations").Of(doc)
	p := f.panels[0]
	if want := []string{"he-normal", "keras", "torch-mha", "torch-linear", "normal-0.02", "zero"}; !slices.Equal(p.RowNames, want) || p.Lost != 1 || !slices.Equal(p.Zeros, []float64{0}) {
		t.Errorf("%v, want %v; %d lost", p.RowNames, want, p.Lost)
	}
	if text := f.fullCaption(); strings.Contains(text, "not above 0") {
		t.Error(text)
	}
}

// A value of 0 has no place on a logarithmic axis, and the caption says so.
func TestZerosAreCounted(t *testing.T) {
	doc := changed(func(e *result.Estimate) {
		if e.Quantity == "score_variance" && number(*e, "d_k", 4) {
			e.Value, e.Lo = 0, result.Absent()
		}
	})
	if text := charted("variance").Of(doc).fullCaption(); !strings.Contains(text, "no place on a logarithmic axis: 1.") {
		t.Error(text)
	}
}

// A law of which gates have several tolerances shows them all: the band follows them, and
// the title says from where to where they go; of two at one d_k it is the narrower.
func TestSeveralTolerances(t *testing.T) {
	doc := sample.Document()
	for i := range doc.Gates {
		g := &doc.Gates[i]
		d, _ := g.Params.Number("d_k")
		if g.Params["law"] == "laplace" && g.Quantity == "score_variance" && d > 4 {
			g.Band = [2]result.Number{result.Number(0.95 * d), result.Number(1.05 * d)}
		}
	}
	twice := doc.Gates[0]
	twice.Band = [2]result.Number{twice.Band[0] / 2, twice.Band[1] * 2}
	doc.Gates = append(doc.Gates, twice)
	found := false
	for _, p := range panelsOf("variance", doc) {
		several := p.Title == "laplace, ±5\u202f% to ±20\u202f%"
		found = found || several
		for _, l := range p.Tolerance {
			if want := map[bool]float64{true: 0.05, false: 0.2}[several && l.X > 4]; math.Abs(l.Width()-want) > 1e-9 {
				t.Errorf("%s: the band at %v is ±%v, want ±%v", p.Title, l.X, l.Width(), want)
			}
		}
	}
	if !found {
		t.Error("no panel has the tolerances of its law in its title")
	}
	p := panelsOf("slope", doc)[1] // half as wide as that of the gates on slopes, in the row of its law
	for _, g := range doc.Gates {
		law, _ := g.Params.Text("law")
		row := slices.Index(p.RowNames, law)
		want := plot.Limits{X: float64(len(p.RowNames) - 1 - row), Lo: float64(g.Band[0]) / 2, Hi: float64(g.Band[1]) / 2}
		if g.Quantity == "variance_slope" && row >= 0 && !slices.Contains(p.Tolerance, want) {
			t.Errorf("%s: no band %v among %v", law, want, p.Tolerance)
		}
	}
}

// The parts of a bar are the shares of the rows, the worst below, and fill it; shares with
// and without a scale stand on one axis, and one of which no row was seen hangs as an arrow.
func TestShares(t *testing.T) {
	doc := changed(func(e *result.Estimate) {
		if e.Quantity == "max_weight_above_99_percent" && number(*e, "exponent", 0.5) && number(*e, "d_k", 64) {
			e.Value, e.SE, e.Lo, e.Hi = 0, result.Absent(), 0, 1e-5
		}
	})
	f := charted("saturation").Of(doc)
	for _, b := range f.panels[0].Bars {
		if n := len(b.Parts); n != 4 || b.Parts[0].Grade.Name != "dead" || b.Parts[0].Lo != 0 || math.Abs(b.Parts[3].Hi-1) > 1e-9 {
			t.Errorf("d_k = %v: %+v", b.X, b.Parts)
		}
	}
	shares, last := f.panels[2], f.panels[3]
	hung := slices.ContainsFunc(last.Series, func(s plot.Series) bool {
		return slices.Contains(s.AtMost, plot.Point{X: 64, Hi: 1e-5})
	})
	if !hung || shares.ScaleY != last.ScaleY || !last.ScaleY.Inside(1e-5) || last.Lost > 0 || !strings.Contains(f.fullCaption(), "An arrow hangs") {
		t.Errorf("hangs: %v, the axes are %v and %v, %d lost", hung, shares.ScaleY, last.ScaleY, last.Lost)
	}
}

// Every cell of a map has the colour of its rows on the canvas, around the tick of its column
// and that of its row, and a sign of the legend has the same; columns with gaps are left out.
func TestMaps(t *testing.T) {
	for _, name := range []string{"softmax-map", "freezing-map"} {
		for look, in := range themes {
			d, on := drawnOn(charted(name).Of(sample.Document()), in)
			p, b := d.panels[0], boxesOf(d)[0]
			filled := func(at vg.Point, k color.NRGBA) bool {
				return slices.ContainsFunc(on.calls, func(c call) bool {
					return c.width == 0 && c.colour == k && len(c.path) == 5 && c.path[0].Pos.X < at.X && c.path[0].Pos.Y < at.Y && c.path[2].Pos.X > at.X && c.path[2].Pos.Y > at.Y
				})
			}
			if len(p.Map.Cells) != len(p.Map.Xs)*len(p.Map.Ys) || slices.Contains(p.Map.Xs, 16) && name == "freezing-map" {
				t.Errorf("%s: %d cells in %d columns", name, len(p.Map.Cells), len(p.Map.Xs))
			}
			for _, c := range p.Map.Cells {
				column, row := d.xTicks(p, b.Width())[int(c.Column)], d.yTicks(p, b.Height())[int(c.Row)]
				if !filled(vg.Point{X: b.X(p.ScaleX.Unit(column.At)), Y: b.Y(p.ScaleY.Unit(row.At))}, in.ColourAt(c.Colour)) {
					t.Errorf("%s, %s: no field of its colour stands at %s, %s", name, look, column.Label, row.Label)
				}
				if n := len(slices.DeleteFunc(slices.Clone(on.calls), func(k call) bool { return k.colour != in.ColourAt(c.Colour) })); n < 3 {
					t.Errorf("%s, %s: the legend has not the colour of %s, %s", name, look, column.Label, row.Label)
				}
			}
		}
	}
}

// Of many exponents the figure on gradients shows the quarters, in points and lines.
func TestFewExponents(t *testing.T) {
	doc := sample.Document()
	for _, e := range slices.Clone(doc.Estimates) {
		if e.Experiment == "softmax" && number(e, "exponent", 0.5) {
			for _, other := range []float64{0.125, 0.25, 0.375, 0.625} {
				e.Params = maps.Clone(e.Params)
				e.Params["exponent"] = other
				doc.Estimates = append(doc.Estimates, e)
			}
		}
	}
	shown := map[string]bool{}
	for _, p := range panelsOf("gradients", doc) {
		for _, s := range p.Series {
			shown[s.Label] = true
		}
		for _, l := range p.Theory {
			shown[l.Label] = true
		}
	}
	if len(shown) != 4 || !shown["$d_k^{1/4}$, $p = 1/4$"] || !shown[`$\sqrt{d_k}$, $p = 1/2$`] || !shown["no scale, $p = 0$"] {
		t.Errorf("it shows %v", shown)
	}
}

// Names that the end of the axes has no room for stand in the legend.
func TestManyNamesGoIntoTheLegend(t *testing.T) {
	doc := sample.Document()
	if d := charted("scaled").Of(doc).prepare(theme.Web); !d.panels[0].Ends {
		t.Error("a few names are not at the ends of their lines")
	}
	for _, e := range sample.Document().Estimates {
		undivided := e.Quantity == "scaled_variance" && number(e, "exponent", 0)
		for p := 2.0; p < 40 && undivided; p++ {
			e.Params = result.Params{"law": e.Params["law"], "d_k": e.Params["d_k"], "exponent": p}
			doc.Estimates = append(doc.Estimates, e)
		}
	}
	if d := charted("scaled").Of(doc).prepare(theme.Web); d.panels[0].Ends || len(entries(d.panels)) < 40 {
		t.Errorf("%d names at the ends of lines", len(d.panels[0].LineEnds()))
	}
}

// Theory at one point is no line, and nothing says that there is one.
func TestNoLineOfOnePoint(t *testing.T) {
	for most, line := range map[float64]bool{1: false, 2: true} {
		f := charted("scaled").Of(sample.Law("uniform", most))
		if said := strings.Contains(f.fullCaption(), "lines are theory"); said != line {
			t.Errorf("up to d_k = %v: lines are named: %v", most, said)
		}
	}
}

// A wide panel stands alone in its row from the first column to the end of the last.
func TestWidePanels(t *testing.T) {
	for _, in := range themes {
		d := charted("variance").Of(sample.Document()).prepare(in)
		boxes := boxesOf(d)
		if row, _ := d.grid.at(1); row != 1 || boxes[0].Left != boxes[1].Left || boxes[0].Right < boxes[d.grid.columns].Right-0.01 {
			t.Errorf("%v: the wide panel is at %v, those below it from %v to %v", in, boxes[0], boxes[1], boxes[d.grid.columns])
		}
	}
}

// An axis that reaches as far as its lines has its ticks at powers of two there, and only
// there.
func TestTicksOfPowersOfTwo(t *testing.T) {
	for chart, want := range map[string]string{"alignment-exponent": "4 to 256", "walks": "1 to 256", "variance": "1 to 1024"} {
		d := charted(chart).Of(sample.Document()).prepare(theme.Web)
		ts := d.xTicks(d.panels[0], 400)
		if got := fmt.Sprint(ts[0].At, " to ", ts[len(ts)-1].At); got != want {
			t.Errorf("%s has ticks from %s, want %s", chart, got, want)
		}
	}
}

// The three panels of walks have the document's lines, divided by 1, √d and d, between
// plus and minus √d over the same, in the colours of their scales.
func TestWalksAreTheLinesOfTheDocument(t *testing.T) {
	doc := sample.Document()
	want := rows.Drawn(doc, rows.Ranks(names.PartialScore), names.ParamComponents)
	for i, p := range panelsOf("walks", doc) {
		exponent := []float64{0, 0.5, 1}[i]
		over := func(d float64) float64 { return math.Pow(d, exponent) }
		tr := p.Traces[0]
		if style, _ := theme.ExponentStyle(exponent); len(tr.Lines) != len(want) || len(want) != 8 || tr.Style.Colour != style.Colour {
			t.Fatalf("panel %d shows %d lines", i, len(tr.Lines))
		}
		for j, l := range tr.Lines {
			for k, x := range l.Xs {
				if y := float64(want[j].Y[k]) / over(x); x != float64(want[j].X[k]) || math.Abs(l.Ys[k]-y) > 1e-12*math.Abs(y) {
					t.Errorf("panel %d, key %d, after %v components: %v, want %v", i, j+1, x, l.Ys[k], y)
				}
			}
		}
		for _, e := range tr.Edge {
			if sd := math.Sqrt(e.X) / over(e.X); math.Abs(e.Hi-sd) > 1e-12*sd || e.Lo != -e.Hi {
				t.Errorf("panel %d: the envelope at %v goes from %v to %v, want %v", i, e.X, e.Lo, e.Hi, sd)
			}
		}
	}
}

// Bars are the lines of the document, whiskers its quantiles, and every d_k has a row of
// panels of its own; the data name the cells.
func TestRankedWeightsAreThoseOfTheDocument(t *testing.T) {
	doc := sample.Document()
	for i, p := range panelsOf("ranked-weights", doc) {
		tr := p.Traces[0]
		d, e := []float64{4, 64, 256}[i/3], []float64{0, 0.5, 1}[i%3]
		of := rows.Ranks(names.RankedWeight).With(names.ParamDimension, d).With(names.ParamExponent, e)
		line := rows.Drawn(doc, of, names.ParamRank)[0]
		if !slices.EqualFunc(tr.Lines[0].Ys, line.Y, func(a float64, b result.Number) bool { return a == float64(b) }) || len(tr.Whiskers) != 8 {
			t.Errorf("panel %d has not the bars of d_k = %v, p = %v", i, d, e)
		}
		if p.Title == "" || p.Inside != fmt.Sprintf("$d_k = %v$", d) || p.ScaleY.Lo != 0 {
			t.Errorf("panel %d: title %q, inside %q, from %v", i, p.Title, p.Inside, p.ScaleY.Lo)
		}
		for _, w := range tr.Whiskers {
			at := of.With(names.ParamRank, w.X)
			for quantile, has := range map[float64]float64{0.05: w.Lo, 0.95: w.Hi} {
				at.Quantity = names.Quantile(names.RankedWeight, quantile)
				if r, ok := rows.One(doc, at); !ok || float64(r.Value) != has {
					t.Errorf("panel %d, rank %v: a whisker ends at %v, the %v quantile is %v", i, w.X, has, quantile, r.Value)
				}
			}
		}
	}
	if csv, err := charted("ranked-weights").Of(doc).CSV(); err != nil || !strings.Contains(string(csv), ",ranks/normal/d_k=4/keys=8,") {
		t.Errorf("its data do not name the cell: %v", err)
	}
}

// Of many d_k three have panels.
func TestFewOfManyDimensions(t *testing.T) {
	each := plot.Each{Most: 3}
	for _, c := range []struct{ values, want []any }{
		{[]any{1., 2., 3., 4., 5.}, []any{1., 3., 5.}}, {[]any{1., 2., 3., 4.}, []any{1., 2., 4.}}, {[]any{1., 2.}, []any{1., 2.}}, {nil, nil},
	} {
		if got := each.Shown(c.values); !slices.Equal(got, c.want) {
			t.Errorf("of %v there are panels of %v, want %v", c.values, got, c.want)
		}
	}
}

// What does not pass is told from what passes by a marker, a colour and a word of the
// legend; and the picture of a thousand gates stays small.
func TestGatesThatDoNotPassAreSeen(t *testing.T) {
	doc := sample.Document()
	for len(doc.Gates) < 1400 {
		doc.Gates = append(doc.Gates, doc.Gates...)
	}
	if svg := charted("gates").Of(doc).SVG(theme.Web); len(svg) > 200_000 {
		t.Errorf("%d gates take %d bytes", len(doc.Gates), len(svg))
	}
	sample.Break(doc, 3, result.Fail)
	sample.Break(doc, 30, result.Undecided)
	seen := entries(panelsOf("gates", doc))
	if seen[0].marker || !seen[1].marker || !seen[2].marker || seen[1].label != "undecided (1)" || seen[2].label != "fails (1)" {
		t.Errorf("the legend has %+v", seen)
	}
	if a, b := seen[1].style, seen[2].style; a.Colour == b.Colour || len(a.Glyph) == len(b.Glyph) || seen[0].style.Colour == b.Colour {
		t.Errorf("%+v and %+v look alike", a, b)
	}
}
