package gate

import (
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// TestJudgeProportion checks verdicts on k events of n that follow from limits by SciPy 1.10.1. The
// upper limit, beta.isf(.0005, k+1, n−k), is 0.94283 for 9350 of 10 000, 0.94941 for 9420 and
// 0.95034 for 9430. The lower limit, beta.ppf(.0005, k, n−k+1), is 0.03975 for 62 of 1000 and
// 0.05201 for 77.
func TestJudgeProportion(t *testing.T) {
	const pass, fail = result.Pass, result.Fail
	for _, c := range []struct {
		expect string
		k, n   int64
		band   [2]float64
		want   result.Verdict
	}{
		{names.ExpectAtLeast, 9350, 10000, [2]float64{0.95, 1}, fail},
		{names.ExpectAtLeast, 9420, 10000, [2]float64{0.95, 1}, fail},
		{names.ExpectAtLeast, 9430, 10000, [2]float64{0.95, 1}, pass},
		{names.ExpectAtLeast, 10000, 10000, [2]float64{0.95, 1}, pass},
		{names.ExpectAtLeast, 0, 10000, [2]float64{0.95, 1}, fail},
		{names.ExpectAtMost, 0, 1000, [2]float64{0, 0.05}, pass},
		{names.ExpectAtMost, 62, 1000, [2]float64{0, 0.05}, pass},
		{names.ExpectAtMost, 77, 1000, [2]float64{0, 0.05}, fail},
		{names.ExpectAtMost, 1000, 1000, [2]float64{0, 0.05}, fail},
	} {
		check := Check{Expect: c.expect, Expected: func(int64) (float64, float64, [2]float64) { return 0, 0, c.band }}
		g := Judge(check, result.Estimate{N: c.n, Value: result.Number(float64(c.k) / float64(c.n))}, rates)
		if g.Verdict != c.want {
			t.Errorf("%d of %d, gate %s: the verdict is %s with limits %v to %v, want %s", c.k, c.n, c.expect,
				g.Verdict, g.Lo, g.Hi, c.want)
		}
	}
}

// TestJudgeInvalidProportion checks that a value that is not a proportion of N events is undecided.
func TestJudgeInvalidProportion(t *testing.T) {
	check := Check{
		Expect:   names.ExpectAtLeast,
		Expected: func(int64) (float64, float64, [2]float64) { return 0, 0, [2]float64{0.95, 1} },
	}
	for _, estimate := range []result.Estimate{
		{N: 100, Value: 1.5}, {N: 100, Value: -1}, {N: 0, Value: 1}, {N: 100, Value: result.Absent()},
	} {
		if g := Judge(check, estimate, rates); g.Verdict != result.Undecided {
			t.Errorf("value %v with N = %d: the verdict is %s, want undecided", estimate.Value, estimate.N, g.Verdict)
		}
	}
}
