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
	"mcsim/report/selection"
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
		for _, pt := range s.Marks {
			row := len(p.RowNames) - 1 - int(pt.Y)
			of, off := want[row].all, 0.25 // few samples
			if strings.HasPrefix(s.Title, "between") {
				of = want[row].seen
			}
			if s.Theory {
				off = 1e-12
			}
			if p.RowNames[row] != want[row].name+", $d_k = 64$" || math.Abs(pt.X-of) > off*of {
				t.Errorf("%s, theory: %v: %s stands at %v, want %v", s.Title, s.Theory, p.RowNames[row], pt.X, of)
			}
		}
	}
}

// Initialisations stand by their theory, the largest first; one that leaves nothing has no place
// on a logarithmic axis.
func TestSortedNames(t *testing.T) {
	doc := sample.Document()
	doc.Estimates = append(doc.Estimates, result.Estimate{Experiment: "init", Cell: "init/zero", Quantity: "logit_sd", Level: 0.95, Theory: result.Absent(),
		Params: result.Params{"init": "zero", "d_model": 768.0, "d_k": 64.0}})
	f := charted("initialisations").Of(doc)
	p := f.panels[0]
	if want := []string{"he-normal", "keras", "torch-mha", "torch-linear", "normal-0.02"}; !slices.Equal(p.RowNames, want) {
		t.Errorf("%v, want %v", p.RowNames, want)
	}
}

// Dead rows are concentrated, so that their share is no larger.
func TestShares(t *testing.T) {
	for _, panel := range charted("labels").Of(sample.Document()).panels {
		if len(panel.Series) != 2 {
			t.Fatalf("%d lines, want 2", len(panel.Series))
		}
		concentrated, dead := panel.Series[0].Marks, panel.Series[1].Marks
		for i, pt := range dead {
			if pt.X != concentrated[i].X || pt.Y > concentrated[i].Y {
				t.Errorf("d_k = %v: the share %v of dead rows, %v of concentrated ones", pt.X, pt.Y, concentrated[i].Y)
			}
		}
	}
}

// Every cell of a map has the colour of its rows on the canvas, around the tick of its column
// and that of its row; columns with gaps are left out.
func TestMaps(t *testing.T) {
	for _, name := range []string{"softmax-map", "keys-map"} {
		for look, in := range themes {
			d, on := drawnOn(charted(name).Of(sample.Document()), in)
			p, b := d.panels[0], boxesOf(d)[0]
			filled := func(at vg.Point, k color.NRGBA) bool {
				return slices.ContainsFunc(on.calls, func(c call) bool {
					return c.width == 0 && c.colour == k && len(c.path) == 5 && c.path[0].Pos.X < at.X && c.path[0].Pos.Y < at.Y && c.path[2].Pos.X > at.X && c.path[2].Pos.Y > at.Y
				})
			}
			if len(p.Cells) != len(p.Xs)*len(p.Ys) || slices.Contains(p.Xs, 16) && name == "keys-map" {
				t.Errorf("%s: %d cells in %d columns", name, len(p.Cells), len(p.Xs))
			}
			for _, c := range p.Cells {
				column, row := d.xTicks(p, b.Width())[int(c.Column)], d.yTicks(p, b.Height())[int(c.Row)]
				if !filled(vg.Point{X: b.X(p.ScaleX.Unit(column.At)), Y: b.Y(p.ScaleY.Unit(row.At))}, in.Colour(c.Colour)) {
					t.Errorf("%s, %s: no field of its colour stands at %s, %s", name, look, column.Label, row.Label)
				}
			}
		}
	}
}

// Of many exponents the figure on targets shows three, in points and lines.
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
	for _, p := range panelsOf("targets", doc) {
		for _, s := range p.Series {
			shown[s.Title] = true
		}
		for _, l := range p.Curves {
			shown[l.Label] = true
		}
	}
	if len(shown) != 3 || !shown["$d_k$, $p = 1$"] || !shown[`$\sqrt{d_k}$, $p = 1/2$`] || !shown["unscaled, $p = 0$"] {
		t.Errorf("it shows %v", shown)
	}
}

// Theory at one point is no line, and nothing says that there is one.
func TestNoLineOfOnePoint(t *testing.T) {
	for most, line := range map[float64]bool{1: false, 2: true} {
		f := charted("scaled").Of(sample.Distribution("uniform", most))
		if said := strings.Contains(f.fullCaption(), "lines are theory"); said != line {
			t.Errorf("up to d_k = %v: lines are named: %v", most, said)
		}
	}
}

