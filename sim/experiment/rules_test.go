package experiment

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/kernel"
	"mcsim/sim/result"
	"mcsim/sim/rule"
	"mcsim/sim/stream"
)

// pointOf is the cell of an experiment at values as a plan has them: drawn axes
// that are left out have their default, shared ones all of theirs.
func pointOf(t testing.TB, e *Experiment, values map[string]string) Cell {
	t.Helper()
	at, shared := map[string]Value{}, map[string][]Value{}
	for i := range e.Axes {
		a := &e.Axes[i]
		texts := a.Default
		if text, ok := values[a.Name]; ok {
			texts = strings.Split(text, " ")
		}
		for _, text := range texts {
			v, err := a.ParseAll(text)
			if err != nil {
				t.Fatal(err)
			}
			at[a.Name] = v[0]
			shared[a.Name] = append(shared[a.Name], v...)
		}
		if a.Shared {
			delete(at, a.Name)
		} else {
			delete(shared, a.Name)
		}
	}
	c := NewCell(e, at)
	c.Shared, c.Tolerance = shared, 0.05
	return c
}

// holdsTheory wants every row that has an exact theory and an error within 4.5
// errors of it, and counts such rows.
func holdsTheory(t *testing.T, rows []result.Estimate) (count int) {
	t.Helper()
	for _, r := range rows {
		if r.TheoryKind == "none" || r.TheoryKind == "limit" || !(r.SE > 0) {
			continue
		}
		count++
		if z := float64((r.Value - r.Theory) / r.SE); math.Abs(z) > 4.5 {
			t.Errorf("%s of %s %v: %v ± %v, theory %v: %.1f errors", r.Quantity, r.Cell, r.Params, r.Value, r.SE, r.Theory, z)
		}
	}
	return count
}

func TestRulesHoldTheory(t *testing.T) {
	for _, law := range []string{"normal", "uniform", "rademacher", "sphere", "bernoulli-gaussian(0.1)"} {
		for _, d := range []string{"1", "3", "64"} {
			c := pointOf(t, Rules, map[string]string{"law": law, "d_k": d})
			n := drawn(c, 16)
			found := Rules.Rows(c, n)
			if count := holdsTheory(t, found.Rows); count < 5 {
				t.Errorf("%s: %d rows with theory", c.ID, count)
			}
			if len(n.Moments) != len(Rules.Columns(c)) || n.Moments[0].N != 16*Rules.BlockUnits(c) {
				t.Errorf("%s: %d columns of %d, want %d", c.ID, len(n.Moments), n.Moments[0].N, len(Rules.Columns(c)))
			}
		}
	}
}

// The logits of a set of weights, multiplied out in float64.
func TestAdditivePlainly(t *testing.T) {
	c := pointOf(t, Rules, map[string]string{"law": "laplace", "d_k": "5"})
	r, err := rule.Parse("additive(7)", Number)
	if err != nil {
		t.Fatal(err)
	}
	var lanes, again stream.Lanes
	stream.Open(stream.Key{Seed: 3, Cell: "plain"}).Block(&lanes, 0)
	again = lanes
	got := newAdditive(c, r).draw(&lanes)

	uniform := pointOf(t, Variance, map[string]string{"law": "uniform", "d_k": "5"}).Law()
	draw := func(fill func(*stream.Lanes, [][kernel.Width]float32), n int) [][kernel.Width]float32 {
		x := make([][kernel.Width]float32, n)
		fill(&again, x)
		return x
	}
	var q, k, wq, wk [][][kernel.Width]float32
	for range additivePairs {
		q = append(q, draw(kernel.Vectors(c.Law()), 5))
		k = append(k, draw(kernel.Vectors(c.Law()), 5))
	}
	w := draw(kernel.Vectors(uniform), 7)
	for range w {
		wq = append(wq, draw(kernel.Vectors(uniform), 5))
		wk = append(wk, draw(kernel.Vectors(uniform), 5))
	}
	for lane := range got {
		var want float64
		for i := range q {
			var logit float64
			for a := range w {
				var hidden float64
				for j := range q[i] {
					hidden += float64(wq[a][j][lane])*float64(q[i][j][lane]) + float64(wk[a][j][lane])*float64(k[i][j][lane])
				}
				logit += float64(w[a][lane]) * math.Sqrt(2./8) * math.Tanh(math.Sqrt(2./12)*hidden)
			}
			want += logit * logit / additivePairs
		}
		if math.Abs(got[lane]-want) > 1e-5*want {
			t.Errorf("lane %d: %v, want %v", lane, got[lane], want)
		}
	}
}

