package floor

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/result"
)

// Test describes a test of a kernel, and the probability that a kernel which only rounds its
// operands exceeds some tolerance of the test.
type Test struct {
	Heads, Rows int64 // number of heads, and of queries of each head
	Alpha       float64
}

// Bound is the mean of an error over sampled heads, its standard error, and the tolerance of a test.
// The tolerance is absent if none is known.
type Bound struct {
	Mean      float64       `json:"value"`
	SE        float64       `json:"se"`
	Tolerance result.Number `json:"tolerance"`
}

// MaxSkewness is the largest skewness of a sample with a tolerance. The skewness of an exponential
// variable is 2, and that of a sample of 512 exceeds 3 with a probability of 1 %.
const MaxSkewness = 3

// Bounds returns the bounds of the errors, in the order of [Errors]: for the largest error of all
// outputs of the test, and for the means of the others over heads. Each error gets a third of alpha.
//
// The tail over heads of a mean error and of a cosine distance must be at most that of an
// exponential variable with the same mean and standard deviation. Then a mean over h heads has
// P(mean over heads > mean + x·sd) ≤ e^(−h(x − ln(1 + x))), by Chernoff's bound; more rows than those
// of a sampled head make its tail lighter. The largest error has a heavier tail, and its square root
// must have P(a head > mean + x·sd) ≤ e^(−1−x). It has one chance for each sixteen rows. If an
// error has a larger skewness than MaxSkewness, no tolerance is known.
func Bounds(sample []Errors, test Test) (bounds [len(Errors{})]Bound) {
	n, logRate := float64(len(sample)), elementary.Log(float64(len(bounds))/test.Alpha)
	for kind := range bounds {
		values, numbers := make([]float64, len(sample)), make([]float64, len(sample))
		for i, e := range sample {
			values[i], numbers[i] = e[kind], e[kind]
			if kind == Largest {
				numbers[i] = math.Sqrt(e[kind])
			}
		}
		value, m := moments.New(values, 2), moments.New(numbers, experiment.ErrorOrder)
		groups := float64(test.Heads * ((test.Rows + kernel.Width - 1) / kernel.Width))
		x := logRate + elementary.Log(groups) - 1
		if kind != Largest {
			x = invertRate(logRate / float64(test.Heads))
		}
		const margin = 3 // standard errors of the mean and of the standard deviation
		sd := math.Sqrt(m.Variance())
		maxSD := sd * (1 + float64(margin*experiment.ErrorOfMeanError(m.Standardised(4), m.N)))
		tolerance := m.Mean + float64(margin*sd)/math.Sqrt(n) + float64(x*maxSD)
		if kind == Largest {
			tolerance *= tolerance
		}
		b := Bound{Mean: value.Mean, SE: math.Sqrt(value.Variance() / n), Tolerance: result.Absent()}
		switch isExact := m.Variance() == 0; {
		case isExact:
			b.Tolerance = result.Number(value.Mean)
		case m.Standardised(3) <= MaxSkewness:
			b.Tolerance = result.Number(tolerance)
		}
		bounds[kind] = b
	}
	return bounds
}

// invertRate returns the x > 0 with x − ln(1 + x) = rate, by bisection.
func invertRate(rate float64) float64 {
	low, high := 0.0, 2*rate+float64(2*math.Sqrt(rate))
	for range 100 {
		middle := float64((low + high) / 2)
		if middle-elementary.Log1p(middle) < rate {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