// An axis goes as far as its lines, and has its ticks at powers of two from end to end.
func TestTicksOfPowersOfTwo(t *testing.T) {
	for chart, want := range map[string]string{"alignment-exponent": "4 to 256", "walks": "8 to 256"} {
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
	want := selection.Curves(doc, selection.Of(names.ExperimentRanks, names.PartialScore), names.ParamComponents)
	for i, p := range panelsOf("walks", doc) {
		exponent := []float64{0, 0.5, 1}[i]
		over := func(d float64) float64 { return math.Pow(d, exponent) }
		if style, _ := theme.ExponentStyle(exponent); len(p.Curves) != len(want) || len(want) != 8 || p.Curves[0].Style.Colour != style.Colour {
			t.Fatalf("panel %d shows %d lines", i, len(p.Curves))
		}
		for j, l := range p.Curves {
			first := slices.Index(want[j].X, 8) // of fewer components nothing is shown
			want[j].X, want[j].Y = want[j].X[first:], want[j].Y[first:]
			for k, x := range l.Xs {
				if y := float64(want[j].Y[k]) / over(x); x != float64(want[j].X[k]) || math.Abs(l.Ys[k]-y) > 1e-12*math.Abs(y) {
					t.Errorf("panel %d, key %d, after %v components: %v, want %v", i, j+1, x, l.Ys[k], y)
				}
			}
		}
		for _, e := range p.Ribbons[0].At {
			if two := 2 * math.Sqrt(e.X) / over(e.X); math.Abs(e.Hi-two) > 1e-12*two || e.Lo != -e.Hi {
				t.Errorf("panel %d: the envelope at %v goes from %v to %v, want %v", i, e.X, e.Lo, e.Hi, two)
			}
		}
	}
}

// Bars are the document's means, whiskers its quantiles, and every d_k has a row of
// panels of its own.
func TestRankedWeightsAreThoseOfTheDocument(t *testing.T) {
	doc := sample.Document()
	for i, p := range panelsOf("ranked-weights", doc) {
		d, e := []float64{4, 64, 256}[i/3], []float64{0, 0.5, 1}[i%3]
		if len(p.Series) != 1 || len(p.Series[0].Marks) != 8 || !strings.HasPrefix(p.Title, fmt.Sprintf("(%c) $d_k = %v$: ", 'a'+i, d)) || p.ScaleY.Lo != 0 {
			t.Fatalf("panel %d: title %q, from %v, %+v", i, p.Title, p.ScaleY.Lo, p.Series)
		}
		for _, m := range p.Series[0].Marks {
			at := selection.Of(names.ExperimentRanks, names.RankedWeight).With(names.ParamDimension, d).With(names.ParamExponent, e).With(names.ParamRank, m.X)
			if r, ok := selection.One(doc, at); !ok || float64(r.Value) != m.Y {
				t.Errorf("panel %d, rank %v: %v is shown, the mean is %v", i, m.X, m.Y, r.Value)
			}
			for quantile, has := range map[float64]float64{0.05: m.Lo, 0.95: m.Hi} {
				at.Quantity = names.Quantile(names.RankedWeight, quantile)
				if r, ok := selection.One(doc, at); !ok || float64(r.Value) != has {
					t.Errorf("panel %d, rank %v: %v is shown, the %v quantile is %v", i, m.X, has, quantile, r.Value)
				}
			}
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
	if svg := fileOf(charted("gates").Of(doc), "svg", theme.Web); len(svg) > 200_000 {
		t.Errorf("%d gates take %d bytes", len(doc.Gates), len(svg))
	}
	sample.Break(doc, 3, result.Fail)
	sample.Break(doc, 30, result.Undecided)
	seen := entries(panelsOf("gates", doc))
	if len(seen) != 4 || seen[0].label != "pass" || seen[0].style.Colour == seen[1].style.Colour || !seen[1].marker || !seen[2].marker || seen[1].label != "fail" || seen[2].label != "undecided" {
		t.Errorf("the legend has %+v", seen)
	}
	if a, b := seen[1].style, seen[2].style; a.Colour == b.Colour || len(a.Marker) == len(b.Marker) {
		t.Errorf("%+v and %+v look alike", a, b)
	}
}
