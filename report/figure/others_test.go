package figure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/plot"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// otherCharts are the figures on alignment, rules and initialisations.
func otherCharts() []Chart {
	return []Chart{charted("alignment-exponent"), charted("alignment-weight"), charted("rules"), charted("initialisations")}
}

// Whatever is left of their rows is drawn, and nothing else is spoken of.
func TestFewOtherRows(t *testing.T) {
	for name, doc := range map[string]*result.Document{
		"one rho":  without(func(e result.Estimate) bool { return e.Experiment == "alignment" && !number(e, "rho", 0.5) }),
		"one p":    without(func(e result.Estimate) bool { return number(e, "exponent", 0.5) }),
		"one d_k":  without(func(e result.Estimate) bool { return e.Params["d_k"] != nil && !number(e, "d_k", 64) }),
		"one rule": without(func(e result.Estimate) bool { return e.Experiment == "rules" && e.Params["rule"] != "power(0)" }),
		"one init": without(func(e result.Estimate) bool { return e.Experiment == "init" && e.Params["init"] != "he-normal" }),
		"none": without(func(e result.Estimate) bool {
			return slices.Contains([]string{"init", "rules", "alignment"}, e.Experiment)
		}),
	} {
		for _, c := range otherCharts() {
			if !c.Of(doc).Shows() {
				if found := c.Of(doc).Finding(as); found != "" {
					t.Errorf("%s: %s finds what it does not show: %s", name, c.Name, found)
				}
				continue
			}
			for _, in := range []theme.Theme{theme.Web.OnDark(), theme.Print.InColumn()} {
				checkSVG(t, c.Of(doc).SVG(in))
			}
			if text := c.Of(doc).fullCaption(); strings.Contains(text, "NaN") || strings.Contains(text, "%!") {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

// Names stand by their theory, the largest above; each has a marker of what is
// measured and one of theory, and its row stands once in the data.
func TestSortedNames(t *testing.T) {
	doc := sample.Document()
	ps := charted("initialisations").Of(doc).panels
	p := ps[0]
	if want := []string{"he-normal", "keras", "torch-mha", "torch-linear", "normal-0.02"}; !slices.Equal(p.RowNames, want) {
		t.Errorf("%v, want %v", p.RowNames, want)
	}
	if len(p.Series) != 2 || !p.Series[1].Theory || p.Series[0].Theory || len(p.Series[1].Points) != 5 {
		t.Errorf("%+v", p.Series)
	}
	if at := p.Series[1].Points[slices.IndexFunc(p.Series[1].Points, func(pt plot.Point) bool { return pt.X == 0.5 })]; at.Lo != 0.5 || at.Hi != 0.5 {
		t.Errorf("the theory of torch-mha stands at %+v", at)
	}
	if rows := table(t, charted("initialisations"), doc); len(rows) != 5 {
		t.Errorf("%d rows of data", len(rows))
	}
}

// An initialisation that leaves nothing has its name and no marker, and the caption names
// it in place of a count.
func TestNothingOnALogarithmicAxis(t *testing.T) {
	doc := sample.Document()
	doc.Estimates = append(doc.Estimates, result.Estimate{Experiment: "init", Cell: "init/zero", Quantity: "logit_sd", Level: 0.95,
		Params: result.Params{"init": "zero", "d_model": 768.0, "d_k": 64.0}})
	ps := charted("initialisations").Of(doc).panels
	if ps[0].Lost != 1 || ps[0].RowNames[len(ps[0].RowNames)-1] != "zero" {
		t.Errorf("%d lost, names %v", ps[0].Lost, ps[0].RowNames)
	}
	if text := charted("initialisations").Of(doc).fullCaption(); !strings.Contains(text, ", apart from zero, where it is 0.") || strings.Contains(text, "One value that is not above 0") {
		t.Error(text)
	}
}

// Lines of theory are those of the law that is shown, and reach over all d_k,
// where the ticks are.
func TestLinesOfAlignment(t *testing.T) {
	doc := sample.Document()
	for _, c := range slices.Clone(doc.Curves) {
		if c.Experiment == "alignment" {
			c.Params = result.Params{"law": "other", "rho": c.Params["rho"], "keys": 8.0}
			doc.Curves = append(doc.Curves, c)
		}
	}
	ps := charted("alignment-exponent").Of(doc).panels
	p := ps[0]
	if len(p.Theory) != 4 || !p.ScaleX.Inside(4) || !p.ScaleX.Inside(256) {
		t.Errorf("%d lines, axis from %v to %v", len(p.Theory), p.ScaleX.Lo, p.ScaleX.Hi)
	}
	var labels []string
	for _, tick := range charted("alignment-exponent").Of(doc).prepare(theme.Web).xTicks(p, 400) {
		labels = append(labels, tick.Label)
	}
	if !slices.Contains(labels, "4") || !slices.Contains(labels, "256") {
		t.Errorf("ticks %q", labels)
	}
}

// The zones of initialisations are those of the table of names, lie on the axis, and the
// middle one is shaded from end to end.
func TestZonesOfInitialisations(t *testing.T) {
	d := charted("initialisations").Of(sample.Document()).prepare(theme.Web)
	p := d.panels[0]
	if len(p.Zones) != 3 || p.Zones[0].To != names.SafeFrom || p.Zones[1].To != names.FreezesFrom || !p.ScaleX.Inside(names.SafeFrom) || !p.ScaleX.Inside(names.FreezesFrom) {
		t.Fatalf("zones %+v from %v to %v", p.Zones, p.ScaleX.Lo, p.ScaleX.Hi)
	}
	if !p.Zones[1].Shaded || p.Zones[0].Shaded || p.Zones[2].Shaded {
		t.Errorf("shaded: %+v", p.Zones)
	}
}

// The band of the exponents that make the variance flat is that of the gates on slopes,
// half as wide, in the row of its law.
func TestToleranceOfExponents(t *testing.T) {
	doc := sample.Document()
	p := charted("slope").Of(doc).panels[1]
	if len(p.Tolerance) != len(p.RowNames) {
		t.Fatalf("%d bands of %d laws", len(p.Tolerance), len(p.RowNames))
	}
	for _, g := range doc.Gates {
		law, _ := g.Params.Text("law")
		row := slices.Index(p.RowNames, law)
		if g.Quantity != "variance_slope" || row < 0 {
			continue
		}
		i := slices.IndexFunc(p.Tolerance, func(l plot.Limits) bool { return l.X == float64(len(p.RowNames)-1-row) })
		if i < 0 || math.Abs(2*p.Tolerance[i].Lo-float64(g.Band[0])) > 1e-12 || math.Abs(2*p.Tolerance[i].Hi-float64(g.Band[1])) > 1e-12 {
			t.Errorf("%s: the band is not half of %v", law, g.Band)
		}
		if !p.ScaleX.Inside(p.Tolerance[i].Lo) || !p.ScaleX.Inside(p.Tolerance[i].Hi) {
			t.Errorf("%s: the band is cut", law)
		}
	}
}

// The line of equal weights is one over the keys of the rows.
func TestEqualWeightsAreMarked(t *testing.T) {
	for _, p := range charted("alignment-weight").Of(sample.Document()).panels {
		if keys, _ := p.Shown[0].Params.Number("keys"); p.Level == nil || p.Level.At != 1/keys {
			t.Errorf("%s: %+v", p.Title, p.Level)
		}
	}
}
