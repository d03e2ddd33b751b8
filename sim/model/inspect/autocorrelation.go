package inspect

import (
	"fmt"
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/statistics/theory"
)

// maxConsecutiveLag is the largest of the consecutive lags.
const maxConsecutiveLag = 4

// lags are the distances at which rows are compared. The large ones detect a weak autocorrelation
// over many rows.
var lags = [...]int{1, 2, 3, maxConsecutiveLag, 8, 16, 32}

// comparisons is the number of means that are compared with 0: the directions and the contributions
// of queries and of keys, at every lag.
const comparisons = 2 * 2 * len(lags)

// falseAlarm bounds the probability that independent rows are called dependent.
const falseAlarm = 1e-4

// autocorrelation measures how much rows depend on the rows after them.
type autocorrelation struct {
	// z is the mean cosine of rows at a lag over its standard error, the largest over all lags. At
	// one lag it has Student's distribution with dof degrees of freedom if rows are independent.
	z    float64
	dof  float64
	lag1 float64 // correlation of the contributions of neighbouring rows; 0 if it is not significant
}

// combine returns the larger z of a and b with its degrees of freedom, and the larger correlation.
func (a autocorrelation) combine(b autocorrelation) autocorrelation {
	lag1 := max(a.lag1, b.lag1)
	if b.z > a.z {
		a = b
	}
	a.lag1 = lag1
	return a
}

// isSignificant reports whether rows are dependent, if z is the largest of the given number of
// comparisons.
func (a autocorrelation) isSignificant(comparisons int) bool {
	return a.z > theory.StudentQuantile(falseAlarm/float64(comparisons), a.dof)
}

// measureAutocorrelation compares rows with the rows after them in two ways: by the directions of
// vectors about their mean, and by how often the contributions of two rows are on the same side of
// the median. Contributions usually are correlated over the same lags as directions, and the
// correlation of directions is known more precisely. The result is 0 if there are too few rows.
func (s *side) measureAutocorrelation(contributions []float64) autocorrelation {
	if s.Rows < 3*maxConsecutiveLag {
		return autocorrelation{}
	}
	if s.hasFewDistinctRows() {
		rows := float64(s.Rows)
		return autocorrelation{z: rows, dof: rows, lag1: 1 - 1/rows}
	}
	signs := Vectors{s.Rows, 1, slices.Clone(contributions)}
	median := elementary.Median(slices.Sorted(slices.Values(contributions)))
	for i, x := range contributions {
		signs.Data[i] = x - median
	}
	// If directions have the mean cosine c, contributions, which are squares, have the correlation
	// c².
	directions := s.compareNeighbours(0, func(c float64) float64 { return c * c })
	// margin makes the estimate from signs a lower bound if there is one from directions.
	margin := 0.0
	if directions.lag1 > 0 {
		margin = 2
	}
	// Signs of normal numbers with the correlation r have the mean product c = 2/π·arcsin r.
	return directions.combine(signs.compareNeighbours(margin, func(c float64) float64 {
		sin, _ := elementary.Sincos(c * math.Pi / 2)
		return sin
	}))
}

// hasFewDistinctRows reports whether there are many rows but few distinct ones.
func (s *side) hasFewDistinctRows() bool {
	const minDistinct = 2 * minBatches
	seen := map[string]bool{}
	for i := range s.Rows {
		seen[fmt.Sprint(s.Row(i))] = true
		if len(seen) == minDistinct {
			return false
		}
	}
	return s.Rows >= 2*minDistinct
}

// maxNeighbourPairs is about the largest number of pairs of rows that are compared at one lag.
const maxNeighbourPairs = 1024

// compareNeighbours computes, for every lag, the mean cosine of vectors at that lag minus the mean
// cosine of all pairs, and its standard error. correlation converts the mean cosine, reduced by
// margin standard errors, to the correlation of contributions at the lag. That correlation is
// assumed to be the correlation of neighbours to the power of the lag.
func (v Vectors) compareNeighbours(margin float64, correlation func(cosine float64) float64) (largest autocorrelation) {
	directions := Vectors{v.Rows, v.Dimension, slices.Clone(v.Data)}
	sum, count := make([]float64, v.Dimension), 0.0
	for i := range v.Rows {
		row := directions.Row(i)
		if length := v.length(i); length > 0 {
			count++
			for c := range row {
				row[c] /= length
				sum[c] += row[c]
			}
		}
	}
	mean := (elementary.SumOfSquares(sum) - count) / max(1, float64(count*(count-1)))
	for _, lag := range lags {
		if v.Rows < 3*lag {
			break
		}
		var cosines []float64
		for i := 0; i+lag < v.Rows; i += 1 + v.Rows/maxNeighbourPairs {
			cosines = append(cosines, elementary.Dot(directions.Row(i), directions.Row(i+lag))-mean)
		}
		// With few components all cosines may be equal by chance. minVariance is half the variance
		// of the cosine of independent directions.
		n, minVariance := float64(len(cosines)), 0.5/float64(v.Dimension)
		cosine, se := elementary.Sum(cosines)/n, math.Sqrt(max(variance(cosines), minVariance)/n)
		a := autocorrelation{z: cosine / se, dof: n - 1}
		if a.isSignificant(comparisons) && cosine > margin*se {
			lowerBound := min(1-1/n, correlation(cosine-float64(margin*se)))
			a.lag1 = elementary.Pow(lowerBound, 1/float64(lag))
		}
		largest = largest.combine(a)
	}
	return largest
}
