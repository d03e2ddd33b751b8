package figure

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/plot"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// softmaxCharts are the figures on softmax and on stacks of layers.
func softmaxCharts() []Chart {
	return []Chart{charted("softmax-map"), charted("gradients"), charted("saturation"), charted("temperature"), charted("freezing-map"), charted("depth-survival"), charted("depth-variance"), charted("depth-cosine")}
}

// without returns the default document without the rows that are dropped.
func without(drop func(result.Estimate) bool) *result.Document {
	doc := sample.Document()
	doc.Estimates = slices.DeleteFunc(doc.Estimates, drop)
	return doc
}

func number(e result.Estimate, param string, value float64) bool {
	x, ok := e.Params.Number(param)
	return ok && x == value
}

// A plan may have drawn some exponents, one d_k, one temperature or one way of
// a stack; whatever is left is drawn, and nothing else is spoken of.
func TestPartialGrids(t *testing.T) {
	if testing.Short() {
		t.Skip("draws the figures many times")
	}
	softmax := func(e result.Estimate) bool { return e.Experiment == "softmax" }
	for name, doc := range map[string]*result.Document{
		"one exponent":    without(func(e result.Estimate) bool { return softmax(e) && !number(e, "exponent", 0.25) }),
		"no scale":        without(func(e result.Estimate) bool { return softmax(e) && number(e, "exponent", 0) }),
		"one d_k":         without(func(e result.Estimate) bool { return softmax(e) && !number(e, "d_k", 64) }),
		"one temperature": without(func(e result.Estimate) bool { return softmax(e) && !number(e, "temperature", 2) }),
		"limits alone": without(func(e result.Estimate) bool {
			x, ok := e.Params.Number("temperature")
			return softmax(e) && ok && x > 0
		}),
		"no medians":   without(func(e result.Estimate) bool { return strings.HasSuffix(e.Quantity, "_q50") }),
		"no shares":    without(func(e result.Estimate) bool { return strings.HasSuffix(e.Quantity, "_share") }),
		"shared alone": without(func(e result.Estimate) bool { return softmax(e) && e.Params["shared_keys"] == nil }),
		"one key":      without(func(e result.Estimate) bool { return e.Experiment == "freezing" && !number(e, "keys", 8) }),
		"one layer":    without(func(e result.Estimate) bool { return e.Experiment == "depth" && !number(e, "layer", 1) }),
		"no residual":  without(func(e result.Estimate) bool { return e.Params["residual"] == "yes" }),
	} {
		for _, c := range softmaxCharts() {
			if !c.Of(doc).Shows() {
				if name == "limits alone" || c.Of(doc).Finding(as) == "" || name == "no medians" || name == "no shares" {
					continue
				}
				t.Errorf("%s: %s finds what it does not show", name, c.Name)
				continue
			}
			for _, in := range []theme.Theme{theme.Web.OnDark(), theme.Print.InColumn()} {
				checkSVG(t, c.Of(doc).SVG(in))
			}
			for _, format := range []string{"csv", "md", "tex"} {
				if _, err := c.Of(doc).File(format, theme.Print); err != nil {
					t.Errorf("%s: %s.%s: %v", name, c.Name, format, err)
				}
			}
		}
	}
}

// Queries that share their keys stand in no figure.
func TestSharedKeysAreLeftOut(t *testing.T) {
	for _, c := range softmaxCharts() {
		ps := c.Of(sample.Document()).panels
		for _, p := range ps {
			for _, e := range p.Shown {
				if e.Params["shared_keys"] != nil {
					t.Errorf("%s shows %v", c.Name, e.Params)
				}
			}
		}
	}
}

// A cell, a bar and the labels of the document know the same bounds.
func TestGrades(t *testing.T) {
	for r, want := range map[float64]string{1: "healthy", 0.5: "healthy", 0.49: "fading", 0.05: "fading", 0.049: "dying", 0.001: "dying", 0.0009: "dead", 0: "dead"} {
		if got := plot.GradeOf(r).Name; got != want {
			t.Errorf("R = %v is %s, want %s", r, got, want)
		}
	}
}

