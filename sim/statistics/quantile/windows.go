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
	ladder     = 32
	leastPilot = 64
	mostPilot  = 1 << 17
)

// PilotSizeClass is the number, a power of 2 from 2¹¹ on, that stands for n numbers where their
// pilot and the bins of their windows are chosen, so that a few more change neither.
func PilotSizeClass(n int64) int64 {
	power := min(bits.Len64(uint64(max(n, 1)-1)), 62)
	return max(leastPilot*ladder, int64(1)<<power)
}

// PilotSize is how many numbers the pilot of n should have.
func PilotSize(n int64) int64 { return min(PilotSizeClass(n)/ladder, mostPilot) }

// reach is how many standard errors of the pilot a window reaches to either side of
// the pilot's quantile: the quantile that it is made for, of many more numbers, and the
// ends of its interval lie outside in about one of 10⁵ cases, and are then read from coarse
// bins.
const reach = 4.5

// mostBins is how many bins a window has at the most: of all five together some 2¹⁶.
const mostBins = 1 << 16 / 5

// resolved is about the precision of a place on the scale.
const resolved = 0x1p-27

// Pilot is the places on the scale of the numbers of a pilot.
type Pilot struct {
	places   []float64 // sorted
	fineness float64   // bins for the standard error of a quantile of the pilot
	// errorAt is the standard error of the share of numbers below a place.
	errorAt func(at, share float64) float64
}

// NewPilot takes the places of a pilot's numbers, the i-th of the cluster that cluster
// says, from 0 on, the last number of the last one; nil if all are independent. A bin of
// its windows is a tenth of the standard error of the quantiles of n such numbers, or a
// little finer, as far as mostBins allow: the pilot's own error over 10√(n/pilot).
func NewPilot(places []float64, cluster func(i int) int, n int64) Pilot {
	p := Pilot{places: slices.Clone(places)}
	p.fineness = 10 * math.Sqrt(max(1, float64(PilotSizeClass(n))/float64(len(places))))
	slices.Sort(p.places)
	drawn := float64(len(places))
	p.errorAt = func(_, share float64) float64 { return math.Sqrt(float64(share*(1-share)) / drawn) }
	if cluster != nil {
		p.errorAt = func(at, share float64) float64 { return clusteredError(places, cluster, at, share) }
	}
	return p
}

// leastClusters is the number of clusters below whose scatter says little: all numbers
// of a cluster are then taken to be on the same side of a place.
const leastClusters = 16

// clusteredError is the standard error of the share of numbers up to a place, by the
// scatter of the clusters' counts.
func clusteredError(places []float64, cluster func(i int) int, at, share float64) float64 {
	counts := make([]int, cluster(len(places)-1)+1) // the last number's cluster is the last
	for i, x := range places {
		if x <= at {
			counts[cluster(i)]++
		}
	}
	clusters := float64(len(counts))
	if clusters < leastClusters {
		return math.Sqrt(float64(share*(1-share)) / clusters)
	}
	var sum, squares float64
	for _, c := range counts {
		sum += float64(c)
		squares += float64(c * c)
	}
	variance := (squares - float64(sum*sum)/clusters) / (clusters - 1)
	return math.Sqrt(max(0, variance)*clusters) / float64(len(places))
}

// Atom reports whether the quantile at q of a sample may jump: of the numbers within two
// errors of its rank fewer than three quarters are different, or the window around it
// reaches beyond the scale.
func (p Pilot) Atom(q float64) bool {
	n := float64(len(p.places))
	half := 2 * math.Sqrt(float64(n*float64(q*(1-q))))
	lo, hi := p.rank(float64(n*q)-half), p.rank(float64(n*q)+half)
	different := 1
	for i := lo + 1; i <= hi; i++ {
		if p.places[i] != p.places[i-1] {
			different++
		}
	}
	if 4*different < 3*(hi-lo+1) {
		return true
	}
	first, last := p.reached(q)
	return math.IsInf(first, 0) || math.IsInf(last, 0)
}

// Atoms is 1 for each of Points at which there is an atom, and else 0.
func (p Pilot) Atoms() []int64 {
	out := make([]int64, len(Probabilities))
	for i, q := range Probabilities {
		if p.Atom(q) {
			out[i] = 1
		}
	}
	return out
}

