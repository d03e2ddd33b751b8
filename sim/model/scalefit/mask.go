package scalefit

import (
	"cmp"
	"math"
	"slices"

	"mcsim/sim/base/elementary"
)

// Visible appends to room the keys that a row sees, in ascending order. A key is masked if its
// logit is −∞, or lies below a gap that the line through the other logits does not explain: so
// a mask may be filled in or added, and have any size. Dimension bounds the factor of short rows.
func Visible(scores, logits []float64, dimension int, room []int) []int {
	keys := room[:0]
	lo, hi := math.Inf(1), math.Inf(-1)
	for j, x := range logits {
		if math.IsInf(x, -1) {
			continue
		}
		keys = append(keys, j)
		lo, hi = min(lo, x), max(hi, x)
	}
	// negligible is a gap below which all weights together are less than float16 resolves.
	negligible := 8 + elementary.Log(float64(max(1, len(keys))))
	if !(hi-lo > negligible) {
		return keys
	}
	slices.SortFunc(keys, func(a, b int) int { return cmp.Compare(logits[b], logits[a]) })
	gap := func(i int) float64 { return logits[keys[i-1]] - logits[keys[i]] }
	for i := 1; i < len(keys); i++ {
		if gap(i) <= negligible {
			continue
		}
		end := i + 1
		for end < len(keys) && gap(end) <= max(negligible, gap(i)/4) { // one mask has one size
			end++
		}
		if isMask(scores, logits, keys[:i], keys[i:end], dimension) {
			keys = keys[:i]
			break
		}
	}
	slices.Sort(keys)
	return keys
}

// isMask reports whether the logits of lower lie further below those of upper than the line
// through the larger of the two groups explains.
func isMask(scores, logits []float64, upper, lower []int, dimension int) bool {
	mean := func(xs []float64, keys []int) (sum float64) {
		for _, j := range keys {
			sum += xs[j] / float64(len(keys))
		}
		return sum
	}
	drop := mean(logits, upper) - mean(logits, lower)
	apart := mean(scores, upper) - mean(scores, lower)
	larger := upper
	if len(lower) > len(upper) {
		larger = lower
	}
	if len(larger) < 3 { // no factor of q·k in use is above √d_k
		return drop/2 > float64(math.Sqrt(float64(dimension))*math.Abs(apart))
	}
	x, y := make([]float64, len(larger)), make([]float64, len(larger))
	for i, j := range larger {
		x[i], y[i] = scores[j], logits[j]
	}
	var f Line
	f.Add(x, y, 0, 0)
	unexplained := drop
	if f.XX > 0 {
		unexplained -= float64(f.Slope() * apart)
	}
	const clearly = 10 // standard deviations of what the line leaves
	scatter := math.Sqrt(f.Rest() / f.Free)
	return unexplained > drop/2 && unexplained > clearly*scatter
}
