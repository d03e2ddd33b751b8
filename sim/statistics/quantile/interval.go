package quantile

import (
	"math"

	"mcsim/sim/base/moments"
)

// Estimate is a quantile on the scale, with the ends of its interval. They are infinite
// where they lie beyond the scale.
type Estimate struct {
	At, Lo, Hi float64
	// BinLo and BinHi are the ends of the bin that At lies in; Fine is false where a bin
	// outside of all windows had to serve.
	BinLo, BinHi float64
	Fine         bool
	// OuterLo and OuterHi are the outer ends of the bins of Lo and Hi, between which the
	// interval certainly lies.
	OuterLo, OuterHi float64
}

// Binomial is the standard error of the share of n independent numbers that lie below the
// quantile at q.
func Binomial(n int64, q float64) float64 { return math.Sqrt(float64(q*(1-q)) / float64(n)) }

// Clustered is the same for numbers in clusters of a size, by the scatter of the clusters'
// counts, of which [Counter.AddSquares] has made squares: with c_j numbers of cluster j
// below and M clusters, the variance of the share is Σ(c_j − c̄)²/(M(M−1)) over size².
func Clustered(h, squares moments.Histogram, q float64, size int64) float64 {
	total := float64(h.Total())
	m := total / float64(size)
	bin, part := find(h, total, float64(total*q))
	below := 0.0
	for i, c := range squares.Counts {
		switch at := squares.FirstBin + i; {
		case at < bin:
			below += float64(c)
		case at == bin:
			below += float64(part * float64(c))
		}
	}
	count := float64(total * q)
	variance := (below - float64(count*count)/m) / (m - 1)
	return math.Sqrt(max(0, variance)/m) / float64(size)
}

// Enough reports whether so many independent numbers, or clusters, are enough for the
// interval of the quantile at q, of z standard errors, to lie between the least and the
// greatest number, however alike the numbers of a cluster are.
func Enough(q float64, independent int64, z float64) bool {
	n := float64(independent)
	half := float64(z * math.Sqrt(float64(n*float64(q*(1-q)))))
	return float64(n*min(q, 1-q))-half >= 0.5
}

// Of is the quantile at q, and the numbers whose ranks are half of all numbers' share
// below and above it.
func Of(h moments.Histogram, q, half float64) Estimate {
	s := scaleOf(h.Windows)
	n := float64(h.Total())
	at := func(rank float64) (at, lo, hi float64, fine bool) {
		bin, part := find(h, n, rank)
		lo, hi, fine = s.edges(bin)
		switch {
		case math.IsInf(lo, 0):
			return lo, lo, hi, fine
		case math.IsInf(hi, 0):
			return hi, lo, hi, fine
		}
		return lo + float64(part*(hi-lo)), lo, hi, fine
	}
	var e Estimate
	e.At, e.BinLo, e.BinHi, e.Fine = at(float64(n * q))
	e.Lo, e.OuterLo, _, _ = at(float64(n * (q - half)))
	e.Hi, _, e.OuterHi, _ = at(float64(n * (q + half)))
	return e
}

// find is the bin in which, of so many numbers, that of a rank lies, which need not be a whole number,
// and the part of the bin's numbers that are below it; half a number lies beyond either
// end at least.
func find(h moments.Histogram, total, rank float64) (bin int, part float64) {
	rank = min(max(rank, 0.5), total-0.5)
	var before int64
	for i, c := range h.Counts {
		if before+c > int64(rank) { // so that it is above rank, too
			return h.FirstBin + i, (rank - float64(before)) / float64(c)
		}
		before += c
	}
	return h.FirstBin + len(h.Counts), 0
}
