package quantile

import (
	"math"

	"mcsim/sim/base/moments"
)

// Estimate is a quantile on the scale, with the ends of its interval. They are infinite
// where they lie beyond the scale.
type Estimate struct {
	Value, Lo, Hi float64
	// BinLo and BinHi are the ends of the bin that At lies in; Fine is false where a bin
	// outside of all windows had to serve.
	BinLo, BinHi float64
	Fine         bool
	// OuterLo and OuterHi are the outer ends of the bins of Lo and Hi, between which the
	// interval certainly lies.
	OuterLo, OuterHi float64
}

// BinomialSE is the standard error of the share of n independent numbers that lie below the
// quantile at q.
func BinomialSE(n int64, q float64) float64 { return math.Sqrt(float64(q*(1-q)) / float64(n)) }

// ClusteredSE is the same for numbers in clusters of a size, by the scatter of the clusters'
// counts, of which [Counter.AddSquares] has made squares: with c_j numbers of cluster j
// below and M clusters, the variance of the share is Σ(c_j − c̄)²/(M(M−1)) over size².
func ClusteredSE(h, squares moments.Histogram, q float64, size int64) float64 {
	total := float64(h.Total())
	m := total / float64(size)
	bin, fraction := findBin(h, total, float64(total*q))
	squaresBelow := 0.0
	for i, c := range squares.Counts {
		switch b := squares.From + i; {
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

// IsEnough reports whether so many independent numbers, or clusters, are enough for the
// interval of the quantile at q, of z standard errors, to lie between the least and the
// greatest number, however alike the numbers of a cluster are.
func IsEnough(q float64, independent int64, z float64) bool {
	n := float64(independent)
	halfWidth := float64(z * math.Sqrt(float64(n*float64(q*(1-q)))))
	return float64(n*min(q, 1-q))-halfWidth >= 0.5
}

// NewEstimate is the quantile at q, and the numbers whose ranks are half of all numbers' share
// below and above it.
func NewEstimate(h moments.Histogram, q, halfWidth float64) Estimate {
	s := newScale(h.Windows)
	n := float64(h.Total())
	at := func(rank float64) (at, lo, hi float64, fine bool) {
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
	e.Value, e.BinLo, e.BinHi, e.Fine = at(float64(n * q))
	e.Lo, e.OuterLo, _, _ = at(float64(n * (q - halfWidth)))
	e.Hi, _, e.OuterHi, _ = at(float64(n * (q + halfWidth)))
	return e
}

// findBin is the bin in which, of so many numbers, that of a rank lies, which need not be a whole number,
// and the part of the bin's numbers that are below it; half a number lies beyond either
// end at least.
func findBin(h moments.Histogram, total, rank float64) (bin int, fraction float64) {
	rank = min(max(rank, 0.5), total-0.5)
	var smaller int64
	for i, c := range h.Counts {
		if smaller+c > int64(rank) { // so that it is above rank, too
			return h.From + i, (rank - float64(smaller)) / float64(c)
		}
		smaller += c
	}
	return h.From + len(h.Counts), 0
}
