package advice

import (
	"encoding/json"
	"math"
	"slices"

	"mcsim/sim/base/moments"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Estimate is a number with its standard error and its 95 % interval. The standard error of a
// median is NaN.
type Estimate struct{ Value, SE, Lo, Hi float64 }

// MarshalJSON writes null for NaN.
func (e Estimate) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]result.Number{"value": result.Number(e.Value), "se": result.Number(e.SE),
		"lo": result.Number(e.Lo), "hi": result.Number(e.Hi)})
}

// coverage is the confidence level of the intervals.
const coverage = 0.95

// newMean returns the mean of independent numbers with Student's interval.
func newMean(values []float64) Estimate {
	m := moments.New(values, 2)
	se := math.Sqrt(max(0, m.Variance()) / float64(m.N))
	return Estimate{Value: m.Mean, SE: se}.withInterval(coverage, int(m.N))
}

// withInterval returns the estimate, a mean of count numbers, with Student's interval of the given
// confidence level.
func (e Estimate) withInterval(coverage float64, count int) Estimate {
	halfWidth := float64(theory.StudentQuantile((1-coverage)/2, float64(count-1)) * e.SE)
	return Estimate{e.Value, e.SE, e.Value - halfWidth, e.Value + halfWidth}
}

// sqrt returns the root of a mean square. The standard error is to first order; the interval
// consists of the roots of the bounds.
func (e Estimate) sqrt() Estimate {
	if e.Value == 0 {
		return e
	}
	value := math.Sqrt(e.Value)
	return Estimate{value, e.SE / (2 * value), math.Sqrt(max(0, e.Lo)), math.Sqrt(e.Hi)}
}

// newMedian returns the median of all numbers in independent groups. Numbers of one group may
// depend on each other. The interval is Woodruff's (Confidence Intervals for Medians and Other
// Position Measures, Journal of the American Statistical Association 47, 1952). First, the
// proportion of numbers up to the median is computed for each group, which gives Student's interval
// ½ ± h of the mean proportion. The bounds of the median are then the quantiles at ½ − h and ½ + h.
func newMedian(groups [][]float64) Estimate {
	sorted := slices.Concat(groups...)
	slices.Sort(sorted)
	median := quantile(sorted, 0.5)
	proportion := newMean(names.Map(groups, func(g []float64) float64 {
		count := 0.0
		for _, x := range g {
			if x <= median {
				count++
			}
		}
		return count / float64(len(g))
	}))
	halfWidth := float64((proportion.Hi - proportion.Lo) / 2)
	return Estimate{median, math.NaN(), quantile(sorted, 0.5-halfWidth), quantile(sorted, 0.5+halfWidth)}
}

// quantile returns the p-quantile of sorted numbers, linearly interpolated. gonum's implementation
// may use fused operations, which do not give the same number on every machine.
func quantile(sorted []float64, p float64) float64 {
	position := float64(min(1, max(0, p)) * float64(len(sorted)-1))
	i := int(position)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + float64((position-float64(i))*(sorted[i+1]-sorted[i]))
}
