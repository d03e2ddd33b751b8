package quantile

import (
	"math"

	"mcsim/sim/base/moments"
)

// Estimate is a quantile and its interval as logits. Those beyond the scale are infinite.
type Estimate struct {
	Value, Lo, Hi float64
	// BinLo and BinHi are the edges of the bin that contains Value. Fine reports whether that bin
	// is in a window.
	BinLo, BinHi float64
	Fine         bool
	// OuterLo is the lower edge of the bin of Lo, and OuterHi the upper edge of the bin of Hi. The
	// interval certainly lies between them.
	OuterLo, OuterHi float64
}

// BinomialSE returns the standard error of the proportion of n independent numbers below the
// quantile of probability q.
func BinomialSE(n int64, q float64) float64 { return math.Sqrt(float64(q*(1-q)) / float64(n)) }

// ClusteredSE returns the same standard error for clusters of size numbers each. h counts all
// numbers, and squares has the squared counts of the clusters from [Counter.AddSquares]. With c_j
// numbers of cluster j below the quantile and M clusters, the variance of the proportion is
// Σ(c_j − c̄)²/(M(M−1)) over size².
func ClusteredSE(h, squares moments.Histogram, q float64, size int64) float64 {
	total := float64(h.Total())
	m := total / float64(size)
	bin, fraction := findBin(h, total, float64(total*q))
	squaresBelow := 0.0
	for i, c := range squares.Counts {
		switch b := squares.FirstBin + i; {
		case b < bin:
			squaresBelow += float64(c)
		case b == bin:
			squaresBelow += float64(fraction * float64(c))
		}
	}
	countBelow := float64(total * q)
	variance := (squaresBelow - float64(countBelow*countBelow)/m) / (m - 1)
	return math.Sqrt(max(0, variance)/m) / float64(size)
}

// IsEnough reports whether the interval of the quantile of probability q, at z standard errors,
// lies within the range of n independent numbers, or of n clusters whose numbers may all be equal.
func IsEnough(q float64, independent int64, z float64) bool {
	n := float64(independent)
	halfWidth := float64(z * math.Sqrt(float64(n*float64(q*(1-q)))))
	return float64(n*min(q, 1-q))-halfWidth >= 0.5
}

// NewEstimate returns the quantile of probability q, and as its interval the quantiles of
// probability q ± halfWidth.
func NewEstimate(h moments.Histogram, q, halfWidth float64) Estimate {
	s := newScale(h.Windows)
	n := float64(h.Total())
	lookUp := func(rank float64) (x, lo, hi float64, fine bool) {
		bin, fraction := findBin(h, n, rank)
		lo, hi, fine = s.edges(bin)
		switch {
		case math.IsInf(lo, 0):
			return lo, lo, hi, fine
		case math.IsInf(hi, 0):
			return hi, lo, hi, fine
		}
		return lo + float64(fraction*(hi-lo)), lo, hi, fine
	}
	var e Estimate
	e.Value, e.BinLo, e.BinHi, e.Fine = lookUp(float64(n * q))
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
		if smaller+c > int64(rank) { // both are integers, so that the sum is above rank, too
			return h.FirstBin + i, (rank - float64(smaller)) / float64(c)
		}
		smaller += c
	}
	return h.FirstBin + len(h.Counts), 0
}
