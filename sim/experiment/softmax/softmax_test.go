package softmax

import (
	"math"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/quantile"
	"mcsim/sim/theory"
)

// softmaxCell is a cell of rows with keys of their own, or shared, at exponents.
func softmaxCell(law string, d, keys int, shared string, exponents ...float64) experiment.Cell {
	c := experiment.NewCell(Experiment, map[string]experiment.Value{
		"law": {Name: law}, "d_k": {Number: float64(d)}, "keys": {Number: float64(keys)}, "shared_keys": {Name: shared}})
	c.Shared = map[string][]experiment.Value{}
	for _, p := range exponents {
		c.Shared["exponent"] = append(c.Shared["exponent"], experiment.Value{Number: p})
	}
	c.Tolerance, c.Gated = 0.01, true
	return c
}

// Another program's rows of eight keys, over d_k and p: 10⁶ rows each.
func TestSoftmaxAgainstSimulation(t *testing.T) {
	againstSimulation(t, shorter(1<<16))
}

// shorter is so many rows, or an eighth of them under -short.
func shorter(rows int64) int64 {
	if testing.Short() {
		return rows / 8
	}
	return rows
}

func againstSimulation(t *testing.T, rows int64) {
	const theirs = 1e6
	var far experimenttest.Largest
	for _, want := range experimenttest.Table(t, "../../theory/testdata/gradient_survival_n8.csv") {
		d, p := int(want["d_k"]), want["p"]
		c := softmaxCell("normal", d, 8, names.No, p)
		f := softmaxFindings(c, experimenttest.DrawnRows(c, rows))
		uniform := math.Sqrt(7) / 8 // ‖J‖_F of eight equal weights
		for _, q := range []struct {
			quantity, column, se string
			factor               float64 // of ours
		}{
			{"gradient_survival", "mean_R", "se_mean_R", 1},
			{"gradient_survival_q50", "median_R", "se_median_R", 1},
			{"jacobian_norm_q50", "median_JF_ratio", "se_median_JF", 1 / uniform},
			{"key_gradient_q50", "median_key_grad", "se_median_key_grad", 1},
			{"key_gradient", "rms_key_grad", "", 1},
			{"max_weight_q50", "median_max", "se_median_max", 1},
			{"entropy_ratio_q50", "median_H", "", math.Log(8)},
		} {
			r := experimenttest.RowAt(t, f, q.quantity, "exponent", p)
			value, se := float64(r.Value)*q.factor, float64(r.SE)*q.factor
			if q.se != "" {
				se = math.Hypot(se, want[q.se])
			} else { // as many rows would have
				se *= math.Sqrt(1 + float64(r.N)/theirs)
			}
			far.Hold(t, value, want[q.column], se, "%s at d_k = %d, p = %v", q.quantity, d, p)
		}
		for quantity, column := range map[string]string{
			"max_weight_above_90_percent": "P_max_gt_0p9", "max_weight_above_99_percent": "P_max_gt_0p99",
			"healthy_share": "frac_healthy", "fading_share": "frac_fading", "dying_share": "frac_dying", "dead_share": "frac_dead",
		} {
			r := experimenttest.RowAt(t, f, quantity, "exponent", p)
			far.HoldShares(t, float64(r.Value), float64(r.N), want[column], theirs, "%s at d_k = %d, p = %v", quantity, d, p)
		}
	}
	if far.Count != 12*13 {
		t.Errorf("%d comparisons, want %d", far.Count, 12*13)
	}
	far.Log(t)
}

// Every mean that quadrature knows, at other numbers of keys, at temperatures
// and with shared keys, which leave the means as they are.
func TestSoftmaxAgainstTheory(t *testing.T) {
	var far experimenttest.Largest
	for _, at := range []struct {
		d, keys int
		shared  string
	}{{2, 2, names.No}, {3, 5, names.No}, {64, 64, names.No}, {2, 8, names.Yes}, {5, 3, names.Yes}, {16, 80, names.Yes}, {64, 33, names.Yes}} {
		c := softmaxCell("normal", at.d, at.keys, at.shared, 0, 0.5, 1)
		c.Shared["temperature"] = []experiment.Value{{Number: 0.7}, {Number: 20}}
		f := softmaxFindings(c, experimenttest.DrawnRows(c, shorter(1<<16)))
		for _, r := range f.Rows {
			if !r.Theory.Present() {
				continue
			}
			if !r.SE.Present() || r.SE == 0 {
				t.Errorf("%s of %s has no error", r.Quantity, r.Cell)
				continue
			}
			far.Hold(t, float64(r.Value), float64(r.Theory), float64(r.SE), "%s of %s, %v", r.Quantity, r.Cell, r.Params)
		}
	}
	if want := 7 * 5 * 9; far.Count != want {
		t.Errorf("%d rows with theory, want %d", far.Count, want)
	}
	far.Log(t)
}

