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

// These tests compare the marks of single charts with the estimates of the sample.

// TestMismatchedComponents checks that the chart shows the variance of all scores and the variance
// between keys, for components with one mismatch.
func TestMismatchedComponents(t *testing.T) {
	want := []struct {
		name        string
		variance    float64 // from the equation of the page
		betweenKeys float64 // the same without the equation's middle term
	}{
		{"as assumed", 1, 1}, {"key mean 1/2", 1.25, 1}, {"query standard deviation 2", 4, 4},
	}
	p := panelsOf("mismatch", sample.Document())[0]
	if len(p.Categories) != len(want) || len(p.Series) != 2 {
		t.Fatalf("got %d series in the categories %q, want 2 series in %d categories", len(p.Series), p.Categories,
			len(want))
	}
	for _, s := range p.Series {
		for _, pt := range s.Markers {
			i := len(p.Categories) - 1 - int(pt.Y)
			variance, tolerance := want[i].variance, 0.25 // the sample is small
			if strings.HasPrefix(s.Title, "between") {
				variance = want[i].betweenKeys
			}
			if p.Categories[i] != want[i].name {
				t.Errorf("category %d is %s, want %s", i, p.Categories[i], want[i].name)
			}
			if math.Abs(pt.X-variance) > tolerance*variance {
				t.Errorf("%s: the marker of %s is at %v, want %v", s.Title, p.Categories[i], pt.X, variance)
			}
		}
	}
}

// TestSortedCategories checks that initialisations are sorted by their theory, the largest first.
// A value of 0 is omitted from the logarithmic axis.
func TestSortedCategories(t *testing.T) {
	doc := sample.Document()
	doc.Estimates = append(doc.Estimates, result.Estimate{
		Experiment: "init", Cell: "init/zero", Quantity: "logit_sd", Level: 0.95, Theory: result.Absent(),
		Params: result.Params{"init": "zero", "d_model": 768.0, "d_k": 64.0},
	})
	p := panelsOf("initialisations", doc)[0]
	want := []string{"he-normal", "keras", "torch-mha", "torch-linear", "normal-0.02"}
	if !slices.Equal(p.Categories, want) {
		t.Errorf("the categories are %v, want %v", p.Categories, want)
	}
}

// TestProportions checks that the proportion of dead rows is at most the proportion of concentrated
// rows, since dead rows are also concentrated.
func TestProportions(t *testing.T) {
	for _, panel := range panelsOf("labels", sample.Document()) {
		if len(panel.Series) != 2 {
			t.Fatalf("got %d series, want 2", len(panel.Series))
		}
		concentrated, dead := panel.Series[0].Markers, panel.Series[1].Markers
		for i, pt := range dead {
			if pt.X != concentrated[i].X {
				t.Errorf("marker %d is at d_k = %v for dead rows and at %v for concentrated rows, want the same",
					i, pt.X, concentrated[i].X)
			}
			if pt.Y > concentrated[i].Y {
				t.Errorf("d_k = %v: the proportion of dead rows is %v, want at most %v as for concentrated rows",
					pt.X, pt.Y, concentrated[i].Y)
			}
		}
	}
}

// TestHeatMaps checks that every cell of a heat map is a rectangle of its colour around the ticks
// of its column and row. Columns with gaps are omitted.
func TestHeatMaps(t *testing.T) {
	for _, name := range []string{"softmax-map", "keys-map"} {
		for themeName, style := range themes {
			d, rec := record(chartByName(name).NewFigure(sample.Document()), style)
			p, b := d.panels[0], d.axes[0]
			hasRectangle := func(centre vg.Point, k color.NRGBA) bool {
				return slices.ContainsFunc(rec.painted, func(c paintedPath) bool {
					if c.width != 0 || c.colour != k || len(c.path) != 5 {
						return false
					}
					low, high := c.path[0].Pos, c.path[2].Pos
					return low.X < centre.X && low.Y < centre.Y && high.X > centre.X && high.Y > centre.Y
				})
			}
			if want := len(p.Xs) * len(p.Ys); len(p.HeatCells) != want {
				t.Errorf("%s: got %d cells, want %d", name, len(p.HeatCells), want)
			}
			if name == "keys-map" && slices.Contains(p.Xs, 16) {
				t.Errorf("%s: the column 16 is shown, which has gaps", name)
			}
			for _, c := range p.HeatCells {
				column, row := d.xTicks(p, b.Width())[int(c.Column)], d.yTicks(p, b.Height())[int(c.Row)]
				centre := vg.Point{X: b.X(p.ScaleX.Position(column.Value)), Y: b.Y(p.ScaleY.Position(row.Value))}
				if !hasRectangle(centre, style.Colour(c.Colour)) {
					t.Errorf("%s, %s: no cell of the colour at %s, %s", name, themeName, column.Label, row.Label)
				}
			}
		}
	}
}

