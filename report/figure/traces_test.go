package figure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// drawnOf are the lines through what was drawn of a quantity.
func drawnOf(doc *result.Document, quantity string) (found []result.Curve) {
	for _, c := range doc.Curves {
		if c.Kind == names.CurveDrawn && c.Quantity == quantity {
			found = append(found, c)
		}
	}
	return found
}

// The three panels of walks have the document's lines, divided by 1, √d and d, between
// plus and minus √d over the same.
func TestWalksAreTheLinesOfTheDocument(t *testing.T) {
	doc := sample.Document()
	want := drawnOf(doc, names.PartialScore)
	panels := charted("walks").Of(doc).panels
	if len(want) != 8 || len(panels) != 3 {
		t.Fatalf("%d lines in %d panels", len(want), len(panels))
	}
	for i, over := range []func(d float64) float64{func(float64) float64 { return 1 }, math.Sqrt, func(d float64) float64 { return d }} {
		p := panels[i]
		if len(p.Traces) != 1 || len(p.Traces[0].Lines) != 8 {
			t.Fatalf("panel %d shows %v", i, p.Traces)
		}
		for j, l := range p.Traces[0].Lines {
			for k, x := range l.Xs {
				if y := float64(want[j].Y[k]) / over(x); x != float64(want[j].X[k]) || math.Abs(l.Ys[k]-y) > 1e-12*math.Abs(y) {
					t.Errorf("panel %d, key %d, after %v components: %v, want %v", i, j+1, x, l.Ys[k], y)
				}
			}
		}
		for _, e := range p.Traces[0].Edge {
			if sd := math.Sqrt(e.X) / over(e.X); math.Abs(e.Hi-sd) > 1e-12*sd || e.Lo != -e.Hi {
				t.Errorf("panel %d: the envelope at %v goes from %v to %v, want %v", i, e.X, e.Lo, e.Hi, sd)
			}
		}
		style, _ := theme.ExponentStyle([]float64{0, 0.5, 1}[i])
		if p.Traces[0].Style.Colour != style.Colour {
			t.Errorf("panel %d has not the colour of its scale", i)
		}
	}
}

// The axis of components is one of powers of two, from the first component to the last.
func TestWalksGoOverPowersOfTwo(t *testing.T) {
	d := charted("walks").Of(sample.Document()).prepare(theme.Web)
	for i, p := range d.panels {
		ts := d.xTicks(p, 300)
		if !p.X.Log || len(ts) != 9 || ts[0].At != 1 || ts[8].At != 256 {
			t.Errorf("panel %d has its ticks at %v", i, ts)
		}
		edge := p.Traces[0].Edge
		for k := range edge[1:] {
			if edge[k+1].X/edge[k].X > 1.1 {
				t.Errorf("panel %d: nothing of the envelope between %v and %v", i, edge[k].X, edge[k+1].X)
			}
		}
	}
}

// Captions begin with what theory finds, which speaks of several components, of several
// d_k, and of the exponents that were drawn.
func TestDrawnLinesBeginWithTheFinding(t *testing.T) {
	doc := sample.Document()
	begins := func(name, want string, holds bool) {
		t.Helper()
		if text := charted(name).Of(doc).fullCaption(); strings.HasPrefix(text, want) != holds {
			t.Errorf("%s begins with %q: want %v of %s", name, want, holds, text)
		}
	}
	begins("walks", "Undivided, the sums spread", true)
	begins("ranked-weights", "Undivided, one key takes nearly all weight", true)
	leave := func(f func(result.Params) bool) {
		doc.Estimates = slices.DeleteFunc(doc.Estimates, func(e result.Estimate) bool { return e.Experiment == names.ExperimentRanks && f(e.Params) })
		doc.Curves = slices.DeleteFunc(doc.Curves, func(c result.Curve) bool { return c.Experiment == names.ExperimentRanks && f(c.Params) })
	}
	leave(func(p result.Params) bool { return p[names.ParamExponent] == 0.0 })
	begins("ranked-weights", `Divided by $\sqrt{d_k}$, the picture`, true)
	for i := range doc.Curves {
		if c := &doc.Curves[i]; c.Quantity == names.PartialScore {
			c.X, c.Y = c.X[:1], c.Y[:1]
		}
	}
	begins("walks", "Undivided, the sums spread", false)
	leave(func(p result.Params) bool { return p[names.ParamDimension] != 64.0 })
	begins("ranked-weights", "At $d_k = 64$ the key of the greatest score", true)
}