// In the limits of the temperature all is certain: all weight on the greatest
// key, or the same on each. Neither has a gradient in the limit of none.
func TestSoftmaxAtTheLimits(t *testing.T) {
	c := softmaxCell("normal", 16, 6, names.No)
	c.Shared["temperature"] = []experiment.Value{{Number: 0}, {Name: names.TemperatureInfinite}}
	f := softmaxFindings(c, experimenttest.DrawnRows(c, 4096))
	for quantity, want := range map[string][2]float64{
		"max_weight": {1, 1.0 / 6}, "entropy": {0, math.Log(6)}, "entropy_ratio": {0, 1}, "collision": {1, 1.0 / 6},
		"effective_keys": {1, 6}, "keys_above_1_percent": {1, 6}, "keys_above_5_percent": {1, 6},
		"gradient_survival": {0, 1}, "jacobian_norm": {0, math.Sqrt(5) / 6}, "off_peak_trace": {0, 25.0 / 36},
		"max_weight_above_90_percent": {1, 0}, "dead_share": {1, 0}, "healthy_share": {0, 1},
	} {
		for i, at := range []any{0.0, names.TemperatureInfinite} {
			r := experimenttest.RowAt(t, f, quantity, "temperature", at)
			if math.Abs(float64(r.Value)-want[i]) > 4*0x1p-52*max(want[i], 1) {
				t.Errorf("%s at temperature %v is %v, want %v", quantity, at, r.Value, want[i])
			}
			if strings.HasSuffix(quantity, "_share") || strings.HasPrefix(quantity, "max_weight_") {
				continue // counts have limits whatever they say
			}
			// At temperature 0 a tie of two keys, to float32, can make a rare row that the pilot
			// does not see.
			if at == 0.0 && (r.SE.Present() || r.Level.Present()) || at != 0.0 && (r.SE != 0 || r.Lo != r.Value || r.Hi != r.Value) {
				t.Errorf("%s at temperature %v has the error %v and the interval %v to %v", quantity, at, r.SE, r.Lo, r.Hi)
			}
		}
	}
	for _, r := range f.Rows {
		gradient := strings.HasPrefix(r.Quantity, "key_gradient") || strings.HasPrefix(r.Quantity, "query_gradient")
		if gradient && (r.Params["temperature"] != names.TemperatureInfinite || r.Value != 0) {
			t.Errorf("%s at temperature %v is %v", r.Quantity, r.Params["temperature"], r.Value)
		}
	}
}

// Intervals of queries that share their keys, over runs of a few blocks, hold
// what they should: for means theory, whether or not their error is well enough
// known to be printed, for shares and quantiles the number over all runs. At small d_k the keys decide much, and errors as if all rows were
// independent would not do.
func TestSharedKeysCover(t *testing.T) {
	if testing.Short() {
		t.Skip("counts over many seeds")
	}
	const runs, blocks = 300, 8
	c := softmaxCell("normal", 2, 8, names.Yes, 0.5)
	each, all := experimenttest.Runs(c, 5, runs, blocks)
	truth := map[string]float64{}
	for _, r := range softmaxFindings(c, all).Rows {
		truth[r.Quantity] = float64(r.Value)
		if r.Theory.Present() {
			truth[r.Quantity] = float64(r.Theory)
		}
	}
	means := map[string]bool{}
	for _, q := range rows.MeanQuantities {
		means[q.Name] = true
	}
	s := rows.Scalings(c)[0]
	held, given, naive := map[string]int64{}, map[string]int64{}, map[string]int64{}
	for _, n := range each {
		for _, r := range softmaxFindings(c, n).Rows {
			lo, hi, x := float64(r.Lo), float64(r.Hi), truth[r.Quantity]
			if means[r.Quantity] {
				lo, hi = float64(r.Value)-experiment.LevelZ*float64(r.SE), float64(r.Value)+experiment.LevelZ*float64(r.SE)
			}
			given[r.Quantity]++
			if lo <= x && x <= hi {
				held[r.Quantity]++
			}
		}
		alone := rows.SumsOf(n, 0, rows.MatrixRows(c))
		alone.Matrices, alone.Matrix = alone.Rows, 1
		var f experiment.Findings
		rows.AddMeans(&f, c, s, alone, rows.LearntOf(c.Pilot(), 0, 1, rows.MatrixRows(c)), theory.Softmax{}, false, true)
		for _, r := range f.Rows {
			if x := truth[r.Quantity]; math.Abs(float64(r.Value)-x) <= experiment.LevelZ*float64(r.SE) {
				naive[r.Quantity]++
			}
		}
	}
	for _, quantity := range []string{"max_weight", "entropy", "collision", "gradient_survival", "off_peak_trace"} {
		if _, hi := theory.ClopperPearson(naive[quantity], runs, 0.0005); hi >= experiment.Level {
			t.Errorf("%s: %d of %d intervals as if all rows were independent hold theory", quantity, naive[quantity], runs)
		}
	}
	least := int64(runs)
	for quantity, n := range given {
		experimenttest.Covers(t, held[quantity], n, !means[quantity], "%s", quantity)
		least = min(least, held[quantity])
	}
	if want := len(rows.MeanQuantities) + rows.Shares + 9*len(quantile.Points); len(given) != want {
		t.Errorf("%d quantities, want %d", len(given), want)
	}
	t.Logf("of %d: R %d, as if independent %d; its median %d; healthy_share %d; the least of all %d", runs,
		held["gradient_survival"], naive["gradient_survival"], held["gradient_survival_q50"], held["healthy_share"], least)
}

