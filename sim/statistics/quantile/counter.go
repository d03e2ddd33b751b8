package quantile

import (
	"math"
	"slices"

	"mcsim/sim/base/moments"
)

// coarseBinsPerUnit is how many bins a unit of the scale has outside of windows.
const coarseBinsPerUnit = 8

// piece is a part of the scale whose bins have one width: a window, or a gap between two.
type piece struct {
	lo, hi      float64
	start       float64 // edge of its first bin, which in a gap may lie below lo
	binsPerUnit float64 // bins of a unit
	firstBin    int     // number of its first bin
	bins        int
	fine        bool
}

// scale is the pieces in rising order. Bin 0 holds what lies below all of them, bin
// above what lies above.
type scale struct {
	pieces   []piece
	overflow int
	guide    [2*Limit*coarseBinsPerUnit + 1]int32 // by coarse steps: the first piece that ends beyond the step's beginning
}

// newScale is the scale with such windows, which rise and do not overlap.
func newScale(windows []moments.Window) scale {
	s := scale{overflow: 1}
	addPiece := func(p piece) {
		p.firstBin = s.overflow
		s.overflow += p.bins
		s.pieces = append(s.pieces, p)
	}
	start := -float64(Limit)
	addGap := func(end float64) {
		if end > start {
			first, last := math.Floor(start*coarseBinsPerUnit), math.Ceil(end*coarseBinsPerUnit)
			addPiece(piece{lo: start, hi: end, start: first / coarseBinsPerUnit, binsPerUnit: coarseBinsPerUnit, bins: int(last - first)})
		}
	}
	for _, w := range windows {
		addGap(w.Lo)
		start = w.Lo + float64(w.Step*float64(w.Bins))
		addPiece(piece{lo: w.Lo, hi: start, start: w.Lo, binsPerUnit: 1 / w.Step, bins: w.Bins, fine: true})
	}
	addGap(Limit)
	return s
}

// buildGuide lays the guide, by which bin finds the piece of a place.
func (s *scale) buildGuide() {
	piece := 0
	for i := range s.guide {
		for piece < len(s.pieces)-1 && s.pieces[piece].hi <= float64(float64(i)/coarseBinsPerUnit)-Limit {
			piece++
		}
		s.guide[i] = int32(piece)
	}
}

// bin is the number of the bin that a place lies in.
func (s *scale) bin(x float64) int {
	switch {
	case !(x >= -Limit):
		return 0
	case x >= Limit:
		return s.overflow
	}
	i := s.guide[int(float64((x+Limit)*coarseBinsPerUnit))]
	for x >= s.pieces[i].hi {
		i++
	}
	p := &s.pieces[i]
	return p.firstBin + min(int(float64((x-p.start)*p.binsPerUnit)), p.bins-1)
}

// edges are the ends of a bin, and whether it is one of a window.
func (s *scale) edges(bin int) (lo, hi float64, fine bool) {
	switch {
	case bin <= 0:
		return math.Inf(-1), -Limit, false
	case bin >= s.overflow:
		return Limit, math.Inf(1), false
	}
	i, _ := slices.BinarySearchFunc(s.pieces, bin, func(p piece, bin int) int { return p.firstBin + p.bins - 1 - bin })
	p := &s.pieces[i]
	lo = p.start + float64(bin-p.firstBin)/p.binsPerUnit
	hi = p.start + float64(bin-p.firstBin+1)/p.binsPerUnit
	return max(lo, p.lo), min(hi, p.hi), p.fine
}

// Counter counts numbers by their places on the scale.
type Counter struct {
	windows []moments.Window
	scale   scale
	counts  []int64
}

// NewCounter returns a counter of fine bins in the windows.
func NewCounter(windows []moments.Window) *Counter {
	c := &Counter{windows: windows, scale: newScale(windows)}
	c.scale.buildGuide()
	c.counts = make([]int64, c.scale.overflow+1)
	return c
}

// NewCounters returns so many counters, fine in the windows that the histograms of a pilot
// have; without a pilot in none.
func NewCounters(n int, pilot []moments.Histogram) (counters []*Counter) {
	for i := range n {
		var windows []moments.Window
		if i < len(pilot) {
			windows = pilot[i].Windows
		}
		counters = append(counters, NewCounter(windows))
	}
	return counters
}

// Bin is the number of the bin of a place.
func (c *Counter) Bin(x float64) int { return c.scale.bin(x) }

// Add counts so many numbers of a bin.
func (c *Counter) Add(bin int, count int64) { c.counts[bin] += count }

// Take returns what was counted and starts again.
func (c *Counter) Take() moments.Histogram {
	h := moments.Histogram{Windows: c.windows}
	low, high := slices.IndexFunc(c.counts, func(n int64) bool { return n != 0 }), len(c.counts)
	if low < 0 {
		return h
	}
	for c.counts[high-1] == 0 {
		high--
	}
	h.From, h.Counts = low, slices.Clone(c.counts[low:high])
	clear(c.counts[low:high])
	return h
}

// AddSquares counts a whole cluster of numbers by their bins, which it sorts: the r-th
// smallest with the weight 2r − 1. Up to any edge these weights add up to the square of
// the number of the cluster's numbers there, so that such histograms of many clusters,
// merged, know the sum of squares of the clusters' counts below every edge.
func (c *Counter) AddSquares(bins []int) {
	slices.Sort(bins)
	for r, bin := range bins {
		c.Add(bin, int64(2*r+1))
	}
}
