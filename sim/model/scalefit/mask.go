package scalefit

import (
	"cmp"
	"math"
	"slices"

	"mcsim/sim/base/elementary"
)

// VisibleKeys returns the keys that a row sees, in ascending order; it reuses buffer. A key is
// masked if its logit is −∞. It is also masked if its logit lies below a gap in the row's logits
// that the scores do not explain. This finds masks that replace logits by a constant and masks that
// add a constant. dimension is d_k. If a row has too few keys for a regression of logits on scores,
// the scores explain a gap of at most √d_k times their difference.
func VisibleKeys(scores, logits []float64, dimension int, buffer []int) []int {
	keys := buffer[:0]
	lo, hi := math.Inf(1), math.Inf(-1)
	for j, x := range logits {
		if math.IsInf(x, -1) {
			continue
		}
		keys = append(keys, j)
		lo, hi = min(lo, x), max(hi, x)
	}
	// The weights of all keys below a gap of minGap add up to less than e⁻⁸ of the largest weight,
	// less than float16 resolves. A smaller gap is not a mask.
	minGap := 8 + elementary.Log(float64(max(1, len(keys))))
	if !(hi-lo > minGap) {
		return keys
	}
	slices.SortFunc(keys, func(a, b int) int { return cmp.Compare(logits[b], logits[a]) })
	gap := func(i int) float64 { return logits[keys[i-1]] - logits[keys[i]] }
	for i := 1; i < len(keys); i++ {
		if gap(i) <= minGap {
			continue
		}
		// The gaps between masked keys are small compared with the gap above them. So the masked
		// keys end at the next gap of more than a quarter of it.
		end := i + 1
		for end < len(keys) && gap(end) <= max(minGap, gap(i)/4) {
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

// isMask reports whether the keys in lower are masked. It fits a line of logits on scores to the
// larger of the two sets of keys. The line predicts from the scores how far the mean logit of lower
// is below that of upper. The keys are masked if most of the distance is unexplained.
func isMask(scores, logits []float64, upper, lower []int, dimension int) bool {
	mean := func(xs []float64, keys []int) (sum float64) {
		for _, j := range keys {
			sum += xs[j] / float64(len(keys))
		}
		return sum
	}
	drop := mean(logits, upper) - mean(logits, lower)
	scoreDrop := mean(scores, upper) - mean(scores, lower)
	larger := upper
	if len(lower) > len(upper) {
		larger = lower
	}
	if len(larger) < 3 {
		// The factor of q·k is not known, but no model has one of more than √d_k.
		return drop-float64(math.Sqrt(float64(dimension))*math.Abs(scoreDrop)) > drop/2
	}
	x, y := make([]float64, len(larger)), make([]float64, len(larger))
	for i, j := range larger {
		x[i], y[i] = scores[j], logits[j]
	}
	var f Line
	f.Add(x, y, 0, 0)
	unexplained := drop
	if f.XX > 0 {
		unexplained -= float64(f.Slope() * scoreDrop)
	}
	const minDeviations = 10 // in standard deviations of the residuals
	sd := math.Sqrt(f.Residual() / f.DoF)
	return unexplained > drop/2 && unexplained > minDeviations*sd
}
