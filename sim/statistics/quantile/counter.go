package quantile

import (
	"math"
	"slices"

	"mcsim/sim/base/moments"
)

// coarseBinsPerUnit is the number of bins of a unit of the scale outside of windows.
const coarseBinsPerUnit = 8

// piece is a range of the scale whose bins have the same width: a window, or a gap between two
// windows.
type piece struct {
	lo, hi      float64
	start       float64 // lower edge of the first bin, which may be below lo in a gap
	binsPerUnit float64
	firstBin    int // index of the first bin
	bins        int
	fine        bool // the piece is a window
}

// scale holds the pieces in ascending order. Bin 0 is for numbers below all pieces, and bin
// overflow for numbers above.
type scale struct {
	pieces      []piece
	overflowBin int
	guide       [2*Limit*coarseBinsPerUnit + 1]int32 // for each coarse bin: first piece that ends above its lower edge
}

// newScale returns the scale with the given windows, which must ascend and not overlap.
func newScale(windows []moments.Window) scale {
	s := scale{overflowBin: 1}
	addPiece := func(p piece) {
		p.firstBin = s.overflowBin
		s.overflowBin += p.bins
		s.pieces = append(s.pieces, p)
	}
	start := -float64(Limit)
	addGap := func(end float64) {
		if end > start {
			first, last := math.Floor(start*coarseBinsPerUnit), math.Ceil(end*coarseBinsPerUnit)
			addPiece(piece{lo: start, hi: end, start: first / coarseBinsPerUnit, binsPerUnit: coarseBinsPerUnit,
				bins: int(last - first)})
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

// buildGuide fills the guide, with which bin finds the piece of a logit.
func (s *scale) buildGuide() {
	piece := 0
	for i := range s.guide {
		for piece < len(s.pieces)-1 && s.pieces[piece].hi <= float64(float64(i)/coarseBinsPerUnit)-Limit {
			piece++
		}
		s.guide[i] = int32(piece)
	}
}

// bin returns the index of the bin that contains the logit x. NaN is in bin 0.
func (s *scale) bin(x float64) int {
	switch {
	case !(x >= -Limit):
		return 0
	case x >= Limit:
		return s.overflowBin
	}
	i := s.guide[int(float64((x+Limit)*coarseBinsPerUnit))]
	for x >= s.pieces[i].hi {
		i++
	}
	p := &s.pieces[i]
	return p.firstBin + min(int(float64((x-p.start)*p.binsPerUnit)), p.bins-1)
}

// edges returns the edges of a bin, and whether it is in a window.
func (s *scale) edges(bin int) (lo, hi float64, fine bool) {
	switch {
	case bin <= 0:
		return math.Inf(-1), -Limit, false
	case bin >= s.overflowBin:
		return Limit, math.Inf(1), false
	}
	i, _ := slices.BinarySearchFunc(s.pieces, bin, func(p piece, bin int) int { return p.firstBin + p.bins - 1 - bin })
	p := &s.pieces[i]
	lo = p.start + float64(bin-p.firstBin)/p.binsPerUnit
	hi = p.start + float64(bin-p.firstBin+1)/p.binsPerUnit
	return max(lo, p.lo), min(hi, p.hi), p.fine
}

// Counter counts numbers in the bins of a scale.
type Counter struct {
	windows []moments.Window
	scale   scale
	counts  []int64
}

// NewCounter returns a Counter with fine bins in the windows, which must ascend and not overlap.
func NewCounter(windows []moments.Window) *Counter {
	c := &Counter{windows: windows, scale: newScale(windows)}
	c.scale.buildGuide()
	c.counts = make([]int64, c.scale.overflowBin+1)
	return c
}

// NewCounters returns n counters, the i-th with the windows of the pilot's i-th histogram. Without
// a pilot they have no windows.
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

// Bin returns the index of the bin that contains the logit x.
func (c *Counter) Bin(x float64) int { return c.scale.bin(x) }

// Add adds count numbers to a bin.
func (c *Counter) Add(bin int, count int64) { c.counts[bin] += count }

// Take returns the counts and resets them.
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

// AddSquares counts the numbers of a whole cluster, given by their bins, which it sorts. The r-th
// smallest has the weight 2r − 1, so that the weights below any edge sum to the square of the
// cluster's count below it. Merged over clusters, such histograms have the sum of the squared
// counts below every edge.
func (c *Counter) AddSquares(bins []int) {
	slices.Sort(bins)
	for r, bin := range bins {
		c.Add(bin, int64(2*r+1))
	}
}
