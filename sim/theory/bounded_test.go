package theory

import (
	"math"
	"testing"
)

// binomials are the chances of 0 to n hits of n, each with the chance p.
func binomials(n int, p float64) []float64 {
	all := make([]float64, n+1)
	whole, _ := math.Lgamma(float64(n + 1))
	for k := range all {
		a, _ := math.Lgamma(float64(k + 1))
		b, _ := math.Lgamma(float64(n - k + 1))
		log := whole - a - b
		if k > 0 {
			log += float64(k) * math.Log(p)
		}
		if k < n {
			log += float64(n-k) * math.Log1p(-p)
		}
		all[k] = math.Exp(log)
	}
	return all
}

// chance is that of the numbers of hits that the mean says yes to.
func chance(all []float64, yes func(mean float64) bool) (sum float64) {
	for k, p := range all {
		if yes(float64(k) / float64(len(all)-1)) {
			sum += p
		}
	}
	return sum
}

// binomialRounding is that of a binomial chance, whose logarithm is a difference of numbers of the
// size of n ln n.
const binomialRounding = 1e-9

// Counts of hits are numbers between 0 and 1 with as much scatter as there can
// be. With exact binomial chances: their mean is beyond the reach, and the limits
// miss the truth, no more often than is said. And not needlessly seldom: a
// binomial chance is at least exp(−n·D)/√(8k(n−k)/n), so that what lies just
// within the reach has the tail over √(2n) at least.
func TestBoundedTails(t *testing.T) {
	numbers := []int{1, 2, 7, 40, 300, 2000}
	if testing.Short() {
		numbers = numbers[:4]
	}
	for _, n := range numbers {
		for _, p := range []float64{1e-4, 0.01, 0.1, 0.3, 0.5, 0.77, 0.95, 0.999} {
			all := binomials(n, p)
			for _, tail := range []float64{0.3, 0.025, 1e-3, 1e-6, 1e-9} {
				lo, hi := BoundedReach(p, int64(n), tail)
				below := chance(all, func(x float64) bool { return x < lo })
				above := chance(all, func(x float64) bool { return x > hi })
				if most := tail * (1 + binomialRounding); below > most || above > most {
					t.Errorf("n = %d, p = %v: beyond %v to %v with %v and %v, more than %v", n, p, lo, hi, below, above, tail)
				}
				within := math.Floor(hi*float64(n)) / float64(n)
				if reached := chance(all, func(x float64) bool { return x >= within }); within > p && reached < tail/math.Sqrt(2*float64(n))*(1-binomialRounding) {
					t.Errorf("n = %d, p = %v: %v is needlessly far, it is reached with %v at a tail of %v", n, p, hi, reached, tail)
				}
				tooHigh := chance(all, func(x float64) bool { lo, _ := BoundedLimits(x, int64(n), tail); return lo > p })
				tooLow := chance(all, func(x float64) bool { _, hi := BoundedLimits(x, int64(n), tail); return hi < p })
				if most := tail * (1 + binomialRounding); tooHigh > most || tooLow > most {
					t.Errorf("n = %d, p = %v: limits miss it with %v and %v, more than %v", n, p, tooHigh, tooLow, tail)
				}
			}
		}
	}
}

// By hand: n·D, of the distance of Kullback and Leibler, is −ln tail at both ends.
func TestBoundedEnds(t *testing.T) {
	kl := func(x, y float64) float64 { return x*math.Log(x/y) + (1-x)*math.Log((1-x)/(1-y)) }
	for _, x := range []float64{0.2, 0.5, 0.9} {
		lo, hi := BoundedLimits(x, 100, 1e-3)
		a, b := BoundedReach(x, 100, 1e-3)
		for _, d := range []float64{kl(x, lo), kl(x, hi), kl(a, x), kl(b, x)} {
			if math.Abs(100*d/math.Log(1000)-1) > 1e-12 {
				t.Errorf("%v: n·D = %v, want %v", x, 100*d, math.Log(1000))
			}
		}
	}
}
