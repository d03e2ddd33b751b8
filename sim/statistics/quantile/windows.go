package quantile

import (
	"cmp"
	"maps"
	"math"
	"math/bits"
	"slices"

	"mcsim/sim/base/moments"
)

// Probabilities are the probabilities of the reported quantiles.
var Probabilities = []float64{0.05, 0.25, 0.5, 0.75, 0.95}

// The pilot of n numbers has at least n/pilotRatio and less than 2n/pilotRatio numbers, but at
// least minPilot and at most maxPilot.
const (
	pilotRatio = 32
	minPilot   = 64
	maxPilot   = 1 << 17
)

// PilotSizeClass returns the smallest power of 2 that is at least n and at least 2¹¹. The size of
// the pilot and the bins of its windows depend on n only by this number, so that a few more numbers
// usually do not change them.
func PilotSizeClass(n int64) int64 {
	power := min(bits.Len64(uint64(max(n, 1)-1)), 62)
	return max(minPilot*pilotRatio, int64(1)<<power)
}

// PilotSize returns the size of the pilot for n numbers.
func PilotSize(n int64) int64 { return min(PilotSizeClass(n)/pilotRatio, maxPilot) }

// windowErrors is the half-width of a window in standard errors of the pilot's quantile. The
// quantile of many more numbers, or an end of its interval, is outside of the window with a
// probability of about 10⁻⁵. Then it is read from coarse bins.
const windowErrors = 4.5

// AreWindows reports whether NewPilot can return the windows: they ascend, have at most 2^16 bins
// together, and are near the scale.
func AreWindows(windows []moments.Window) bool {
	bins, end := 0, math.Inf(-1)
	for _, w := range windows {
		bins += w.Bins
		if bins > 1<<16 || math.Abs(w.Lo) > 2*Limit || w.Lo < end-resolution || windowEnd(w) > 2*Limit {
			return false
		}
		end = windowEnd(w)
	}
	return true
}

// CountBins returns the number of bins of a Counter with the given windows.
func CountBins(windows []moments.Window) int {
	s := newScale(windows)
	return s.overflowBin + 1
}

// maxBins bounds the bins of a window, so that the windows of the five Probabilities together have
// about 2¹⁶.
const maxBins = 1 << 16 / 5

// resolution is about the precision of a logit.
const resolution = 0x1p-27

// Pilot holds the numbers of a small sample, the pilot, by which it finds windows and atoms.
type Pilot struct {
	sorted       []float64 // logits in ascending order
	binsPerError float64   // number of bins of one standard error of a quantile of the pilot
	// proportionSE returns the standard error of the proportion of numbers up to x.
	proportionSE func(x, proportion float64) float64
}

// NewPilot returns a Pilot of the given logits, whose windows are for a sample of n numbers.
// clusterOf returns the index of the cluster of the i-th number, ascending from 0; nil means that
// all numbers are independent. The width of a bin in a window is at most a tenth of the standard
// error of a quantile of n numbers: the standard error of the pilot's quantile over 10√(n'/m), with
// n' = PilotSizeClass(n) and m logits. If this requires more than maxBins bins, they are wider.
func NewPilot(logits []float64, clusterOf func(i int) int, n int64) Pilot {
	p := Pilot{sorted: slices.Clone(logits)}
	p.binsPerError = 10 * math.Sqrt(max(1, float64(PilotSizeClass(n))/float64(len(logits))))
	slices.Sort(p.sorted)
	count := float64(len(logits))
	p.proportionSE = func(_, proportion float64) float64 {
		return math.Sqrt(float64(proportion*(1-proportion)) / count)
	}
	if clusterOf != nil {
		p.proportionSE = func(x, proportion float64) float64 { return clusteredSE(logits, clusterOf, x, proportion) }
	}
	return p
}

// minClusters is the number of clusters below which clusteredSE does not use the variance of their
// counts.
const minClusters = 16

// clusteredSE returns the standard error of the proportion of numbers up to a limit, from the
// variance of the clusters' counts of such numbers. With fewer than minClusters clusters, it
// assumes that all numbers of a cluster are on the same side of the limit.
func clusteredSE(logits []float64, clusterOf func(i int) int, limit, proportion float64) float64 {
	counts := make([]int, clusterOf(len(logits)-1)+1) // the last number is in the last cluster
	for i, x := range logits {
		if x <= limit {
			counts[clusterOf(i)]++
		}
	}
	clusters := float64(len(counts))
	if clusters < minClusters {
		return math.Sqrt(float64(proportion*(1-proportion)) / clusters)
	}
	var sum, squares float64
	for _, c := range counts {
		sum += float64(c)
		squares += float64(c * c)
	}
	variance := (squares - float64(sum*sum)/clusters) / (clusters - 1)
	return math.Sqrt(max(0, variance)*clusters) / float64(len(logits))
}

// IsAtom reports whether the quantile of probability q may be at an atom, a value that many numbers
// have exactly, so that it jumps from sample to sample. This is assumed if fewer than three
// quarters of the numbers within two standard errors of its rank are distinct, or if the window
// around it extends beyond the scale.
func (p Pilot) IsAtom(q float64) bool {
	n := float64(len(p.sorted))
	halfWidth := 2 * math.Sqrt(float64(n*float64(q*(1-q))))
	lo, hi := p.index(float64(n*q)-halfWidth), p.index(float64(n*q)+halfWidth)
	distinct := 1
	for i := lo + 1; i <= hi; i++ {
		if p.sorted[i] != p.sorted[i-1] {
			distinct++
		}
	}
	if 4*distinct < 3*(hi-lo+1) {
		return true
	}
	first, last := p.windowEnds(q)
	return math.IsInf(first, 0) || math.IsInf(last, 0)
}

