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

// Estimate is a number with its standard error, NaN for a median, and 95 % interval.
type Estimate struct{ Value, SE, Lo, Hi float64 }

// MarshalJSON writes null for NaN.
func (e Estimate) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]result.Number{"value": result.Number(e.Value), "se": result.Number(e.SE),
		"lo": result.Number(e.Lo), "hi": result.Number(e.Hi)})
}

// level is the coverage of the intervals.
const level = 0.95

// newMean returns the mean of independent numbers with Student's interval.
func newMean(values []float64) Estimate {
	m := moments.New(values, 2)
	se := math.Sqrt(max(0, m.Variance()) / float64(m.N))
	return Estimate{Value: m.Mean, SE: se}.withLevel(level, int(m.N))
}

// withLevel returns a mean of numbers with Student's interval of another level.
func (e Estimate) withLevel(level float64, numbers int) Estimate {
	half := float64(theory.StudentQuantile((1-level)/2, float64(numbers-1)) * e.SE)
	return Estimate{e.Value, e.SE, e.Value - half, e.Value + half}
}

// root returns the root of a mean square, to first order, its interval by the roots of
// the bounds.
func (e Estimate) root() Estimate {
	if e.Value == 0 {
		return e
	}
	value := math.Sqrt(e.Value)
	return Estimate{value, e.SE / (2 * value), math.Sqrt(max(0, e.Lo)), math.Sqrt(e.Hi)}
}

// newMedian returns the median of rows in groups, whose rows depend on each other.
// Its interval is Woodruff's (Confidence Intervals for Medians and Other Position
// Measures, Journal of the American Statistical Association 47, 1952): the share of
// rows up to the median has an error, found from the shares of the groups, and the
// quantiles at ½ ± t times that bound the median.
func newMedian(groups [][]float64) Estimate {
	all := slices.Concat(groups...)
	slices.Sort(all)
	median := quantile(all, 0.5)
	share := newMean(names.Map(groups, func(g []float64) float64 {
		below := 0.0
		for _, x := range g {
			if x <= median {
				below++
			}
		}
		return below / float64(len(g))
	}))
	half := float64((share.Hi - share.Lo) / 2)
	return Estimate{median, math.NaN(), quantile(all, 0.5-half), quantile(all, 0.5+half)}
}

// quantile returns the quantile of sorted numbers, interpolated between the two next to it. gonum's
// may be fused, and what is printed must be the same on every machine.
func quantile(sorted []float64, at float64) float64 {
	place := float64(min(1, max(0, at)) * float64(len(sorted)-1))
	i := int(place)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + float64((place-float64(i))*(sorted[i+1]-sorted[i]))
}
