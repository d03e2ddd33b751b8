package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Let D be the largest absolute difference between the empirical distribution function of n
// independent numbers and their distribution function F. For large n, √n·D has the distribution of
// sup|B| of a Brownian bridge B (Kolmogorov 1933). If the differences are taken only at the m − 1
// points at which F is 1/m, 2/m, …, then √n times the largest one has the distribution of
// max|B(j/m)|. This is at most sup|B|.

// BridgeTail returns P(sup|B| > x).
func BridgeTail(x float64) float64 {
	if x <= 0 {
		return 1
	}
	x2 := float64(x * x)
	var sum float64
	if x < 1 {
		// The series by theta functions converges fast for small x.
		for k := 1.0; k < 20; k += 2 {
			sum += elementary.Exp(-float64(k*k*math.Pi*math.Pi) / float64(8*x2))
		}
		return 1 - float64(math.Sqrt(2*math.Pi)/x*sum)
	}
	sign := 2.0
	for k := range 9 {
		j := float64(k + 1)
		sum += float64(sign * elementary.Exp(-float64(float64(2*float64(j*j))*x2)))
		sign = -sign
	}
	return sum
}

// gridShift is −ζ(½)/√(2π). A walk of normal steps of variance 1/m crosses a bound with about the
// probability of a continuous walk whose bound is gridShift/√m farther away (Siegmund, Corrected
// diffusion approximations in certain random walk problems, Advances in Applied Probability 11,
// 1979).
const gridShift = 0.5825971579390106

// GridTail returns P(max|B(j/m)| > x) over j from 1 to m − 1 by Siegmund's shift. For m = 256 and x
// from 0.5 to 2 it agrees with repeated integration to within 0.5 %.
func GridTail(x float64, m int) float64 {
	return BridgeTail(x + float64(gridShift/math.Sqrt(float64(m))))
}

// GridQuantile returns the x with P(max|B(j/m)| > x) = tail.
func GridQuantile(tail float64, m int) float64 {
	low, high := 0.0, 8.0
	for range 60 {
		if x := float64(0.5 * (low + high)); GridTail(x, m) > tail {
			low = x
		} else {
			high = x
		}
	}
	return (low + high) / 2
}

var scoreQuantiles memo[[2]int, []float64] // by d and m

// ScoreQuantiles returns the m − 1 quantiles of probability 1/m, 2/m, … of the score S = q·k of
// normal components, in units of its standard deviation √d. The caller must not change the slice.
func ScoreQuantiles(d, m int) []float64 {
	return scoreQuantiles.get([2]int{d, m}, func() []float64 { return newScoreQuantiles(d, m) })
}

// newScoreQuantiles finds the quantiles above the median in increasing order, each by Newton's
// method from the previous one. The density decreases there, so that no step passes the root.
func newScoreQuantiles(d, m int) []float64 {
	mix := newMixture(d)
	quantiles := make([]float64, m-1)
	x := 0.0
	for j := m/2 + 1; j < m; j++ {
		inside := float64(2*j-m) / float64(m)
		for range 100 {
			step := (inside - mix.inside(x)) / float64(mix.density(x)*math.Sqrt(2/math.Pi))
			x += step
			if step <= 1e-6*x { // the remaining error is about the square of the step
				break
			}
		}
		quantiles[j-1], quantiles[m-j-1] = x, -x
	}
	return quantiles
}
