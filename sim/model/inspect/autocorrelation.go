package inspect

import (
	"fmt"
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/statistics/theory"
)

// maxLag is the largest of the lags that follow each other, and comparisons how many means over
// neighbours are compared with 0: of queries and of keys, of directions and of what rows add, at every
// lag.
const (
	maxLag      = 4
	comparisons = 4 * 7
)

// lags are the distances at which rows are compared. The large ones see a weak memory that is long.
var lags = [...]int{1, 2, 3, maxLag, 8, 16, 32}

// falseAlarm bounds the chance that independent rows are called dependent.
const falseAlarm = 1e-4

// autocorrelation says how much rows depend on those after them.
type autocorrelation struct {
	z    float64 // the largest over all lags: a Student variable of dof if rows are independent
	dof  float64
	lag1 float64 // correlation of what a row and the next one add, 0 if it is not significant
}

// larger returns the larger z of both, and the larger correlation.
func (a autocorrelation) larger(b autocorrelation) autocorrelation {
	lag1 := max(a.lag1, b.lag1)
	if b.z > a.z {
		a = b
	}
	a.lag1 = lag1
	return a
}

// isSignificant reports whether rows are dependent, if z is the largest of a number of comparisons.
func (a autocorrelation) isSignificant(comparisons int) bool {
	return a.z > theory.StudentQuantile(falseAlarm/float64(comparisons), a.dof)
}

// autocorrelation compares rows with those after them: by the directions of vectors about their mean,
// and by how often what two rows add is on the same side of the median. What rows add mostly has the
// memory of directions, which is known better. Of too few rows it is 0.
func (s *side) autocorrelation(adds []float64) autocorrelation {
	if s.Rows < 3*maxLag {
		return autocorrelation{}
	}
	if rows := float64(s.Rows); s.repeats() {
		return autocorrelation{z: rows, dof: rows, lag1: 1 - 1/rows}
	}
	signs := Vectors{s.Rows, 1, slices.Clone(adds)}
	middle := elementary.Median(slices.Sorted(slices.Values(adds)))
	for i, x := range adds {
		signs.Data[i] = x - middle
	}
	// Squares of products of normal numbers with the correlation c have the correlation c², and signs
	// of normal numbers have the mean product 2/π·arcsin c.
	directions := s.meanCosines(0, func(c float64) float64 { return c * c })
	margin := 0.0
	if directions.lag1 > 0 {
		margin = 2
	}
	return directions.larger(signs.meanCosines(margin, func(c float64) float64 {
		sin, _ := elementary.Sincos(c * math.Pi / 2)
		return sin
	}))
}

// repeats reports whether many rows have few different values.
func (s *side) repeats() bool {
	const minDistinct = 2 * minBatches
	seen := map[string]bool{}
	for i := range s.Rows {
		if seen[fmt.Sprint(s.Row(i))] = true; len(seen) == minDistinct {
			return false
		}
	}
	return s.Rows >= 2*minDistinct
}

// meanCosines compares, at every lag, the mean cosine of vectors with those after them, less the mean
// cosine of all pairs, with its standard error over about 1024 of them. What rows add at a lag has the
// correlation that belongs to the mean cosine less margin standard errors, and falls as a power of the
// lag.
func (v Vectors) meanCosines(margin float64, correlation func(cosine float64) float64) (largest autocorrelation) {
	directions := Vectors{v.Rows, v.Dimension, slices.Clone(v.Data)}
	total, count := make([]float64, v.Dimension), 0.0
	for i := range v.Rows {
		row := directions.Row(i)
		if length := v.length(i); length > 0 {
			count++
			for c := range row {
				row[c] /= length
				total[c] += row[c]
			}
		}
	}
	mean := (elementary.SumOfSquares(total) - count) / max(1, float64(count*(count-1)))
	for _, lag := range lags {
		if v.Rows < 3*lag {
			break
		}
		var cosines []float64
		for i := 0; i+lag < v.Rows; i += 1 + v.Rows/1024 {
			cosines = append(cosines, elementary.Dot(directions.Row(i), directions.Row(i+lag))-mean)
		}
		// Of few components all cosines may be the same by chance: half of the variance of independent ones.
		n, minVariance := float64(len(cosines)), 0.5/float64(v.Dimension)
		cosine, se := elementary.Sum(cosines)/n, math.Sqrt(max(variance(cosines), minVariance)/n)
		a := autocorrelation{z: cosine / se, dof: n - 1}
		if a.isSignificant(comparisons) && cosine > margin*se {
			certain := min(1-1/n, correlation(cosine-float64(margin*se)))
			a.lag1 = elementary.Pow(certain, 1/float64(lag))
		}
		largest = largest.larger(a)
	}
	return largest
}