// The additive rule nears its limit from either number of hidden units.
func TestAdditiveLimit(t *testing.T) {
	c := pointOf(t, Rules, map[string]string{"law": "normal", "d_k": "256", "rule": "additive additive(32)"})
	for _, r := range Rules.Rows(c, drawn(c, 16)).Rows {
		if z := float64((r.Value - r.Theory) / r.SE); math.Abs(z) > 5 || r.TheoryKind != "limit" || r.N != 256 {
			t.Errorf("%v: %v ± %v of %d, limit %v", r.Params, r.Value, r.SE, r.N, r.Theory)
		}
	}
}

// The slopes say which rules are flat, and lines and operations stand beside.
func TestRulesJoin(t *testing.T) {
	var cells []Cell
	doc := &result.Document{}
	for _, d := range []string{"1", "4", "32", "256"} {
		c := pointOf(t, Rules, map[string]string{"law": "normal", "d_k": d})
		cells = append(cells, c)
		doc.Estimates = append(doc.Estimates, Rules.Rows(c, drawn(c, 24)).Rows...)
	}
	joinRules(cells, doc)
	flat := map[string]float64{}
	for _, r := range doc.Estimates {
		name, _ := r.Params.Text("rule")
		switch r.Quantity {
		case "flat":
			flat[name] = float64(r.Value)
		case "logit_variance_slope":
			if z := float64((r.Value - r.Theory) / r.SE); r.TheoryKind == "exact" && math.Abs(z) > 4.5 {
				t.Errorf("the slope of %s is %v ± %v, theory %v", name, r.Value, r.SE, r.Theory)
			}
		case "tanhs":
			if want := map[string]float64{"soft-cap(50)": 1, "additive(64)": 64}[name]; float64(r.Value) != want {
				t.Errorf("%s takes %v tanhs, want %v", name, r.Value, want)
			}
		}
	}
	for name, want := range map[string]float64{"power(0)": 0, "power(0.5)": 1, "power(1)": 0, "sqrt(d_k/2)": 1, "temperature(8)": 0,
		"learned(2)": 1, "log-n(1)": 1, "cosine(10)": 0, "key-normalised": 1, "qk-norm(1)": 1, "soft-cap(50)": 1} {
		if got, ok := flat[name]; !ok || got != want {
			t.Errorf("%s is flat: %v, want %v", name, got, want)
		}
	}
	if len(doc.Curves) != len(cells[0].rules()) {
		t.Errorf("%d lines for %d rules", len(doc.Curves), len(cells[0].rules()))
	}
}

func TestRuleAxes(t *testing.T) {
	for _, c := range []struct {
		axis       *Axis
		text, part string
	}{
		{&allRulesAxis, "cosin", "did you mean cosine?"}, {&allRulesAxis, "power(9)", "not in -4..4"},
		{&factorRuleAxis, "cosine", "unknown rule"}, {&factorRuleAxis, "logn", "did you mean log-n?"},
		{&rhoAxis, "1.1", "not in -1..1"}, {&querySDAxis, "0", "not in 0.001..1000"}, {&keyMeanAxis, "1e4", "not in -1000..1000"},
		{&queryCorrelationAxis, "-0.1", "not in 0..1"},
	} {
		if v, err := c.axis.ParseAll(c.text); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s %q: %v, %v, want an error with %q", c.axis.Name, c.text, v, err, c.part)
		}
	}
	if v, err := factorRuleAxis.ParseAll("log-n"); err != nil || v[0].Name != "log-n(1)" {
		t.Errorf("%v, %v", v, err)
	}
	// A rule that multiplies by a number is one of softmax's scalings.
	c := pointOf(t, Softmax, map[string]string{"law": "normal", "d_k": "64", "exponent": "1/2", "rule": "sqrt(d_k/2) learned(3) log-n"})
	want := []float64{1. / 8, 1 / math.Sqrt(32), 3. / 8, math.Log(8) / 8}
	for i, s := range c.scalings() {
		if math.Abs(s.factor-want[i]) > 1e-15 {
			t.Errorf("%v multiplies by %v, want %v", s.value, s.factor, want[i])
		}
	}
}