// TestFewExponents checks that the chart on targets shows only three of many exponents.
func TestFewExponents(t *testing.T) {
	doc := sample.Document()
	for _, e := range slices.Clone(doc.Estimates) {
		if e.Experiment == "softmax" && isParam(e, "exponent", 0.5) {
			for _, exponent := range []float64{0.125, 0.25, 0.375, 0.625} {
				e.Params = maps.Clone(e.Params)
				e.Params["exponent"] = exponent
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
		t.Errorf("the chart shows %v, want only the exponents 0, 1/2 and 1", shown)
	}
}

// TestCaptionOfOnePoint checks that theory at only one d_k is not a line, and the caption does not
// mention lines.
func TestCaptionOfOnePoint(t *testing.T) {
	for maxDimension, want := range map[float64]bool{1: false, 2: true} {
		f := chartByName("scaled").NewFigure(sample.OneDistribution("uniform", maxDimension))
		if got := strings.Contains(f.fullCaption(), "lines are theory"); got != want {
			t.Errorf("up to d_k = %v, the caption mentions lines: %v, want %v", maxDimension, got, want)
		}
	}
}

// TestTicksOfPowersOfTwo checks that the first and the last tick are at the ends of the lines,
// which are powers of two.
func TestTicksOfPowersOfTwo(t *testing.T) {
	for chart, want := range map[string]string{"alignment-exponent": "4 to 256", "walks": "8 to 256"} {
		d := chartByName(chart).NewFigure(sample.Document()).prepare(theme.Web)
		ticks := d.xTicks(d.panels[0], 400)
		if got := fmt.Sprint(ticks[0].Value, " to ", ticks[len(ticks)-1].Value); got != want {
			t.Errorf("%s has ticks from %s, want %s", chart, got, want)
		}
	}
}

// TestWalksAreTheLinesOfTheDocument checks the three panels of walks, in which the partial sums of
// d components are divided by 1, √d and d. The lines must show the document's curves, divided by
// the scale of the panel, in the colour of the scale. The bands must show ±2√d, divided by the
// scale.
func TestWalksAreTheLinesOfTheDocument(t *testing.T) {
	doc := sample.Document()
	want := selection.Curves(doc, selection.NewFilter(names.ExperimentRanks, names.PartialScore), names.ParamComponents)
	for i, p := range panelsOf("walks", doc) {
		exponent := []float64{0, 0.5, 1}[i]
		scale := func(d float64) float64 { return math.Pow(d, exponent) }
		if len(p.Curves) != len(want) || len(want) != 8 {
			t.Fatalf("panel %d shows %d of %d curves, want all of 8", i, len(p.Curves), len(want))
		}
		if style, _ := theme.ExponentStyle(exponent); p.Curves[0].Style.Colour != style.Colour {
			t.Fatalf("panel %d has the colour %v, want %v", i, p.Curves[0].Style.Colour, style.Colour)
		}
		for j, l := range p.Curves {
			first := slices.Index(want[j].X, 8) // sums of fewer components are not shown
			want[j].X, want[j].Y = want[j].X[first:], want[j].Y[first:]
			for k, x := range l.Xs {
				y := float64(want[j].Y[k]) / scale(x)
				if x != float64(want[j].X[k]) || math.Abs(l.Ys[k]-y) > 1e-12*math.Abs(y) {
					t.Errorf("panel %d, key %d: got %v after %v components, want %v", i, j+1, l.Ys[k], x, y)
				}
			}
		}
		for _, e := range p.Ribbons[0].Limits {
			halfWidth := 2 * math.Sqrt(e.X) / scale(e.X)
			if math.Abs(e.Hi-halfWidth) > 1e-12*halfWidth || e.Lo != -e.Hi {
				t.Errorf("panel %d: the band at %v goes from %v to %v, want ±%v", i, e.X, e.Lo, e.Hi, halfWidth)
			}
		}
	}
}

// TestRankedWeightsAreThoseOfTheDocument checks that the bars show the document's means and that
// the error bars show its quantiles. Every d_k must have a separate row of panels.
func TestRankedWeightsAreThoseOfTheDocument(t *testing.T) {
	doc := sample.Document()
	for i, p := range panelsOf("ranked-weights", doc) {
		d, exponent := []float64{4, 64, 256}[i/3], []float64{0, 0.5, 1}[i%3]
		if len(p.Series) != 1 || len(p.Series[0].Markers) != 8 || p.ScaleY.Lo != 0 {
			t.Fatalf("panel %d: got an axis from %v and series %+v, want an axis from 0 and one series of 8 bars", i,
				p.ScaleY.Lo, p.Series)
		}
		if title := fmt.Sprintf("(%c) $d_k = %v$: ", 'a'+i, d); !strings.HasPrefix(p.Title, title) {
			t.Fatalf("panel %d: title %q, want %q", i, p.Title, title)
		}
		for _, m := range p.Series[0].Markers {
			f := selection.NewFilter(names.ExperimentRanks, names.RankedWeight).Fix(names.ParamDimension, d).
				Fix(names.ParamExponent, exponent).Fix(names.ParamRank, m.X)
			if e, ok := selection.FindEstimate(doc, f); !ok || float64(e.Value) != m.Y {
				t.Errorf("panel %d, rank %v: the bar ends at %v, want the mean %v", i, m.X, m.Y, e.Value)
			}
			for quantile, got := range map[float64]float64{0.05: m.Lo, 0.95: m.Hi} {
				f.Quantity = names.Quantile(names.RankedWeight, quantile)
				if e, ok := selection.FindEstimate(doc, f); !ok || float64(e.Value) != got {
					t.Errorf("panel %d, rank %v: the error bar ends at %v, want the %v quantile %v",
						i, m.X, got, quantile, e.Value)
				}
			}
		}
	}
}

// TestGatesThatDoNotPassAreDistinct checks that gates that pass, fail or are undecided differ in
// their markers and colours, and have separate entries in the legend. It also checks that the file
// of a thousand gates is small.
func TestGatesThatDoNotPassAreDistinct(t *testing.T) {
	doc := sample.Document()
	for len(doc.Gates) < 1400 {
		doc.Gates = append(doc.Gates, doc.Gates...)
	}
	if svg := mustFile(chartByName("gates").NewFigure(doc), "svg", theme.Web); len(svg) > 200_000 {
		t.Errorf("the SVG of %d gates has %d bytes, want at most 200 000", len(doc.Gates), len(svg))
	}
	sample.SetVerdict(doc, 3, result.Fail)
	sample.SetVerdict(doc, 30, result.Undecided)
	legend := legendEntries(panelsOf("gates", doc))
	if len(legend) != 4 {
		t.Fatalf("the legend has %d entries, want 4: %+v", len(legend), legend)
	}
	pass, fail, undecided := legend[0], legend[1], legend[2]
	if pass.label != "pass" || fail.label != "fail" || undecided.label != "undecided" {
		t.Errorf("the first labels of the legend are %q, %q and %q, want pass, fail and undecided",
			pass.label, fail.label, undecided.label)
	}
	if pass.style.Colour == fail.style.Colour {
		t.Errorf("pass and fail have the same colour: %+v", legend)
	}
	if !fail.hasMarker || !undecided.hasMarker {
		t.Errorf("fail or undecided has no marker: %+v", legend)
	}
	if a, b := fail.style, undecided.style; a.Colour == b.Colour || len(a.Marker) == len(b.Marker) {
		t.Errorf("fail and undecided have the same colour or marker: %+v and %+v", a, b)
	}
}
