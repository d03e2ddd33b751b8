package figure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/report/internal/synthetic"
	"mcsim/sim/result"
)

// otherCharts are the figures on alignment, rules and initialisations.
var otherCharts = []Chart{alignmentExponent, alignmentWeight, ruleVariance, initialisations}

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
		for _, c := range otherCharts {
			if !c.Shows(doc) {
				if found := c.Finding(doc, as); found != "" {
					t.Errorf("%s: %s finds what it does not show: %s", name, c.Name, found)
				}
				continue
			}
			for _, look := range []Look{Web.OnDark(), Print.InColumn()} {
				checkSVG(t, c.SVG(doc, look))
			}
			if text := c.whole(doc); strings.Contains(text, "NaN") || strings.Contains(text, "%!") {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

// Names stand by their theory, the largest above; each has a marker of what is
// measured and one of theory, and its row stands once in the data.
func TestSortedNames(t *testing.T) {
	doc := synthetic.Default()
	ps, _, _ := build(initialisations, doc)
	p := ps[0]
	if want := []string{"he-normal", "glorot-uniform", "torch-mha", "torch-linear", "normal-0.02"}; !slices.Equal(p.names, want) {
		t.Errorf("%v, want %v", p.names, want)
	}
	if len(p.series) != 2 || !p.series[1].theory || p.series[0].theory || len(p.series[1].points) != 5 {
		t.Errorf("%+v", p.series)
	}
	if at := p.series[1].points[slices.IndexFunc(p.series[1].points, func(pt point) bool { return pt.x == 0.5 })]; at.lo != 0.5 || at.hi != 0.5 {
		t.Errorf("the theory of torch-mha stands at %+v", at)
	}
	if rows := table(t, initialisations, doc); len(rows) != 5 {
		t.Errorf("%d rows of data", len(rows))
	}
}

// An initialisation that leaves nothing has its name and no marker, and is
// counted once.
func TestNothingOnALogarithmicAxis(t *testing.T) {
	doc := synthetic.Default()
	doc.Estimates = append(doc.Estimates, result.Estimate{Experiment: "init", Cell: "init/zero", Quantity: "logit_sd", Level: 0.95,
		Params: result.Params{"init": "zero", "d_model": 768.0, "d_k": 64.0}})
	ps, _, _ := build(initialisations, doc)
	if ps[0].lost != 1 || ps[0].names[len(ps[0].names)-1] != "zero" {
		t.Errorf("%d lost, names %v", ps[0].lost, ps[0].names)
	}
	if text := initialisations.whole(doc); !strings.Contains(text, "One value that is not above 0") {
		t.Error(text)
	}
}

// The line of freezing is √(2 ln n) for the n that its label and the caption
// state, whatever the document knows of freezing, and lies on the axis.
func TestFreezingIsMarked(t *testing.T) {
	doc := synthetic.Default()
	doc.Curves = nil
	ps, _, _ := build(initialisations, doc)
	l := ps[0].upright
	if l == nil || !strings.Contains(l.Label, "= 3.7$ for $n = 1024$") || !ps[0].x.inside(l.At) {
		t.Fatalf("%+v", l)
	}
	if keys := math.Exp(l.At * l.At / 2); math.Abs(keys-1024) > 1e-6 {
		t.Errorf("%v is where %v keys freeze", l.At, keys)
	}
	if text := initialisations.whole(doc); !strings.Contains(text, "$n = 1024$") {
		t.Error(text)
	}
}

// Lines of theory are those of the law that is shown, and reach over all d_k,
// where the ticks are.
func TestLinesOfAlignment(t *testing.T) {
	doc := synthetic.Default()
	for _, c := range slices.Clone(doc.Curves) {
		if c.Experiment == "alignment" {
			c.Params = result.Params{"law": "other", "rho": c.Params["rho"], "keys": 8.0}
			doc.Curves = append(doc.Curves, c)
		}
	}
	ps, _, _ := build(alignmentExponent, doc)
	p := ps[0]
	if len(p.lines) != 4 || !p.x.inside(4) || !p.x.inside(256) {
		t.Errorf("%d lines, axis from %v to %v", len(p.lines), p.x.lo, p.x.hi)
	}
	var labels []string
	for _, tick := range alignmentExponent.prepare(doc, Web).xTicks(p, 400) {
		labels = append(labels, tick.label)
	}
	if !slices.Contains(labels, "4") || !slices.Contains(labels, "256") {
		t.Errorf("ticks %q", labels)
	}
}
