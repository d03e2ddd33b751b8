package document_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mcsim/sim/base/elementary"
	"mcsim/sim/engine/document"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
	"mcsim/sim/statistics/theory"
)

func newCells(t *testing.T, n int) []experiment.Cell {
	t.Helper()
	var cells []experiment.Cell
	for i := range n {
		cells = append(cells, experimenttest.NewCell(t, scores.Variance,
			map[string]string{"distribution": "normal", "d_k": experiment.AxisValue{Number: float64(i + 2)}.String()}))
	}
	return cells
}

// estimateAtZ returns the headline estimate of a cell, z standard errors from theory.
func estimateAtZ(c experiment.Cell, z float64) result.Estimate {
	r := experiment.WithTheory(c.Estimate(names.ScoreVariance, 1000, 5+0.25*z, 0.25), 5)
	return experiment.Interval(r)
}

// findEstimate returns the first estimate of a quantity, with the given value of a parameter if one
// is given.
func findEstimate(t *testing.T, rows []result.Estimate, quantity string, param ...any) result.Estimate {
	t.Helper()
	i := slices.IndexFunc(rows, func(r result.Estimate) bool {
		return r.Quantity == quantity && (len(param) == 0 || r.Params[param[0].(string)] == param[1])
	})
	if i < 0 {
		t.Fatalf("there is no estimate %s %v", quantity, param)
	}
	return rows[i]
}

var zs = []float64{0.3, -1.1, 2.2, 0.05, -0.4, 1.7, -2.6, 0.9, -0.7, 1.3, 0.6, -1.9}

// TestTestsAgainstSciPy compares the statistics and p-values of twelve numbers with
// scipy.stats.kstest, chi2 and norm of SciPy 1.10.1.
func TestTestsAgainstSciPy(t *testing.T) {
	cells := newCells(t, len(zs))
	var rows []result.Estimate
	for i, c := range cells {
		rows = append(rows, estimateAtZ(c, zs[i]))
	}
	got := document.Agreement(cells, rows)
	for _, c := range []struct {
		quantity string
		param    []any
		want     float64
	}{
		{"z_largest", nil, 2.6},
		{"z_distance", nil, 0.1531995154143897},
		{"z_squares", nil, 22.912499999999998},
		{names.PValue, []any{names.ParamTest, "largest"}, 0.10630722614450294},
		{names.PValue, []any{names.ParamTest, "distribution"}, 0.9010008833827521},
		{names.PValue, []any{names.ParamTest, "squares"}, 0.05695608209977568},
		{names.PValue, []any{names.ParamTest, names.TestJoint}, 0.17086824629932704},
		{names.ZLimit, []any{names.ParamTests, 1.0}, 1.9599639845400545},
		{names.ZLimit, []any{names.ParamTests, 12.0}, 2.8652602385321337},
	} {
		if r := findEstimate(t, got, c.quantity, c.param...); math.Abs(float64(r.Value)-c.want) > 1e-10 {
			t.Errorf("%s %v is %v, SciPy has %v", c.quantity, c.param, r.Value, c.want)
		}
	}
	for i, z := range zs {
		r := got[slices.IndexFunc(got, func(r result.Estimate) bool { return r.Cell == cells[i].ID })]
		if r.Quantity != names.ZScore || math.Abs(float64(r.Value)-z) > 1e-12 ||
			r.Params[names.ParamOfQuantity] != names.ScoreVariance {
			t.Errorf("the z-score of %s: %+v, want %v", cells[i].ID, r, z)
		}
	}
}

// TestJointErrorRates checks that the tests reject normal z-scores at their level, with uniform
// p-values, and that they nearly always reject z-scores of another spread or with an outlier.
func TestJointErrorRates(t *testing.T) {
	if testing.Short() {
		t.Skip("judges thousands of documents")
	}
	random := rand.New(rand.NewPCG(11, 4))
	cells := newCells(t, 60)
	pValues := func(z func(i int) float64) (values []float64) {
		rows := make([]result.Estimate, len(cells))
		for i, c := range cells {
			rows[i] = estimateAtZ(c, z(i))
		}
		got := document.Agreement(cells, rows)
		for _, test := range []string{"largest", "distribution", "squares", names.TestJoint} {
			values = append(values, float64(findEstimate(t, got, names.PValue, names.ParamTest, test).Value))
		}
		return values
	}
	const runs = 3000
	var small [4]int64
	for range runs {
		for i, p := range pValues(func(int) float64 { return random.NormFloat64() }) {
			if p < 0.1 {
				small[i]++
			}
		}
	}
	for i, n := range small {
		lo, hi := theory.ClopperPearson(n, runs, 2e-4)
		if i < 3 && (lo > 0.1 || hi < 0.1) || lo > 0.1 {
			t.Errorf("test %d: a p-value below 0.1 in %d of %d", i, n, runs)
		}
	}
	for name, z := range map[string]func(int) float64{
		"errors half as large as they are": func(int) float64 { return 2 * random.NormFloat64() },
		"errors three times too large":     func(int) float64 { return random.NormFloat64() / 3 },
		"one wrong number": func(i int) float64 {
			if i == 7 {
				return 6
			}
			return random.NormFloat64()
		},
		"a common shift": func(int) float64 { return 1 + random.NormFloat64() },
	} {
		for range 20 {
			if p := pValues(z)[3]; p > document.RejectionLevel {
				t.Errorf("%s: the joint p-value is %v", name, p)
			}
		}
	}
}