// mostAtoms is how many different numbers near a quantile have bins of their own.
const mostAtoms = 16

// atoms are bins for the numbers in a window that occur most often.
func (p Pilot) atoms(w moments.Window) (windows []moments.Window) {
	count := map[float64]int{}
	for _, x := range p.places {
		if x >= w.Lo && x <= end(w) {
			count[x]++
		}
	}
	often := slices.SortedFunc(maps.Keys(count), func(a, b float64) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	for _, x := range often[:min(len(often), mostAtoms)] {
		windows = append(windows, moments.Window{Lo: x - resolved, Step: 2 * resolved / 3, Bins: 3})
	}
	return windows
}

// rank is the index of the number of a rank, which need not be a whole number.
func (p Pilot) rank(at float64) int {
	return int(min(max(math.Floor(at), 0), float64(len(p.places)-1)))
}

// reached is the numbers whose ranks are reach errors below and above that of the quantile
// at q.
func (p Pilot) reached(q float64) (first, last float64) {
	n := float64(len(p.places))
	half := float64(n * float64(reach*p.errorAt(p.places[p.rank(n*q)], q)))
	return p.places[p.rank(float64(n*q)-half)], p.places[p.rank(float64(n*q)+half)]
}

// window is where the quantile at q of other numbers of the same distribution must be looked for;
// false if that is beyond the ends of the scale.
func (p Pilot) window(q float64) (w moments.Window, ok bool) {
	n := float64(len(p.places))
	middle := p.places[p.rank(n*q)]
	half := float64(n * float64(reach*p.errorAt(middle, q)))
	lo, hi := p.reached(q)
	if float64(n*q)-half < 1 { // the pilot has no number that far out: as far as it reached again
		lo -= middle - lo
	}
	if float64(n*q)+half > n-1 {
		hi += hi - middle
	}
	lo, hi = max(lo, -Limit), min(hi, Limit)
	if !(hi >= lo) || hi <= -Limit || lo >= Limit {
		return w, false
	}
	lo, hi = max(lo-resolved, -Limit), min(hi+resolved, Limit)
	// The k numbers within two errors of the rank to either side are four errors apart, which
	// is known to 1/√k of it.
	first, last := p.rank(float64(n*q)-float64(half/reach*2)), p.rank(float64(n*q)+float64(half/reach*2))
	margin := 1 + 3.5/math.Sqrt(float64(last-first+1))
	step := (p.places[last] - p.places[first]) / (4 * p.fineness)
	bins := math.Ceil(2 * reach * p.fineness)
	if step > 0 && !math.IsInf(step, 0) {
		bins = max(math.Ceil(margin*(hi-lo)/step), math.Ceil(reach*p.fineness))
	}
	bins = min(bins, mostBins)
	return moments.Window{Lo: lo, Step: (hi - lo) / bins, Bins: int(bins)}, true
}

// Windows are the windows of all Points. Where some overlap, the finest bins hold.
func (p Pilot) Windows() []moments.Window {
	var all []moments.Window
	var edges []float64
	for _, q := range Probabilities {
		w, ok := p.window(q)
		if ok {
			all = append(all, w)
		}
		if ok && p.Atom(q) {
			all = append(all, p.atoms(w)...)
		}
	}
	for _, w := range all {
		edges = append(edges, w.Lo, end(w))
	}
	slices.Sort(edges)
	var parts []moments.Window
	for i := 1; i < len(edges); i++ {
		lo, hi := edges[i-1], edges[i]
		step := math.Inf(1)
		for _, w := range all {
			if w.Lo <= lo && hi <= end(w) {
				step = min(step, w.Step)
			}
		}
		if bins := math.Ceil(float64((hi-lo)/step) - 1e-6); bins >= 1 {
			parts = append(parts, moments.Window{Lo: lo, Step: (hi - lo) / bins, Bins: int(bins)})
		}
	}
	return parts
}

// end is where a window ends.
func end(w moments.Window) float64 { return w.Lo + float64(w.Step*float64(w.Bins)) }