// The parts of a bar are the shares of the rows, the worst below, and fill it.
func TestStackedShares(t *testing.T) {
	ps := charted("saturation").Of(sample.Document()).panels
	if len(ps) != 4 || ps[0].Bars == nil || ps[2].Bars != nil {
		t.Fatalf("%d panels", len(ps))
	}
	for _, b := range ps[0].Bars.Bars {
		if n := len(b.Parts); n != 4 || b.Parts[0].Grade.Name != "dead" || b.Parts[0].Lo != 0 || math.Abs(b.Parts[3].Hi-1) > 1e-9 {
			t.Errorf("d_k = %v: %+v", b.X, b.Parts)
		}
	}
}

// A map leaves out a column that was drawn at fewer heights, and says so.
func TestWholeColumns(t *testing.T) {
	ps := charted("freezing-map").Of(sample.Document()).panels
	for _, p := range ps {
		if slices.Contains(p.Map.Xs, 16) || len(p.Map.Colours) != len(p.Map.Xs)*len(p.Map.Ys) {
			t.Errorf("columns at %v", p.Map.Xs)
		}
	}
	if text := charted("freezing-map").Of(sample.Document()).fullCaption(); !strings.Contains(text, "One column that was drawn at fewer heights is left out.") || !strings.Contains(text, "drawn directly") {
		t.Error(text)
	}
}

// Lines run from left to right, whatever order their points stand in.
func TestLinesRise(t *testing.T) {
	doc := sample.Document()
	for _, c := range doc.Curves {
		slices.Reverse(c.X)
		slices.Reverse(c.Y)
	}
	ps := charted("temperature").Of(doc).panels
	if l := ps[0].Theory; len(l) != 2 || !slices.IsSorted(l[0].Xs) || l[0].Xs[0] != 0.5 || l[0].Xs[len(l[0].Xs)-1] != 8 {
		t.Errorf("%+v", l)
	}
}

// The limits of the temperature stand outside all others, and no line of
// theory goes to them.
func TestLimitsOfTemperature(t *testing.T) {
	doc := sample.Document()
	ps := charted("temperature").Of(doc).panels
	p := ps[0]
	if p.LimitsAt != [2]float64{0.125, 32} || p.Xs[0] != 0.125 || p.Xs[len(p.Xs)-1] != 32 || p.Vertical == nil || p.Vertical.At != 8 {
		t.Errorf("limits %v, x %v, line %v", p.LimitsAt, p.Xs, p.Vertical)
	}
	for _, l := range p.Theory {
		if l.Xs[0] != 0.5 || l.Xs[len(l.Xs)-1] != 8 {
			t.Errorf("the line goes from %v to %v", l.Xs[0], l.Xs[len(l.Xs)-1])
		}
	}
	var labels []string
	for _, tick := range charted("temperature").Of(doc).prepare(theme.Web).xTicks(p, 400) {
		labels = append(labels, tick.Label)
	}
	if labels[0] != "0" || labels[len(labels)-1] != `$\infty$` || !slices.Contains(labels, "8") {
		t.Errorf("ticks %q", labels)
	}
}

// What lies below the start of an axis that declares one is left out, and counted.
func TestAxisStarts(t *testing.T) {
	c := charted("gradients")
	c.Panels = slices.Clone(c.Panels)
	c.Panels[2].Y.From, c.Panels[2].Y.Log = 0.03, true
	p := c.Of(sample.Document()).panels[2]
	if low := p.ScaleY.Lo; low < 0.01 || p.Below == 0 {
		t.Errorf("the axis starts at %v, %d below", low, p.Below)
	}
	if text := c.Of(sample.Document()).fullCaption(); !strings.Contains(text, "below the axis is left out") {
		t.Error(text)
	}
}

// The axes of the figures on softmax hold all that these show: markers, both ends of their
// bars, arrows and lines, in the sample and where a row is far from all others.
func TestAxesHoldAllOfSoftmax(t *testing.T) {
	far := sample.Document()
	for i := range far.Estimates {
		if e := &far.Estimates[i]; e.Experiment == "softmax" && number(*e, "d_k", 256) && number(*e, "exponent", 0) {
			e.Value, e.Lo, e.Hi = e.Value*1e-8, e.Lo*1e-8, e.Hi*1e-8
		}
	}
	count := 0
	for name, doc := range map[string]*result.Document{"sample": sample.Document(), "far": far} {
		for _, chart := range []string{"gradients", "saturation", "temperature"} {
			for i, p := range charted(chart).Of(doc).panels {
				if p.Lost+p.Below > 0 {
					t.Errorf("%s, %s, panel %d: %d values are left out", name, chart, i, p.Lost+p.Below)
				}
				for _, s := range p.Series {
					for _, pt := range s.Points {
						for _, y := range []float64{pt.Y, pt.Lo, pt.Hi} {
							count++
							if !math.IsNaN(y) && !(p.Y.Log && y == 0) && !p.ScaleY.Inside(y) || !p.ScaleX.Inside(pt.X) {
								t.Errorf("%s, %s, panel %d: %v at %v is beyond %v", name, chart, i, y, pt.X, p.ScaleY)
							}
						}
					}
				}
			}
		}
	}
	if count == 0 {
		t.Fatal("nothing is shown")
	}
}

