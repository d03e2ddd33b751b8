package scores

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// TestPartition compares partOf with a binary search among the edges, for scores at and next to
// each edge and for random scores.
func TestPartition(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 9))
	for _, d := range []int{1, 2, 64, 512} {
		p := newPartition(d)
		check := func(s float64) {
			want, equal := slices.BinarySearch(p.edges[:], s)
			if equal {
				want++
			}
			if got := p.partOf(s); got != want {
				t.Fatalf("d = %d: part of %v: got %d, want %d", d, s, got, want)
			}
		}
		for _, e := range p.edges {
			check(e)
			check(math.Nextafter(e, 1e9))
			check(math.Nextafter(e, -1e9))
		}
		for range 20_000 {
			check(2 * float64(d) * rnd.NormFloat64())
			check(0.01 * rnd.NormFloat64())
		}
	}
}

func findEstimate(t *testing.T, f experiment.CellEstimates, quantity string) result.Estimate {
	t.Helper()
	i := slices.IndexFunc(f.Estimates, func(r result.Estimate) bool { return r.Quantity == quantity })
	if i < 0 {
		t.Fatalf("there is no estimate of %s", quantity)
	}
	return f.Estimates[i]
}

// TestExactDistribution checks that the exact distribution is not rejected for sampled scores: the
// smallest of 12 p-values must be above 10⁻⁴/12. It also checks that the p-value is below 10⁻³ for
// a normal distribution with the same variance, and for scores that are multiplied by 1.01.
func TestExactDistribution(t *testing.T) {
	blocks := 1 << 9
	if testing.Short() {
		blocks = 1 << 6
	}
	// The 95 % quantile of the statistic for partCount parts. It is less than Kolmogorov's 1.358,
	// since distributions are compared only at the edges of parts.
	const wantLimit = 1.3217
	for _, d := range []int{1, 2, 3, 4, 7, 8, 16, 37, 64, 100, 128, 512} {
		c := newCell(Variance, "normal", float64(d))
		f := VarianceEstimates(c, experimenttest.SampleCell(c, blocks))
		if p := findEstimate(t, f, names.ExactKSP); float64(p.Value) < 1e-4/12 {
			t.Errorf("d = %d: got p = %v, want at least %.2g", d, p.Value, 1e-4/12)
		}
		if limit := findEstimate(t, f, names.ExactKSLimit).Value; math.Abs(float64(limit)-wantLimit) > 1e-3 {
			t.Errorf("d = %d: limit: got %v, want %v ± 0.001", d, limit, wantLimit)
		}
	}
	if testing.Short() {
		return
	}
	rnd := rand.New(rand.NewPCG(4, 4))
	const n = 1 << 21
	c, partition := newCell(Variance, "normal", 8), newPartition(8)
	for name, score := range map[string]func() float64{
		"a normal distribution with variance 8": func() float64 { return math.Sqrt(8) * rnd.NormFloat64() },
		"scores multiplied by 1.01": func() float64 {
			var s float64
			for range 8 {
				s += rnd.NormFloat64() * rnd.NormFloat64()
			}
			return 1.01 * s
		},
	} {
		h := moments.Histogram{Counts: make([]int64, partCount)}
		for range n {
			h.Counts[partition.partOf(score())]++
		}
		var f experiment.CellEstimates
		addExactDistribution(&f, c, h)
		if p := findEstimate(t, f, names.ExactKSP).Value; p > 1e-3 {
			t.Errorf("%s: got p = %v, want at most 1e-3", name, p)
		}
	}
}
