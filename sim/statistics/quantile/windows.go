package quantile

import (
	"cmp"
	"maps"
	"math"
	"math/bits"
	"slices"

	"mcsim/sim/base/moments"
)

// Probabilities are the quantiles that are reported.
var Probabilities = []float64{0.05, 0.25, 0.5, 0.75, 0.95}

// The pilot of n numbers has at least n/ladder and at most twice as many of them.
const (
	pilotRatio = 32
	minPilot   = 64
	maxPilot   = 1 << 17
)

// PilotSizeClass is the number, a power of 2 from 2¹¹ on, that stands for n numbers where their
// pilot and the bins of their windows are chosen, so that a few more change neither.
func PilotSizeClass(n int64) int64 {
	power := min(bits.Len64(uint64(max(n, 1)-1)), 62)
	return max(minPilot*pilotRatio, int64(1)<<power)
}

// PilotSize is how many numbers the pilot of n should have.
func PilotSize(n int64) int64 { return min(PilotSizeClass(n)/pilotRatio, maxPilot) }

// windowErrors is how many standard errors of the pilot a window reaches to either side of
// the pilot's quantile: the quantile that it is made for, of many more numbers, and the
// ends of its interval lie outside in about one of 10⁵ cases, and are then read from coarse
// bins.
const windowErrors = 4.5

// maxBins is how many bins a window has at the most: of all five together some 2¹⁶.
const maxBins = 1 << 16 / 5

// resolution is about the precision of a place on the scale.
const resolution = 0x1p-27

// Pilot is the places on the scale of the numbers of a pilot.
type Pilot struct {
	sorted       []float64 // sorted
	binsPerError float64   // bins for the standard error of a quantile of the pilot
	// proportionSE is the standard error of the share of numbers below a place.
	proportionSE func(at, share float64) float64
}

// NewPilot takes the places of a pilot's numbers, the i-th of the cluster that cluster
// says, from 0 on, the last number of the last one; nil if all are independent. A bin of
// its windows is a tenth of the standard error of the quantiles of n such numbers, or a
// little finer, as far as mostBins allow: the pilot's own error over 10√(n/pilot).
func NewPilot(numbers []float64, clusterOf func(i int) int, n int64) Pilot {
	p := Pilot{sorted: slices.Clone(numbers)}
	p.binsPerError = 10 * math.Sqrt(max(1, float64(PilotSizeClass(n))/float64(len(numbers))))
	slices.Sort(p.sorted)
	count := float64(len(numbers))
	p.proportionSE = func(_, proportion float64) float64 { return math.Sqrt(float64(proportion*(1-proportion)) / count) }
	if clusterOf != nil {
		p.proportionSE = func(x, proportion float64) float64 { return clusteredSE(numbers, clusterOf, x, proportion) }
	}
	return p
}

// minClusters is the number of clusters below whose scatter says little: all numbers
// of a cluster are then taken to be on the same side of a place.
const minClusters = 16

// clusteredSE is the standard error of the share of numbers up to a place, by the
// scatter of the clusters' counts.
func clusteredSE(numbers []float64, clusterOf func(i int) int, limit, proportion float64) float64 {
	counts := make([]int, clusterOf(len(numbers)-1)+1) // the last number's cluster is the last
	for i, x := range numbers {
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
	return math.Sqrt(max(0, variance)*clusters) / float64(len(numbers))
}

// IsAtom reports whether the quantile at q of a sample may jump: of the numbers within two
// errors of its rank fewer than three quarters are different, or the window around it
// reaches beyond the scale.
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

// AtomFlags is 1 for each of Points at which there is an atom, and else 0.
func (p Pilot) AtomFlags() []int64 {
	flags := make([]int64, len(Probabilities))
	for i, q := range Probabilities {
		if p.IsAtom(q) {
			flags[i] = 1
		}
	}
	return flags
}

// maxAtoms is how many different numbers near a quantile have bins of their own.
const maxAtoms = 16

// atomWindows are bins for the numbers in a window that occur most often.
func (p Pilot) atomWindows(w moments.Window) (windows []moments.Window) {
	count := map[float64]int{}
	for _, x := range p.sorted {
		if x >= w.Lo && x <= windowEnd(w) {
			count[x]++
		}
	}
	byCount := slices.SortedFunc(maps.Keys(count), func(a, b float64) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	for _, x := range byCount[:min(len(byCount), maxAtoms)] {
		windows = append(windows, moments.Window{Lo: x - resolution, Step: 2 * resolution / 3, Bins: 3})
	}
	return windows
}

// index is the index of the number of a rank, which need not be a whole number.
func (p Pilot) index(rank float64) int {
	return int(min(max(math.Floor(rank), 0), float64(len(p.sorted)-1)))
}

// windowEnds is the numbers whose ranks are reach errors below and above that of the quantile
// at q.
func (p Pilot) windowEnds(q float64) (first, last float64) {
	n := float64(len(p.sorted))
	halfWidth := float64(n * float64(windowErrors*p.proportionSE(p.sorted[p.index(n*q)], q)))
	return p.sorted[p.index(float64(n*q)-halfWidth)], p.sorted[p.index(float64(n*q)+halfWidth)]
}

// newWindow is where the quantile at q of other numbers of the same distribution must be looked for;
// false if that is beyond the ends of the scale.
func (p Pilot) newWindow(q float64) (w moments.Window, ok bool) {
	n := float64(len(p.sorted))
	middle := p.sorted[p.index(n*q)]
	halfWidth := float64(n * float64(windowErrors*p.proportionSE(middle, q)))
	lo, hi := p.windowEnds(q)
	if float64(n*q)-halfWidth < 1 { // the pilot has no number that far out: as far as it reached again
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
	// The k numbers within two errors of the rank to either side are four errors apart, which
	// is known to 1/√k of it.
	first, last := p.index(float64(n*q)-float64(halfWidth/windowErrors*2)), p.index(float64(n*q)+float64(halfWidth/windowErrors*2))
	margin := 1 + 3.5/math.Sqrt(float64(last-first+1))
	step := (p.sorted[last] - p.sorted[first]) / (4 * p.binsPerError)
	bins := math.Ceil(2 * windowErrors * p.binsPerError)
	if step > 0 && !math.IsInf(step, 0) {
		bins = max(math.Ceil(margin*(hi-lo)/step), math.Ceil(windowErrors*p.binsPerError))
	}
	bins = min(bins, maxBins)
	return moments.Window{Lo: lo, Step: (hi - lo) / bins, Bins: int(bins)}, true
}

// Windows are the windows of all Points. Where some overlap, the finest bins hold.
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
		if bins := math.Ceil(float64((hi-lo)/step) - 1e-6); bins >= 1 {
			windows = append(windows, moments.Window{Lo: lo, Step: (hi - lo) / bins, Bins: int(bins)})
		}
	}
	return windows
}

// windowEnd is where a window ends.
func windowEnd(w moments.Window) float64 { return w.Lo + float64(w.Step*float64(w.Bins)) }
