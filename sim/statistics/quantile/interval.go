package quantile

import (
	"math"

	"mcsim/sim/base/moments"
)

// Estimate is a quantile and its confidence interval as logits. Logits beyond the scale are
// infinite.
type Estimate struct {
	Value, Lo, Hi float64
	// BinLo and BinHi are the edges of the bin that contains Value.
	BinLo, BinHi float64
	InWindow     bool // whether that bin is in a window, so that it is fine
	// OuterLo is the lower edge of the bin of Lo, and OuterHi the upper edge of the bin of Hi. The
	// interval of the numbers themselves certainly lies between them.
	OuterLo, OuterHi float64
}

// BinomialSE returns the standard error of the proportion of n independent numbers below the
// quantile of probability q.
func BinomialSE(n int64, q float64) float64 { return math.Sqrt(float64(q*(1-q)) / float64(n)) }

// ClusteredSE returns the standard error of the proportion of numbers below the quantile of
// probability q if the numbers are in independent clusters of size numbers each. h counts all
// numbers, and squares has the squared counts of the clusters from [Counter.AddSquares]. With c_j
// numbers of cluster j below the quantile, their mean c̄ and M clusters, the variance of the
// proportion is Σ(c_j − c̄)²/(M(M−1)) over size².
func ClusteredSE(h, squares moments.Histogram, q float64, size int64) float64 {
	total := float64(h.Total())
	m := total / float64(size)
	bin, fraction := findBin(h, total, float64(total*q))
	squaresBelow := 0.0
	for i, count := range squares.Counts {
		switch b := squares.FirstBin + i; {
		case b < bin:
			squaresBelow += float64(count)
		case b == bin:
			squaresBelow += float64(fraction * float64(count))
		}
	}
	countBelow := float64(total * q)
	variance := (squaresBelow - float64(countBelow*countBelow)/m) / (m - 1)
	return math.Sqrt(max(0, variance)/m) / float64(size)
}

// IsEnough reports whether the interval of the quantile of probability q, at z standard errors,
// lies within the range of the given number of independent numbers. For clusters, whose numbers may
// all be equal, independent is the number of clusters.
func IsEnough(q float64, independent int64, z float64) bool {
	n := float64(independent)
	halfWidth := float64(z * math.Sqrt(float64(n*float64(q*(1-q)))))
	return float64(n*min(q, 1-q))-halfWidth >= 0.5
}

// NewEstimate returns the quantile of probability q. The ends of its interval are the quantiles of
// the probabilities q − halfWidth and q + halfWidth.
func NewEstimate(h moments.Histogram, q, halfWidth float64) Estimate {
	s := newScale(h.Windows)
	n := float64(h.Total())
	// lookUp returns the number x of a rank by linear interpolation in its bin, the edges of the
	// bin, and whether the bin is in a window.
	lookUp := func(rank float64) (x, lo, hi float64, inWindow bool) {
		bin, fraction := findBin(h, n, rank)
		lo, hi, inWindow = s.edges(bin)
		switch {
		case math.IsInf(lo, 0):
			return lo, lo, hi, inWindow
		case math.IsInf(hi, 0):
			return hi, lo, hi, inWindow
		}
		return lo + float64(fraction*(hi-lo)), lo, hi, inWindow
	}
	var e Estimate
	e.Value, e.BinLo, e.BinHi, e.InWindow = lookUp(float64(n * q))
	e.Lo, e.OuterLo, _, _ = lookUp(float64(n * (q - halfWidth)))
	e.Hi, _, e.OuterHi, _ = lookUp(float64(n * (q + halfWidth)))
	return e
}

// findBin returns the bin that contains the number of a rank from 0 to total, which need not be an
// integer, and the fraction of the bin's numbers below it. The rank is limited to [½, total − ½].
func findBin(h moments.Histogram, total, rank float64) (bin int, fraction float64) {
	rank = min(max(rank, 0.5), total-0.5)
	var smaller int64
	for i, c := range h.Counts {
		if smaller+c > int64(rank) { // equivalent to smaller+c > rank, since the sum is an integer
			return h.FirstBin + i, (rank - float64(smaller)) / float64(c)
		}
		smaller += c
	}
	return h.FirstBin + len(h.Counts), 0
}