// Bars are the lines of the document, whiskers its quantiles, and every d_k has a row of
// panels of its own, of which the first alone has the names of the scales above.
func TestRankedWeightsAreThoseOfTheDocument(t *testing.T) {
	doc := sample.Document()
	panels := charted("ranked-weights").Of(doc).panels
	if len(panels) != 9 {
		t.Fatalf("%d panels", len(panels))
	}
	for i, p := range panels {
		tr := p.Traces[0]
		d, e := []float64{4, 64, 256}[i/3], []float64{0, 0.5, 1}[i%3]
		line := rows.Drawn(doc, rows.Ranks(names.RankedWeight).With(names.ParamDimension, d).With(names.ParamExponent, e), names.ParamRank)[0]
		if tr.Exponent != e || len(tr.Lines) != 1 || !slices.EqualFunc(tr.Lines[0].Ys, line.Y, func(a float64, b result.Number) bool { return a == float64(b) }) {
			t.Errorf("panel %d has not the bars of d_k = %v, p = %v", i, d, e)
		}
		if (p.Title != "") != (i < 3) || !strings.Contains(p.Inside, plot.NameOf(plot.Key{By: names.ParamDimension, Of: d})) || p.ScaleY.Lo != 0 {
			t.Errorf("panel %d: title %q, inside %q, from %v", i, p.Title, p.Inside, p.ScaleY.Lo)
		}
		for _, w := range tr.Whiskers {
			at := rows.Ranks("").With(names.ParamDimension, d).With(names.ParamExponent, e).With(names.ParamRank, w.X)
			for quantile, has := range map[float64]float64{0.05: w.Lo, 0.95: w.Hi} {
				at.Quantity = names.Quantile(names.RankedWeight, quantile)
				if r, ok := rows.One(doc, at); !ok || float64(r.Value) != has {
					t.Errorf("panel %d, rank %v: a whisker ends at %v, the %v quantile is %v", i, w.X, has, quantile, r.Value)
				}
			}
		}
		if len(tr.Whiskers) != 8 {
			t.Errorf("panel %d has %d whiskers", i, len(tr.Whiskers))
		}
	}
}

// Lines through what was drawn have their rows in the figure's data, with the cell that
// they are of and no theory; and no chart takes them for lines of theory.
func TestDrawnLinesAreNoTheory(t *testing.T) {
	doc := sample.Document()
	for name, cell := range map[string]string{"walks": "ranks/normal/d_k=256/keys=8", "ranked-weights": "ranks/normal/d_k=4/keys=8"} {
		f := charted(name).Of(doc)
		csv, err := f.CSV()
		if err != nil || !strings.Contains(string(csv), ","+cell+",") {
			t.Errorf("%s: its data do not name the cell %s: %v", name, cell, err)
		}
		if Drawn(f.panels).Lines() || !strings.Contains(f.fullCaption(), cell) || !strings.Contains(strings.ToLower(f.fullCaption()), "at seed 7") {
			t.Errorf("%s: its caption does not say what was drawn: %s", name, f.fullCaption())
		}
	}
	for _, quantity := range []string{names.RankedWeight, names.PartialScore} {
		for _, axis := range []string{names.ParamRank, names.ParamComponents} {
			if found := rows.Curves(doc, rows.Ranks(quantity), axis); len(found) != 0 {
				t.Errorf("%d lines of %s through what was drawn are lines of theory", len(found), quantity)
			}
		}
	}
}

// Of many d_k three have panels; where an exponent is missing, its column is.
func TestFewOfManyDimensions(t *testing.T) {
	each := plot.Each{Most: 3}
	for _, c := range []struct{ values, want []any }{
		{[]any{1., 2., 3., 4., 5.}, []any{1., 3., 5.}}, {[]any{1., 2., 3., 4.}, []any{1., 2., 4.}}, {[]any{1., 2.}, []any{1., 2.}}, {nil, nil},
	} {
		if got := each.Shown(c.values); !slices.Equal(got, c.want) {
			t.Errorf("of %v there are panels of %v, want %v", c.values, got, c.want)
		}
	}
	doc := sample.Document()
	doc.Curves = slices.DeleteFunc(doc.Curves, func(c result.Curve) bool { return c.Params[names.ParamExponent] == 1.0 })
	f := charted("ranked-weights").Of(doc)
	g := gridOf(f.Chart, f.panels, false)
	if len(f.panels) != 6 || len(g.rows) != 3 || g.columns != 2 {
		t.Errorf("%d panels in %d rows and %d columns", len(f.panels), len(g.rows), g.columns)
	}
}
