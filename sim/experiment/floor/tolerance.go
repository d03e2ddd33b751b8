package floor

import (
	"fmt"
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
)

// Test describes a test of a kernel, and the probability that a kernel which only rounds its
// operands exceeds some tolerance of the test.
type Test struct {
	Heads, Rows int64 // number of heads, and of queries of each head
	Alpha       float64
}

// Bound is the mean of an error over sampled heads, its standard error, and the tolerance of a test.
type Bound struct{ Mean, SE, Tolerance float64 }

// maxSkewness is the largest skewness of a sample of errors. The skewness of an exponential variable
// is 2, and that of a sample of 512 exceeds 3 with a probability of 1 %.
const maxSkewness = 3

// Bounds returns the bounds of the errors, in the order of [Errors]: for the largest error of all
// outputs of the test, and for the means of the others over heads. Each error gets a third of alpha.
// Over heads the tails of an error must be at most those of an exponential variable with the same
// mean and standard deviation. Then P(a head > mean + x·sd) ≤ e^(−1−x), and a mean over h heads has
// P(mean over heads > mean + x·sd) ≤ e^(−h(x − ln(1 + x))) by Chernoff's bound. More rows than those
// of a sampled head make the tails of a mean lighter; the largest error has one chance for each
// sixteen rows. Errors with a larger skewness than maxSkewness are refused.
func Bounds(sample []Errors, test Test) (bounds [len(Errors{})]Bound, err error) {
	n, logRate := float64(len(sample)), elementary.Log(float64(len(bounds))/test.Alpha)
	for kind := range bounds {
		values := make([]float64, len(sample))
		for i, e := range sample {
			values[i] = e[kind]
		}
		m := moments.New(values, experiment.ErrorOrder)
		if skewness := m.Standardised(3); !(skewness <= maxSkewness) {
			return bounds, fmt.Errorf("the errors of heads have the skewness %.2g; a tolerance is known up to %d",
				skewness, maxSkewness)
		}
		sd := math.Sqrt(m.Variance())
		b := Bound{Mean: m.Mean, SE: sd / math.Sqrt(n)}
		x := 0.0
		if kind == Largest {
			groups := float64(test.Heads * ((test.Rows + kernel.Width - 1) / kernel.Width))
			x = logRate + elementary.Log(groups) - 1
		} else {
			x = invertRate(logRate / float64(test.Heads))
		}
		const margin = 3 // standard errors of the mean and of the standard deviation
		maxSD := sd * (1 + float64(margin*experiment.ErrorOfMeanError(m.Standardised(4), m.N)))
		b.Tolerance = m.Mean + float64(margin*b.SE) + float64(x*maxSD)
		bounds[kind] = b
	}
	return bounds, nil
}

// invertRate returns the x > 0 with x − ln(1 + x) = rate, by bisection.
func invertRate(rate float64) float64 {
	low, high := 0.0, 2*rate+float64(2*math.Sqrt(rate))
	for range 100 {
		middle := (low + high) / 2
		if middle-elementary.Log1p(middle) < rate {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
