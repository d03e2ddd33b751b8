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
	firstEdge   float64 // lower edge of the first bin, which may be below lo if the piece is a gap
	binsPerUnit float64
	firstBin    int // index of the first bin
	bins        int
	isWindow    bool
}

// scale holds the pieces in ascending order. Bin 0 is for numbers below all pieces, and overflowBin
// for numbers above all pieces.
type scale struct {
	pieces      []piece
	overflowBin int
	// guide divides the whole scale, windows included, into steps of 1/coarseBinsPerUnit. It holds
	// for each step the index of the first piece that ends above the lower end of the step.
	guide [2*Limit*coarseBinsPerUnit + 1]int32
}

// newScale returns the scale with the given windows, which must ascend and not overlap. It does not
// fill guide.
func newScale(windows []moments.Window) scale {
	s := scale{overflowBin: 1}
	addPiece := func(p piece) {
		p.firstBin = s.overflowBin
		s.overflowBin += p.bins
		s.pieces = append(s.pieces, p)
	}
	end := -float64(Limit) // end of the last piece
	addGapUntil := func(hi float64) {
		if hi > end {
			first, last := math.Floor(end*coarseBinsPerUnit), math.Ceil(hi*coarseBinsPerUnit)
			addPiece(piece{
				lo: end, hi: hi, firstEdge: first / coarseBinsPerUnit, binsPerUnit: coarseBinsPerUnit,
				bins: int(last - first),
			})
		}
	}
	for _, w := range windows {
		addGapUntil(w.Lo)
		end = w.Lo + float64(w.Step*float64(w.Bins))
		addPiece(piece{lo: w.Lo, hi: end, firstEdge: w.Lo, binsPerUnit: 1 / w.Step, bins: w.Bins, isWindow: true})
	}
	addGapUntil(Limit)
	return s
}

// buildGuide fills guide, by which the method bin finds the piece of a logit.
func (s *scale) buildGuide() {
	i := 0
	for step := range s.guide {
		for i < len(s.pieces)-1 && s.pieces[i].hi <= float64(float64(step)/coarseBinsPerUnit)-Limit {
			i++
		}
		s.guide[step] = int32(i)
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
	return p.firstBin + min(int(float64((x-p.firstEdge)*p.binsPerUnit)), p.bins-1)
}

// edges returns the edges of a bin, and whether the bin is in a window.
func (s *scale) edges(bin int) (lo, hi float64, inWindow bool) {
	switch {
	case bin <= 0:
		return math.Inf(-1), -Limit, false
	case bin >= s.overflowBin:
		return Limit, math.Inf(1), false
	}
	// Find the first piece whose last bin is not before the bin.
	i, _ := slices.BinarySearchFunc(s.pieces, bin, func(p piece, bin int) int { return p.firstBin + p.bins - 1 - bin })
	p := &s.pieces[i]
	lo = p.firstEdge + float64(bin-p.firstBin)/p.binsPerUnit
	hi = p.firstEdge + float64(bin-p.firstBin+1)/p.binsPerUnit
	return max(lo, p.lo), min(hi, p.hi), p.isWindow
}

// Counter counts numbers in the bins of a scale.
type Counter struct {
	windows []moments.Window
	scale   scale
	counts  []int64
}

// NewCounter returns a Counter with fine bins in the given windows, which must ascend and not
// overlap.
func NewCounter(windows []moments.Window) *Counter {
	c := &Counter{windows: windows, scale: newScale(windows)}
	c.scale.buildGuide()
	c.counts = make([]int64, c.scale.overflowBin+1)
	return c
}

// NewCounters returns n counters. The i-th one has the windows of the i-th histogram of the pilot,
// or no windows if the pilot has fewer histograms.
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

// Take returns the counts as a histogram and resets them to 0.
func (c *Counter) Take() moments.Histogram {
	h := moments.Histogram{Windows: c.windows}
	first, end := slices.IndexFunc(c.counts, func(n int64) bool { return n != 0 }), len(c.counts)
	if first < 0 {
		return h
	}
	for c.counts[end-1] == 0 {
		end--
	}
	h.FirstBin, h.Counts = first, slices.Clone(c.counts[first:end])
	clear(c.counts[first:end])
	return h
}

// AddSquares counts the numbers of one cluster, given their bins. The r-th smallest number, from r
// = 1 on, counts as 2r − 1. So if m numbers of the cluster lie below an edge, their counts sum to
// m². After several clusters, the counts below an edge sum to Σ m² over the clusters. AddSquares
// sorts bins.
func (c *Counter) AddSquares(bins []int) {
	slices.Sort(bins)
	for i, bin := range bins { // r = i + 1
		c.Add(bin, int64(2*i+1))
	}
}
