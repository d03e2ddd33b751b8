package quantile

import (
	"math"
	"slices"

	"mcsim/sim/base/moments"
)

// coarseSteps is how many bins a unit of the scale has outside of windows.
const coarseSteps = 8

// piece is a part of the scale whose bins have one width: a window, or a gap between two.
type piece struct {
	lo, hi float64
	start  float64 // edge of its first bin, which in a gap may lie below lo
	steps  float64 // bins of a unit
	first  int     // number of its first bin
	bins   int
	fine   bool
}

// scale is the pieces in rising order. Bin 0 holds what lies below all of them, bin
// above what lies above.
type scale struct {
	pieces []piece
	above  int
	guide  [2*Limit*coarseSteps + 1]int32 // by coarse steps: the first piece that ends beyond the step's beginning
}

// scaleOf is the scale with such windows, which rise and do not overlap.
func scaleOf(windows []moments.Window) scale {
	s := scale{above: 1}
	put := func(p piece) {
		p.first = s.above
		s.above += p.bins
		s.pieces = append(s.pieces, p)
	}
	at := -float64(Limit)
	gap := func(to float64) {
		if to > at {
			first, last := math.Floor(at*coarseSteps), math.Ceil(to*coarseSteps)
			put(piece{lo: at, hi: to, start: first / coarseSteps, steps: coarseSteps, bins: int(last - first)})
		}
	}
	for _, w := range windows {
		gap(w.Lo)
		at = w.Lo + float64(w.Step*float64(w.Bins))
		put(piece{lo: w.Lo, hi: at, start: w.Lo, steps: 1 / w.Step, bins: w.Bins, fine: true})
	}
	gap(Limit)
	return s
}

// lay lays the guide, by which bin finds the piece of a place.
func (s *scale) lay() {
	piece := 0
	for i := range s.guide {
		for piece < len(s.pieces)-1 && s.pieces[piece].hi <= float64(float64(i)/coarseSteps)-Limit {
			piece++
		}
		s.guide[i] = int32(piece)
	}
}

// bin is the number of the bin that a place lies in.
func (s *scale) bin(at float64) int {
	switch {
	case !(at >= -Limit):
		return 0
	case at >= Limit:
		return s.above
	}
	i := s.guide[int(float64((at+Limit)*coarseSteps))]
	for at >= s.pieces[i].hi {
		i++
	}
	p := &s.pieces[i]
	return p.first + min(int(float64((at-p.start)*p.steps)), p.bins-1)
}

// edges are the ends of a bin, and whether it is one of a window.
func (s *scale) edges(bin int) (lo, hi float64, fine bool) {
	switch {
	case bin <= 0:
		return math.Inf(-1), -Limit, false
	case bin >= s.above:
		return Limit, math.Inf(1), false
	}
	i, _ := slices.BinarySearchFunc(s.pieces, bin, func(p piece, bin int) int { return p.first + p.bins - 1 - bin })
	p := &s.pieces[i]
	lo = p.start + float64(bin-p.first)/p.steps
	hi = p.start + float64(bin-p.first+1)/p.steps
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
	c := &Counter{windows: windows, scale: scaleOf(windows)}
	c.scale.lay()
	c.counts = make([]int64, c.scale.above+1)
	return c
}

// Counters returns so many counters, fine in the windows that the histograms of a pilot
// have; without a pilot in none.
func Counters(n int, pilot []moments.Histogram) (all []*Counter) {
	for i := range n {
		var windows []moments.Window
		if i < len(pilot) {
			windows = pilot[i].Windows
		}
		all = append(all, NewCounter(windows))
	}
	return all
}

// Bin is the number of the bin of a place.
func (c *Counter) Bin(at float64) int { return c.scale.bin(at) }

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
	h.FirstBin, h.Counts = low, slices.Clone(c.counts[low:high])
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
