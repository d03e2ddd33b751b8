package scalefit

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/statistics/theory"
)

// maxKeyNumbers limits the different numbers of keys for which a mean log-sum-exp is computed.
const maxKeyNumbers = 8

// SolveLogSum returns the σ for which the mean of E L − ln n over rows with the given numbers of
// keys is excess, which must be positive, and the derivative of this mean. It uses Newton's method
// from σ = √(2·excess), with the derivative σ·E(1 − Σα²). The mean is a convex function of σ, so
// after the first step the iteration decreases to the solution.
func SolveLogSum(excess float64, keys []int) (sigma, slope float64) {
	step := (len(keys) + maxKeyNumbers - 1) / maxKeyNumbers
	if keys[0] == keys[len(keys)-1] {
		step = len(keys)
	}
	sigma = math.Sqrt(2 * excess)
	const maxSteps = 50
	for range maxSteps {
		var mean, count float64
		slope = 0
		for i := step / 2; i < len(keys); i += step {
			mean += ExpectedLogSum(keys[i], sigma) - elementary.Log(float64(keys[i]))
			slope += float64(sigma * theory.NewSoftmax(keys[i], sigma).Trace)
			count++
		}
		mean, slope = mean/count, slope/count
		change := (mean - excess) / slope
		sigma -= change
		if math.Abs(change) < 1e-9*sigma {
			break
		}
	}
	return sigma, slope
}

// ExpectedLogSum returns E ln Σ exp(z) for n independent logits z of the distribution N(0, σ²). It
// is E H + σ²·E(1 − Σα²), since H = ln Σ exp(z) − Σ αz for weights α of entropy H, and E Σ αz is
// σ²·E(1 − Σα²) by Stein's lemma. Its derivative is σ·E(1 − Σα²).
func ExpectedLogSum(keys int, sigma float64) float64 {
	s := theory.NewSoftmax(keys, sigma)
	return s.Entropy + float64(float64(sigma*sigma)*s.Trace)
}
