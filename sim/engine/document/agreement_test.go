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

// estimateAtZ returns a headline estimate of a cell that is z standard errors from its theory.
func estimateAtZ(c experiment.Cell, z float64) result.Estimate {
	r := experiment.WithTheory(c.Estimate(names.ScoreVariance, 1000, 5+0.25*z, 0.25), 5)
	return experiment.Interval(r)
}

// findEstimate returns the first estimate of a quantity. param may be empty, or the name of a
// parameter and its value, which the estimate must then have.
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

// zs are the z-scores for which SciPy computed the tests.
var zs = []float64{0.3, -1.1, 2.2, 0.05, -0.4, 1.7, -2.6, 0.9, -0.7, 1.3, 0.6, -1.9}

// TestTestsAgainstSciPy compares the statistics, p-values and limits for twelve z-scores with
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
			t.Errorf("%s %v is %v, want %v of SciPy", c.quantity, c.param, r.Value, c.want)
		}
	}
	for i, z := range zs {
		r := got[slices.IndexFunc(got, func(r result.Estimate) bool { return r.Cell == cells[i].ID })]
		if r.Quantity != names.ZScore || math.Abs(float64(r.Value)-z) > 1e-12 ||
			r.Params[names.ParamOfQuantity] != names.ScoreVariance {
			t.Errorf("the estimate of cell %s is %+v, want the z-score %v of s²", cells[i].ID, r, z)
		}
	}
}

// TestJointErrorRates checks that p-values of normal z-scores are below 0.1 with probability 0.1
// (the joint p-value at most), and that the joint test rejects z-scores of another variance or
// mean, or with an outlier.
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
	var small [4]int64 // numbers of p-values below 0.1 of each test
	for range runs {
		for i, p := range pValues(func(int) float64 { return random.NormFloat64() }) {
			if p < 0.1 {
				small[i]++
			}
		}
	}
	for i, n := range small {
		lo, hi := theory.ClopperPearson(n, runs, 2e-4)
		isJoint := i == 3 // conservative, so that the probability may be less
		if lo > 0.1 || hi < 0.1 && !isJoint {
			t.Errorf("test %d: the p-value is below 0.1 in %d of %d documents, want a tenth", i, n, runs)
		}
	}
	for name, z := range map[string]func(int) float64{
		"standard errors of half the size":        func(int) float64 { return 2 * random.NormFloat64() },
		"standard errors of three times the size": func(int) float64 { return random.NormFloat64() / 3 },
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
				t.Errorf("%s: the joint p-value is %v, want at most %v", name, p, document.RejectionLevel)
			}
		}
	}
}

// TestEstimatesWithZScore checks that an estimate does not have a z-score if it has no interval, if
// its theory is a limit, or if it is not the headline. With fewer than two z-scores there are no
// estimates about the whole document.
func TestEstimatesWithZScore(t *testing.T) {
	cells := newCells(t, 4)
	plain := []result.Estimate{estimateAtZ(cells[0], 1), estimateAtZ(cells[1], 2)}
	withLimit, withoutInterval, otherQuantity := estimateAtZ(cells[2], 3), estimateAtZ(cells[2], 3),
		estimateAtZ(cells[3], 3)
	withLimit.TheoryKind = names.TheoryLimit
	withoutInterval.Lo, withoutInterval.Hi = result.Absent(), result.Absent()
	otherQuantity.Quantity = names.ScoreMean
	got := document.Agreement(cells, append(slices.Clone(plain), withLimit, withoutInterval, otherQuantity))
	if r := findEstimate(t, got, "z_largest"); r.Value != 2 || r.N != 2 {
		t.Errorf("the largest of %d z-scores is %v, want 2 of 2", r.N, r.Value)
	}
	if r := findEstimate(t, got, names.IntervalShare); math.Abs(float64(r.Value)-1./3) > 1e-15 || r.N != 3 {
		t.Errorf("%v of %d intervals contain their theory, want a third of 3", r.Value, r.N)
	}
	if got := document.Agreement(cells, plain[:1]); got != nil {
		t.Errorf("one cell: got %+v, want no estimates", got)
	}
	sign := experimenttest.NewCell(t, scores.Variance, map[string]string{"distribution": "rademacher", "d_k": "1"})
	if got := document.Agreement([]experiment.Cell{cells[0], sign},
		[]result.Estimate{plain[0], estimateAtZ(sign, 1)}); got != nil {
		t.Errorf("got %+v, want no z-score for s² of products of two signs", got)
	}
}

