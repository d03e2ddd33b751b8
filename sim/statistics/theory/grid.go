package theory

import (
	"math"

	"mcsim/sim/base/elementary"
)

// The largest difference between the distribution function of n independent numbers and
// the one that they are drawn from, times √n, has for large n the distribution of sup|B| of a
// Brownian bridge B (Kolmogorov 1933). Where it is looked for at m − 1 points alone, at
// which the latter is 1/m, 2/m, …, its distribution is that of max|B(j/m)|, which is smaller.

// BridgeTail is P(sup|B| > x).
func BridgeTail(x float64) float64 {
	if x <= 0 {
		return 1
	}
	square := float64(x * x)
	var sum float64
	if x < 1 {
		// The series by theta functions converges fast for small x.
		for k := 1.0; k < 20; k += 2 {
			sum += elementary.Exp(-float64(k*k*math.Pi*math.Pi) / float64(8*square))
		}
		return 1 - float64(math.Sqrt(2*math.Pi)/x*sum)
	}
	sign := 2.0
	for k := range 9 {
		at := float64(k + 1)
		sum += float64(sign * elementary.Exp(-float64(float64(2*float64(at*at))*square)))
		sign = -sign
	}
	return sum
}

// gridShift is −ζ(½)/√(2π): a walk of normal steps of the variance 1/m passes a bound as
// if it were continuous and the bound farther by gridShift/√m (Siegmund, Corrected
// diffusion approximations in certain random walk problems, Advances in Applied
// Probability 11, 1979).
const gridShift = 0.5825971579390106

// GridTail is P(max|B(j/m)| > x) over j from 1 to m − 1, by Siegmund's shift. For m = 256
// and x from 0.5 to 2 it is within 0.5 % of what repeated integration gives.
func GridTail(x float64, m int) float64 {
	return BridgeTail(x + float64(gridShift/math.Sqrt(float64(m))))
}

// GridQuantile is the x that max|B(j/m)| exceeds with the chance tail.
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

// scoreQuantiles holds those of normal components by dimension and number.
var scoreQuantiles memo[[2]int, []float64]

// ScoreQuantiles are the m − 1 numbers below which the score S = q·k of normal components
// lies with the chances 1/m, 2/m, …, in units of its standard deviation √d. Nobody may
// change them.
func ScoreQuantiles(d, m int) []float64 {
	return scoreQuantiles.of([2]int{d, m}, func() []float64 { return newScoreQuantiles(d, m) })
}

// newScoreQuantiles works them out: those of one side from the middle on, each by Newton's
// steps from the one before. The density falls outwards, so that no step passes the root.
func newScoreQuantiles(d, m int) []float64 {
	mix := newMixture(d)
	out := make([]float64, m-1)
	x := 0.0
	for j := m/2 + 1; j < m; j++ {
		inside := float64(2*j-m) / float64(m)
		for range 100 {
			step := (inside - mix.inside(x)) / float64(mix.density(x)*math.Sqrt(2/math.Pi))
			x += step
			if step <= 1e-6*x { // the error is about its square
				break
			}
		}
		out[j-1], out[m-j-1] = x, -x
	}
	return out
}