func TestMismatchHoldsTheory(t *testing.T) {
	for _, law := range []string{"normal", "uniform", "rademacher", "laplace"} {
		for _, more := range []map[string]string{
			{}, {"q_sd": "2", "k_sd": "1/3"}, {"q_mean": "1/2"}, {"k_mean": "-2"}, {"q_mean": "1", "k_mean": "1"},
			{"q_correlation": "1/10", "k_correlation": "1/2"}, {"q_correlation": "1", "k_correlation": "1"},
			{"q_mean": "1/4", "k_mean": "3", "q_sd": "1/2", "k_sd": "2", "q_correlation": "1/5", "k_correlation": "1/10"},
		} {
			more["law"], more["d_k"] = law, "9"
			c := pointOf(t, Mismatch, more)
			n := drawn(c, 40)
			found := Mismatch.Rows(c, n)
			holdsTheory(t, found.Rows)
		}
	}
}

// What a cell does not say is not in its id.
func TestMismatchID(t *testing.T) {
	c := pointOf(t, Mismatch, map[string]string{"law": "normal", "d_k": "4", "q_sd": "2", "k_mean": "-1/2"})
	if c.ID != "mismatch/normal/d_k=4/q_sd=2/k_mean=-0.5" || len(c.Params()) != 4 {
		t.Errorf("%s, %v", c.ID, c.Params())
	}
	if c := pointOf(t, Alignment, map[string]string{"law": "normal", "d_k": "4", "rho": "0"}); c.ID != "alignment/normal/d_k=4/rho=0/keys=8" {
		t.Error(c.ID)
	}
}

func TestAlignmentHoldsTheory(t *testing.T) {
	for _, law := range []string{"normal", "uniform", "rademacher", "sphere", "laplace"} {
		for _, rho := range []string{"0", "1/10", "-1/2", "1"} {
			var cells []Cell
			doc := &result.Document{}
			for _, d := range []string{"2", "8", "64"} {
				c := pointOf(t, Alignment, map[string]string{"law": law, "d_k": d, "rho": rho, "keys": "5"})
				cells = append(cells, c)
				n := drawn(c, 8)
				found := Alignment.Rows(c, n)
				doc.Estimates = append(doc.Estimates, found.Rows...)
			}
			joinAlignment(cells, doc)
			if count := holdsTheory(t, doc.Estimates); count < 9 && !(rho == "1" || law == "sphere") {
				t.Errorf("%s, ρ = %s: %d rows with theory", law, rho, count)
			}
			between := slices.DeleteFunc(doc.Estimates, func(r result.Estimate) bool { return r.Quantity != "local_exponent" })
			if len(between) != 2 || between[0].Cell != strings.Replace(cells[0].ID, "d_k=2", "d_k=2..8", 1) || between[0].Params["d_k"] != 4.0 {
				t.Errorf("%d exponents, first of %v", len(between), between[0])
			}
		}
	}
}