// TestWhatCounts checks which estimates have a z-score: not those without an interval, with a
// theory that is a limit, or of another quantity than the headline. Fewer than two give no
// agreement.
func TestWhatCounts(t *testing.T) {
	cells := newCells(t, 4)
	plain := []result.Estimate{estimateAtZ(cells[0], 1), estimateAtZ(cells[1], 2)}
	withLimit, withoutInterval, otherQuantity := estimateAtZ(cells[2], 3), estimateAtZ(cells[2], 3),
		estimateAtZ(cells[3], 3)
	withLimit.TheoryKind = names.TheoryLimit
	withoutInterval.Lo, withoutInterval.Hi = result.Absent(), result.Absent()
	otherQuantity.Quantity = names.ScoreMean
	got := document.Agreement(cells, append(slices.Clone(plain), withLimit, withoutInterval, otherQuantity))
	if r := findEstimate(t, got, "z_largest"); r.Value != 2 || r.N != 2 {
		t.Errorf("the largest is %v of %d, want 2 of 2", r.Value, r.N)
	}
	if r := findEstimate(t, got, names.IntervalShare); math.Abs(float64(r.Value)-1./3) > 1e-15 || r.N != 3 {
		t.Errorf("%v of %d intervals hold, want a third of three", r.Value, r.N)
	}
	if got := document.Agreement(cells, plain[:1]); got != nil {
		t.Errorf("of one cell: %+v", got)
	}
	sign := experimenttest.NewCell(t, scores.Variance, map[string]string{"distribution": "rademacher", "d_k": "1"})
	if got := document.Agreement([]experiment.Cell{cells[0], sign},
		[]result.Estimate{plain[0], estimateAtZ(sign, 1)}); got != nil {
		t.Errorf("s² of products of two signs has a z-score: %+v", got)
	}
}

// TestClusters checks that cells which an estimate joins form one cluster, also if the id of a cell
// continues after the dimension.
func TestClusters(t *testing.T) {
	newEstimate := func(cell string) result.Estimate {
		r := estimateAtZ(newCells(t, 1)[0], 0)
		r.Cell = cell
		return r
	}
	for _, c := range []struct {
		joins string
		want  result.Number
	}{
		{"variance/normal/d_k=2", 6}, {"variance/normal/d_k=*", 2}, {"variance/normal/d_k=2..4", 5},
		{"variance/uniform/d_k=2..4", 7},
	} {
		cells := newCells(t, 5) // d_k = 2 to 6
		for i, d := range []string{"2", "4", "1024"} {
			values := map[string]string{"distribution": "normal", "d_k": d}
			if i == 2 {
				values["estimator"] = "gram"
			}
			cells[i] = experimenttest.NewCell(t, scores.Variance, values)
		}
		distribution := experimenttest.NewCell(t, scores.Variance,
			map[string]string{"distribution": "laplace", "d_k": "4"})
		cells = append(cells, distribution)
		var rows []result.Estimate
		for _, cell := range cells {
			rows = append(rows, estimateAtZ(cell, 0))
		}
		rows = append(rows, newEstimate(c.joins))
		got := findEstimate(t, document.Agreement(cells, rows), "clusters").Value
		if got != c.want {
			t.Errorf("joined by %s: %v clusters, want %v", c.joins, got, c.want)
		}
	}
}

// TestWrongTheoryFails checks that a document of ten cells passes, and that it fails if one theory
// is wrong by eleven standard errors, which the gate on that cell allows. The failing gate names
// the estimate. The two gates on the whole document count as one in α.
func TestWrongTheoryFails(t *testing.T) {
	s := simtest.NewSchedule(t, "seed: 7\ntolerance: 5%\nalpha: 1e-3\nbeta: 1e-3\nexperiments:\n"+
		"  - {experiment: variance, distribution: [normal, uniform], d_k: 2..32, samples: 2^20}\n")
	doc := simtest.BuildDocument(t, s)
	wholeGates := doc.Gates[len(doc.Gates)-2:]
	if doc.Budget.Verdict != result.Pass || wholeGates[0].Name != names.GateJoint ||
		wholeGates[1].Name != names.GateEstimates {
		t.Fatalf("%s: %+v", doc.Budget.Verdict, wholeGates)
	}
	part := 1e-3 / float64(s.Entries[0].Rates.Gates)
	row := simtest.FindEstimate(t, doc, "*", names.ZLargestEstimate)
	z := -elementary.Quantile(part / float64(4*row.N))
	limit := z + experiment.MaxSkewness*(z*z-1)/6
	isClose := func(got result.Number, want float64) bool { return math.Abs(float64(got)/want-1) <= 1e-12 }
	if !isClose(wholeGates[0].Band[0], part/2) || !isClose(wholeGates[1].Band[1], limit) ||
		row.Value != wholeGates[1].Value {
		t.Errorf("bands %v and %v of %d estimates", wholeGates[0].Band, wholeGates[1].Band, row.N)
	}
	wrong := simtest.FindEstimate(t, doc, "variance/uniform/d_k=8", names.ScoreMean)
	wrong.Theory = wrong.Value - 11*wrong.SE
	gates, err := document.Judge(s, doc.Estimates)
	simtest.Must(t, err)
	for i, g := range gates {
		last := i == len(gates)-1
		if (g.Verdict == result.Fail) != last {
			t.Errorf("%+v", g)
		}
		quantity := g.Params[names.ParamOfQuantity]
		if last && (g.Cell != wrong.Cell || quantity != names.ScoreMean || math.Abs(float64(g.Value)-11) > 1e-9) {
			t.Errorf("%+v", g)
		}
	}
}