// TestClusters checks the number of clusters if an estimate over several cells joins those that its
// pattern includes. One cell has an ID that continues after the dimension.
func TestClusters(t *testing.T) {
	newEstimate := func(cell string) result.Estimate {
		r := estimateAtZ(newCells(t, 1)[0], 0)
		r.Cell = cell
		return r
	}
	for _, c := range []struct {
		pattern string
		want    result.Number
	}{
		{"variance/normal/d_k=2", 6}, {"variance/normal/d_k=*", 2}, {"variance/normal/d_k=2..4", 5},
		{"variance/uniform/d_k=2..4", 7},
	} {
		cells := newCells(t, 5) // d_k = 2 to 6
		for i, d := range []string{"2", "4", "1024"} {
			values := map[string]string{"distribution": "normal", "d_k": d}
			if d == "1024" {
				values["estimator"] = "gram"
			}
			cells[i] = experimenttest.NewCell(t, scores.Variance, values)
		}
		otherDistribution := experimenttest.NewCell(t, scores.Variance,
			map[string]string{"distribution": "laplace", "d_k": "4"})
		cells = append(cells, otherDistribution)
		var rows []result.Estimate
		for _, cell := range cells {
			rows = append(rows, estimateAtZ(cell, 0))
		}
		rows = append(rows, newEstimate(c.pattern))
		got := findEstimate(t, document.Agreement(cells, rows), "clusters").Value
		if got != c.want {
			t.Errorf("with an estimate of %s: got %v clusters, want %v", c.pattern, got, c.want)
		}
	}
}

// TestWrongTheoryFails checks that a document of ten cells passes, and that it fails if the theory
// of one estimate is wrong by eleven standard errors. No other gate than the one on all estimates
// detects this, and it must name the estimate. The two gates on the whole document must share one
// part of α.
func TestWrongTheoryFails(t *testing.T) {
	s := simtest.NewSchedule(t, "seed: 7\ntolerance: 5%\nalpha: 1e-3\nbeta: 1e-3\nexperiments:\n"+
		"  - {experiment: variance, distribution: [normal, uniform], d_k: 2..32, samples: 2^20}\n")
	doc := simtest.BuildDocument(t, s)
	wholeGates := doc.Gates[len(doc.Gates)-2:]
	if doc.Budget.Verdict != result.Pass || wholeGates[0].Name != names.GateJoint ||
		wholeGates[1].Name != names.GateEstimates {
		t.Fatalf("the verdict is %s and the last gates are %+v, want %s, %s and %s", doc.Budget.Verdict, wholeGates,
			result.Pass, names.GateJoint, names.GateEstimates)
	}
	part := 1e-3 / float64(s.Entries[0].Rates.Gates)
	row := simtest.FindEstimate(t, doc, "*", names.ZLargestEstimate)
	z := -elementary.Quantile(part / float64(4*row.N))
	limit := z + experiment.MaxSkewness*(z*z-1)/6
	isClose := func(got result.Number, want float64) bool { return math.Abs(float64(got)/want-1) <= 1e-12 }
	if !isClose(wholeGates[0].Band[0], part/2) {
		t.Errorf("the band of the joint p-value is %v, want a lower end of %v", wholeGates[0].Band, part/2)
	}
	if !isClose(wholeGates[1].Band[1], limit) {
		t.Errorf("the band of the farthest of %d estimates is %v, want an upper end of %v", row.N,
			wholeGates[1].Band, limit)
	}
	if row.Value != wholeGates[1].Value {
		t.Errorf("the gate on all estimates has the value %v, want %v of the estimate", wholeGates[1].Value, row.Value)
	}
	wrong := simtest.FindEstimate(t, doc, "variance/uniform/d_k=8", names.ScoreMean)
	wrong.Theory = wrong.Value - 11*wrong.SE
	gates, err := document.Judge(s, doc.Estimates)
	simtest.Must(t, err)
	for i, g := range gates {
		isLast := i == len(gates)-1
		if (g.Verdict == result.Fail) != isLast {
			t.Errorf("gate %d, %s: the verdict is %s; want that only the last gate fails", i, g.Name, g.Verdict)
		}
		quantity := g.Params[names.ParamOfQuantity]
		if isLast && (g.Cell != wrong.Cell || quantity != names.ScoreMean || math.Abs(float64(g.Value)-11) > 1e-9) {
			t.Errorf("the last gate is %+v, want the distance 11 of %s of %s", g, names.ScoreMean, wrong.Cell)
		}
	}
}