// With ρ = 1 the aligned key is the query: signs have the score d, always.
func TestAlignedSigns(t *testing.T) {
	c := pointOf(t, Alignment, map[string]string{"law": "rademacher", "d_k": "16", "rho": "1"})
	m := drawn(c, 2).Moments[0]
	if m.Mean != 16 || m.Variance() != 0 {
		t.Errorf("mean %v, variance %v", m.Mean, m.Variance())
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		cell  Cell
		gated bool
		part  string // empty if it is not refused
	}{
		{pointOf(t, Mismatch, map[string]string{"law": "sphere", "d_k": "4"}), false, "take another law"},
		{pointOf(t, Mismatch, map[string]string{"law": "student-t(5)", "d_k": "4"}), true, "gate: false"},
		{pointOf(t, Mismatch, map[string]string{"law": "student-t(5)", "d_k": "4"}), false, ""},
		{pointOf(t, Alignment, map[string]string{"law": "student-t(10)", "d_k": "4", "rho": "1/2"}), true, "gate: false"},
		{pointOf(t, Alignment, map[string]string{"law": "student-t(10)", "d_k": "4", "rho": "0"}), true, ""},
		{pointOf(t, Alignment, map[string]string{"law": "sphere", "d_k": "65536", "rho": "0"}), false, "2^18"},
		{pointOf(t, Rules, map[string]string{"law": "normal", "d_k": "32768"}), false, "2^14"},
		{pointOf(t, Rules, map[string]string{"law": "normal", "d_k": "32768", "rule": "cosine"}), false, ""},
		{pointOf(t, Rules, map[string]string{"law": "normal", "d_k": "8192", "rule": "additive"}), false, "2^24"},
	} {
		err := c.cell.Experiment.Refuse(c.cell, c.gated)
		if (err == nil) != (c.part == "") || err != nil && !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s, gated: %v: %v, want %q", c.cell.ID, c.gated, err, c.part)
		}
	}
}

// One gate for each kind of number that rules make, none where the slope is a
// limit or there are too few dimensions.
func TestRulesChecks(t *testing.T) {
	at := func(law string, dimensions ...string) (cells []Cell) {
		for _, d := range dimensions {
			c := pointOf(t, Rules, map[string]string{"law": law, "d_k": d})
			c.Gated = true
			cells = append(cells, c)
		}
		return cells
	}
	for _, c := range []struct {
		cells []Cell
		rules []string
	}{
		{at("normal", "1", "2", "64"), []string{"power(0)", "cosine(10)", "key-normalised"}},
		{at("bernoulli-gaussian(0.1)", "2", "64"), []string{"power(0)"}},
		{at("normal", "1", "64"), nil},
	} {
		var got []string
		for _, k := range rulesChecks(c.cells) {
			name, _ := k.Params.Text("rule")
			got = append(got, name)
			want, _, band := k.At(1)
			if want <= band[0] || want >= band[1] || !(k.JoinedSE([]int64{1e6, 1e6}) > 0) || k.Cell != ruleLineID(c.cells[0]) {
				t.Errorf("the gate on %s: %v in %v of %s", name, want, band, k.Cell)
			}
		}
		if !slices.Equal(got, c.rules) {
			t.Errorf("gates on %v, want %v", got, c.rules)
		}
	}
}

// What does not vary is not gated; quadrature is, for normal components.
func TestAlignmentChecks(t *testing.T) {
	for law, want := range map[string]int{"normal": 7, "uniform": 2, "rademacher": 0, "sphere": 0} {
		c := pointOf(t, Alignment, map[string]string{"law": law, "d_k": "16", "rho": "1"})
		c.Gated = true
		checks := alignmentChecks([]Cell{c})
		if len(checks) != want {
			t.Errorf("%s: %d gates, want %d", law, len(checks), want)
		}
		rows := Alignment.Rows(c, drawn(c, 8)).Rows
		for _, k := range checks {
			i := slices.IndexFunc(rows, func(r result.Estimate) bool {
				return r.Quantity == k.Quantity && r.Params["exponent"] == k.Params["exponent"]
			})
			want, _, _ := k.At(1)
			if i < 0 || math.Abs(float64(rows[i].Theory)-want) > 1e-12*max(1, math.Abs(want)) {
				t.Errorf("%s: the gate on %s has no row of its theory %v", law, k.Quantity, want)
			}
		}
	}
}
