package theory

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestClusteredProportionByHand compares with values computed by hand. 3 of 4, 1 of 2 and 2 of 2
// are 6 of 8, so that p is ¾. The deviations h − p·m are 0, −½ and ½, and the variance is 3/2·½/64
// = ¾/64. EffectiveSize has G* = (16 + 4 + 4)²/(256 + 16 + 16) = 2 and f = 1.
func TestClusteredProportionByHand(t *testing.T) {
	c := NewClusteredProportion([]int{3, 1, 2}, []int{4, 2, 2})
	quantileRatio := StudentQuantile(0.025, 2) / StudentQuantile(0.025, 1)
	want := ClusteredProportion{Proportion: 0.75, SE: math.Sqrt(0.75 / 64),
		EffectiveSize: min(8, 0.1875*64/0.75*quantileRatio*quantileRatio)}
	if c.Proportion != want.Proportion || math.Abs(c.SE-want.SE) > 1e-15 ||
		math.Abs(c.EffectiveSize-want.EffectiveSize) > 1e-12 {
		t.Errorf("got %+v, want %+v", c, want)
	}
}

// sampleHits returns how many of m sampled intervals of one cluster contain the true value. Their
// errors are normal numbers, and any two of them have the given correlation.
func sampleHits(r *rand.Rand, m int, correlation float64) (hits int) {
	common := math.Sqrt(correlation) * r.NormFloat64()
	for range m {
		if math.Abs(common+math.Sqrt(1-correlation)*r.NormFloat64()) <= 1.959964 {
			hits++
		}
	}
	return hits
}

// TestClusteredProportionCovers checks that the limits contain the proportion .95 about as often as
// the comment on Limits says, for clusters of very different sizes. It also checks that intervals
// for independent numbers, p ± 1.96 standard errors, contain it much less often if the numbers of a
// cluster are correlated.
func TestClusteredProportionCovers(t *testing.T) {
	if testing.Short() {
		t.Skip("samples millions of normal numbers")
	}
	rnd := rand.New(rand.NewPCG(2, 3))
	var sizes []int
	for i := range 120 {
		sizes = append(sizes, 4+i%13)
	}
	for i := range 24 {
		sizes = append(sizes, 40+10*(i%6))
	}
	const runs = 2000
	hits := make([]int, len(sizes))
	for _, c := range []struct{ correlation, coverage float64 }{{0, 0.96}, {0.3, 0.95}, {0.5, 0.92}, {0.95, 0.89}} {
		covered, coveredIfIndependent := int64(0), 0
		for range runs {
			total := 0
			for i, m := range sizes {
				hits[i] = sampleHits(rnd, m, c.correlation)
				total += m
			}
			proportion := NewClusteredProportion(hits, sizes)
			if lo, hi := proportion.Limits(0.025); lo <= 0.95 && 0.95 <= hi {
				covered++
			}
			if math.Abs(proportion.Proportion-0.95) <= 1.96*math.Sqrt(0.95*0.05/float64(total)) {
				coveredIfIndependent++
			}
		}
		if lo, hi := ClopperPearson(covered, runs, 1e-4); hi < c.coverage-0.005 || lo > c.coverage+0.005 {
			t.Errorf("correlation %v: %d of %d limits contain .95, want a proportion of %v", c.correlation, covered,
				runs, c.coverage)
		}
		if c.correlation == 0.95 && coveredIfIndependent > runs/2 {
			t.Errorf("%d of %d intervals for independent numbers contain .95, want less than half",
				coveredIfIndependent, runs)
		}
	}
}