// Queries that share keys see the same rows as those with keys of their own, and
// there are as many of them as keys, but for 64.
func TestSharedKeyMatrices(t *testing.T) {
	for _, c := range []struct{ keys, matrix int64 }{{2, 2}, {8, 8}, {64, 64}, {65, 64}, {1000, 64}} {
		cell := softmaxCell("normal", 4, int(c.keys), names.Yes, 0.5)
		if got := rows.MatrixRows(cell); got != c.matrix {
			t.Errorf("%d keys serve %d queries, want %d", c.keys, got, c.matrix)
		}
		n := experimenttest.Drawn(cell, 1)
		units := softmaxUnits(cell)
		if n.Moments[0].N != units || n.Moments[rows.Means].N*c.matrix != units || len(n.Moments) != len(Experiment.Columns(cell)) {
			t.Errorf("%d keys: %d rows, %d matrices in %d columns, want %d rows", c.keys, n.Moments[0].N, n.Moments[rows.Means].N, len(n.Moments), units)
		}
		if a, b := n.Moments[0].Mean, n.Moments[rows.Means].Mean; math.Abs(a/b-1) > 1e-13 {
			t.Errorf("%d keys: the mean over rows is %v, over matrices %v", c.keys, a, b)
		}
	}
}

func TestSoftmaxRefuses(t *testing.T) {
	for _, c := range []struct {
		law     string
		d, keys int
		shared  string
		p       float64
		part    string // of the error, empty for none
	}{
		{"normal", 512, 512, names.Yes, 0.5, ""}, {"normal", 513, 512, names.Yes, 0.5, "at most 2^18"}, {"normal", 1 << 20, 4096, names.No, 0.5, ""},
		{"sphere", 4096, 64, names.No, 0.5, ""}, {"sphere", 4096, 65, names.No, 0.5, "at most 2^18"},
		{"normal", 1 << 20, 2, names.No, -6, ""}, {"normal", 1 << 20, 2, names.No, -7, "at most 2^126"},
	} {
		err := rows.Refuse(softmaxCell(c.law, c.d, c.keys, c.shared, c.p), true)
		if c.part == "" && err != nil || c.part != "" && (err == nil || !strings.Contains(err.Error(), c.part)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// What is told of a cell depends on its point and its scalings, in their order.
func TestSoftmaxKeys(t *testing.T) {
	a, b := softmaxCell("normal", 64, 8, names.No, 0, 0.5), softmaxCell("normal", 64, 8, names.No, 0.5, 0)
	if a.ID != "softmax/normal/d_k=64/keys=8" || a.ID != b.ID || a.Key() == b.Key() || a.Key().Contents == "" {
		t.Errorf("%q and %q, kept as %v and %v", a.ID, b.ID, a.Key(), b.Key())
	}
	if c := softmaxCell("normal", 64, 8, names.Yes); c.ID != "softmax/normal/d_k=64/keys=8/shared_keys" {
		t.Errorf("with shared keys it is %q", c.ID)
	}
	n := experimenttest.Drawn(a, 1)
	n2 := experimenttest.Drawn(b, 1)
	if n.Moments[0] != n2.Moments[rows.Means] || n.Moments[rows.Means] != n2.Moments[0] {
		t.Error("another order of the exponents gives other rows")
	}
}

func TestSoftmaxAxes(t *testing.T) {
	for name, texts := range map[string]map[string]string{
		"keys": {"1": "1 is not in 2..4096", "4097": "4097 is not in 2..4096", "2.5": "2.5 is not a whole number in 2..4096", "-3": "-3 is not in 2..4096"},
		"temperature": {"-1": "-1 is not 0, 1e-30..1e+30 or infinite", "1e-31": "1e-31 is not 0, 1e-30..1e+30 or infinite",
			"1e31": "1e31 is not 0, 1e-30..1e+30 or infinite"},
	} {
		for text, want := range texts {
			if _, err := Experiment.Axis(name).ParseAll(text); err == nil || err.Error() != want {
				t.Errorf("%s: %s gives the error %v, want %s", name, text, err, want)
			}
		}
	}
	for text, want := range map[string]string{"-1": "-1 is not in 0..1e+06", "1e7": "1e7 is not in 0..1e+06", "x": ""} {
		if _, err := Freezing.Axis("sigma").ParseAll(text); err == nil || want != "" && err.Error() != want {
			t.Errorf("sigma: %s gives the error %v, want %s", text, err, want)
		}
	}
	if _, err := Experiment.Axis("shared_keys").ParseAll("maybe"); err == nil || !strings.Contains(err.Error(), "yes") {
		t.Errorf("shared_keys: maybe gives the error %v", err)
	}
}