// AtomFlags returns 1 for each of Probabilities whose quantile is at an atom, and 0 for the others.
func (p Pilot) AtomFlags() []int64 {
	flags := make([]int64, len(Probabilities))
	for i, q := range Probabilities {
		if p.IsAtom(q) {
			flags[i] = 1
		}
	}
	return flags
}

// maxAtoms bounds the number of frequent values near a quantile that have separate bins.
const maxAtoms = 16

// atomWindows returns a narrow window for each of the maxAtoms most frequent values in a window.
func (p Pilot) atomWindows(w moments.Window) (windows []moments.Window) {
	countOf := map[float64]int{}
	for _, x := range p.sorted {
		if x >= w.Lo && x <= windowEnd(w) {
			countOf[x]++
		}
	}
	mostFrequentFirst := slices.SortedFunc(maps.Keys(countOf), func(a, b float64) int {
		return cmp.Or(cmp.Compare(countOf[b], countOf[a]), cmp.Compare(a, b))
	})
	for _, x := range mostFrequentFirst[:min(len(mostFrequentFirst), maxAtoms)] {
		windows = append(windows, moments.Window{Lo: x - resolution, Step: 2 * resolution / 3, Bins: 3})
	}
	return windows
}

// index returns the index of the number that has the given rank, which need not be an integer.
func (p Pilot) index(rank float64) int {
	return int(min(max(math.Floor(rank), 0), float64(len(p.sorted)-1)))
}

// windowEnds returns the numbers whose ranks are windowErrors standard errors below and above the
// rank of the quantile of probability q.
func (p Pilot) windowEnds(q float64) (first, last float64) {
	n := float64(len(p.sorted))
	halfWidth := float64(n * float64(windowErrors*p.proportionSE(p.sorted[p.index(n*q)], q)))
	return p.sorted[p.index(float64(n*q)-halfWidth)], p.sorted[p.index(float64(n*q)+halfWidth)]
}

// newWindow returns the window for the quantile of probability q of other numbers of the same
// distribution. ok is false if the window would be beyond the ends of the scale.
func (p Pilot) newWindow(q float64) (w moments.Window, ok bool) {
	n := float64(len(p.sorted))
	middle := p.sorted[p.index(n*q)]
	halfWidth := float64(n * float64(windowErrors*p.proportionSE(middle, q)))
	lo, hi := p.windowEnds(q)
	// If the pilot has no number of the rank of an end of the window, extrapolate.
	if float64(n*q)-halfWidth < 1 {
		lo -= middle - lo
	}
	if float64(n*q)+halfWidth > n-1 {
		hi += hi - middle
	}
	lo, hi = max(lo, -Limit), min(hi, Limit)
	if !(hi >= lo) || hi <= -Limit || lo >= Limit {
		return w, false
	}
	lo, hi = max(lo-resolution, -Limit), min(hi+resolution, Limit)
	// The k numbers whose ranks are within two standard errors of the quantile's rank span four
	// standard errors of the quantile. The relative error of this span is 1/√k; the margin covers
	// 3.5 of these errors.
	first, last := p.index(float64(n*q)-float64(halfWidth/windowErrors*2)),
		p.index(float64(n*q)+float64(halfWidth/windowErrors*2))
	margin := 1 + 3.5/math.Sqrt(float64(last-first+1))
	step := (p.sorted[last] - p.sorted[first]) / (4 * p.binsPerError)
	bins := math.Ceil(2 * windowErrors * p.binsPerError) // if the span is 0 or infinite
	if step > 0 && !math.IsInf(step, 0) {
		bins = max(math.Ceil(margin*(hi-lo)/step), math.Ceil(windowErrors*p.binsPerError))
	}
	bins = min(bins, maxBins)
	return moments.Window{Lo: lo, Step: (hi - lo) / bins, Bins: int(bins)}, true
}

// Windows returns the windows of all Probabilities and of their atoms, in ascending order. It
// splits them at all their ends, so that they do not overlap; where several overlap, the bins are
// as fine as in the finest.
func (p Pilot) Windows() []moments.Window {
	var overlapping []moments.Window
	var edges []float64
	for _, q := range Probabilities {
		w, ok := p.newWindow(q)
		if ok {
			overlapping = append(overlapping, w)
		}
		if ok && p.IsAtom(q) {
			overlapping = append(overlapping, p.atomWindows(w)...)
		}
	}
	for _, w := range overlapping {
		edges = append(edges, w.Lo, windowEnd(w))
	}
	slices.Sort(edges)
	var windows []moments.Window
	for i := 1; i < len(edges); i++ {
		lo, hi := edges[i-1], edges[i]
		step := math.Inf(1)
		for _, w := range overlapping {
			if w.Lo <= lo && hi <= windowEnd(w) {
				step = min(step, w.Step)
			}
		}
		bins := math.Ceil(float64((hi-lo)/step) - 1e-6) // 1e-6 is more than the rounding of the ratio
		if bins >= 1 {
			windows = append(windows, moments.Window{Lo: lo, Step: (hi - lo) / bins, Bins: int(bins)})
		}
	}
	return windows
}

// windowEnd returns the upper end of a window.
func windowEnd(w moments.Window) float64 { return w.Lo + float64(w.Step*float64(w.Bins)) }