// Shares without a scale and with it stand on one axis, so that their heights compare.
func TestSharesHaveOneAxis(t *testing.T) {
	ps := charted("saturation").Of(sample.Document()).panels
	if ps[2].ScaleY != ps[3].ScaleY || ps[2].ScaleY.Hi < 1 {
		t.Errorf("%v and %v", ps[2].ScaleY, ps[3].ScaleY)
	}
}

// Where one temperature is a limit in which all rows are the same, nothing of their error
// is unknown; what differs from theory there stays pale.
func TestLimitsDoNotVary(t *testing.T) {
	doc := sample.Document()
	at := func(e *result.Estimate) bool {
		return e.Experiment == "softmax" && e.Quantity == "max_weight" && number(*e, "temperature", 0)
	}
	for _, value := range []result.Number{1, 0.9} {
		for i := range doc.Estimates {
			if e := &doc.Estimates[i]; at(e) {
				e.Value, e.Theory, e.SE, e.Lo, e.Hi = value, 1, result.Absent(), result.Absent(), result.Absent()
			}
		}
		if unsure := Drawn(charted("temperature").Of(doc).panels).Points(plot.Unsure.Is); unsure != (value != 1) {
			t.Errorf("a largest weight of %v: not known %v", value, unsure)
		}
	}
}

// Of many exponents the figure on gradients shows the quarters, in points and lines, and of
// few all.
func TestFewExponents(t *testing.T) {
	doc := sample.Document()
	for _, e := range slices.Clone(doc.Estimates) {
		if p, ok := e.Params.Number("exponent"); ok && e.Experiment == "softmax" && p == 0.5 {
			for _, other := range []float64{0.125, 0.25, 0.375, 0.625} {
				e.Params = maps.Clone(e.Params)
				e.Params["exponent"] = other
				doc.Estimates = append(doc.Estimates, e)
			}
		}
	}
	shown := map[string]bool{}
	for _, p := range charted("gradients").Of(doc).panels {
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

// A share of which no row was seen hangs as an arrow from the end of its interval, and the
// caption says so.
func TestNoneSeenHangs(t *testing.T) {
	doc := sample.Document()
	for i := range doc.Estimates {
		if e := &doc.Estimates[i]; e.Quantity == "max_weight_above_99_percent" && number(*e, "exponent", 0.5) && number(*e, "d_k", 64) {
			e.Value, e.SE, e.Lo, e.Hi = 0, result.Absent(), 0, 1e-5
		}
	}
	f := charted("saturation").Of(doc)
	var hung []plot.Point
	for _, s := range f.panels[3].Series {
		hung = append(hung, s.AtMost...)
	}
	if !slices.ContainsFunc(hung, func(pt plot.Point) bool { return pt.X == 64 && pt.Hi == 1e-5 }) || f.panels[3].Lost > 0 || !f.panels[3].ScaleY.Inside(1e-5) {
		t.Errorf("%v hang, %d are lost", hung, f.panels[3].Lost)
	}
	if !slices.ContainsFunc(entries(f.panels), func(e entry) bool { return e.hangs }) {
		t.Error("the legend does not say what an arrow is")
	}
	if text := f.fullCaption(); !strings.Contains(text, "An arrow hangs from the upper end") {
		t.Error(text)
	}
}

// The data of a figure are the rows that it shows, with what theory there is.
func TestCSVOfSoftmax(t *testing.T) {
	for _, c := range softmaxCharts() {
		doc := sample.Document()
		rows := table(t, c, doc)
		if len(rows) == 0 {
			t.Errorf("%s has no data", c.Name)
		}
		for _, r := range rows {
			if r["value"] == "" && r["estimator"] != "theory" {
				t.Errorf("%s: %v", c.Name, r)
			}
		}
	}
}
