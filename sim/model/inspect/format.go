package inspect

import (
	"cmp"
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment/precision"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// PlacementKey is a placement of the scale that the experiment precision does not have: on the key.
const PlacementKey = "before-product-on-k"

// placements has the exponents of the scale with which a placement multiplies the query, the key and the
// score. Their sum is 1.
var placements = [...]struct {
	name                    string
	onQuery, onKey, onScore float64
}{
	{names.PlacementAfter, 0, 0, 1},
	{names.PlacementBefore, 1, 0, 0},
	{PlacementKey, 0, 1, 0},
	{names.PlacementSplit, 0.5, 0.5, 0},
}

// maxFormatRows is the number of evenly spaced rows of a head, over all texts, that are computed in a
// number format. In each block of a text it is at least one row.
const maxFormatRows = 256

// formatRow has the results of one row in a number format, for each placement of the scale.
type formatRow struct {
	keys      float64                  // number of keys that the row sees
	overflows [len(placements)]float64 // number of scores that overflow
	moved     [len(placements)]float64 // total variation between the weights and the exact weights
}

// measureFormat computes rows in a format, as names.ArithmeticPractice says. It omits rows of one key,
// whose weight is always 1.
func measureFormat(q, k Vectors, o Options) (rows []formatRow) {
	n, f := min(maxRows, k.Rows), o.Format
	columns := make([]float64, n*k.Dimension) // the first component of all keys, then the second, and so on
	for j := range n {
		for c, x := range k.Row(j) {
			columns[c*n+j] = x
		}
	}
	keys := map[float64][]float32{} // by exponent of the scale
	for _, p := range placements {
		if keys[p.onKey] == nil {
			keys[p.onKey] = storeScaled(f, columns, o.Scale, p.onKey)
		}
	}
	count := min(q.Rows, max(1, maxFormatRows/(max(1, o.Texts)*max(1, o.Blocks))))
	for r := range count {
		i, visible := (2*r+1)*q.Rows/(2*count), n
		if o.Causal {
			visible = min(i+1, n)
		}
		if visible < 2 {
			continue
		}
		row, exact, weights := formatRow{keys: float64(visible)}, make([]float64, visible), make([]float32, visible)
		for j := range exact {
			exact[j] = float64(elementary.Dot(q.Row(i), k.Row(j)) * o.Scale)
		}
		precision.SoftmaxFloat64(exact, exact)
		for p, at := range placements {
			sums, scores := make([]float32, n), make([]float64, visible)
			precision.AddProducts(sums, storeScaled(f, q.Row(i), o.Scale, at.onQuery), keys[at.onKey])
			for j := range scores {
				scores[j] = float64(sums[j])
				if f.Overflows(scores[j]) {
					row.overflows[p]++
				}
			}
			row.moved[p] = 1 // the maximum, if the weights do not exist
			if precision.SoftmaxFloat32(storeScaled(f, scores, o.Scale, at.onScore), weights) {
				row.moved[p] = precision.TotalVariation(weights, exact)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// storeScaled returns the numbers as they are stored in the format. If the exponent is above 0, they are
// then multiplied by the scale to this power, in float32, and stored again.
func storeScaled(f *precision.Format, numbers []float64, scale, exponent float64) []float32 {
	factor := float64(float32(elementary.Pow(scale, exponent)))
	stored := make([]float32, len(numbers))
	for i, x := range numbers {
		x = f.Round(x)
		if exponent > 0 {
			x = f.Round(float64(float32(float64(x * factor))))
		}
		stored[i] = float32(x)
	}
	return stored
}

// FormatEstimate has the results of one head for one placement of the scale.
type FormatEstimate struct {
	Layer       string   `json:"layer,omitempty"`
	Head        int      `json:"head"`
	Format      string   `json:"format"`
	Arithmetic  string   `json:"arithmetic"` // names.ArithmeticPractice
	Placement   string   `json:"placement"`
	Rows        int      `json:"rows"`                // number of measured rows
	Overflow    Estimate `json:"overflow"`            // proportion of scores that overflow the format
	MovedWeight Estimate `json:"median_moved_weight"` // median over rows of the total variation of the weights
	// Outcome is "fails" if the interval of the overflows is above names.MaxOverflow or that of the median
	// above names.MaxVariation. It is "does not fail" if no measured score overflows and the interval of
	// the median is at most names.MaxVariation, and otherwise "undecided".
	Outcome string `json:"outcome"`
}

// EstimateFormat joins the texts of every head, in the order of Summarise. heads has the names of the
// heads. Intervals follow from the scatter between clusters: between texts or, for one text, between at
// most sixteen batches of its rows; they then do not cover other keys.
func EstimateFormat(headTexts []HeadText, heads []Head, f *precision.Format) (estimates []FormatEstimate) {
	const maxBatches = 16
	for h, head := range heads {
		var rows []formatRow
		for t := h; t < len(headTexts); t += len(heads) {
			rows = append(rows, headTexts[t].formatRows...)
		}
		clusters := len(headTexts) / len(heads)
		if clusters == 1 {
			clusters = min(maxBatches, len(rows))
		}
		for i, p := range placements {
			e := newFormatEstimate(rows, i, clusters)
			e.Layer, e.Head, e.Placement = head.Layer, head.Head, p.name
			e.Format, e.Arithmetic = f.Name, names.ArithmeticPractice
			estimates = append(estimates, e)
		}
	}
	return estimates
}

// newFormatEstimate returns the results of the placement with the given index. The interval of the median
// has the numbers at the limits of the proportion of rows below it (R. S. Woodruff, Confidence Intervals
// for Medians and Other Position Measures, JASA 47, 1952).
func newFormatEstimate(rows []formatRow, index, clusters int) FormatEstimate {
	var keys, overflows, moved, ones, below []float64
	for _, r := range rows {
		keys, overflows = append(keys, r.keys), append(overflows, r.overflows[index])
		moved, ones = append(moved, r.moved[index]), append(ones, 1)
	}
	sorted := slices.Sorted(slices.Values(moved))
	median := elementary.Median(sorted)
	for _, x := range moved {
		below = append(below, float64(1+cmp.Compare(median, x))/2) // half of an equal number
	}
	e := FormatEstimate{Rows: len(rows), Overflow: estimateProportion(overflows, keys, clusters), MovedWeight: undefined}
	e.MovedWeight.Value = result.Number(median)
	if limits := estimateProportion(below, ones, clusters); limits.Lo.Present() {
		n := float64(len(sorted))
		e.MovedWeight.Lo = result.Number(sorted[min(len(sorted)-1, int(n*float64(limits.Lo)))])
		e.MovedWeight.Hi = result.Number(sorted[max(1, int(math.Ceil(n*float64(limits.Hi))))-1])
	}
	switch {
	case e.Overflow.Lo > names.MaxOverflow || e.MovedWeight.Lo > names.MaxVariation:
		e.Outcome = "fails"
	case e.Overflow.Value == 0 && e.MovedWeight.Hi <= names.MaxVariation:
		e.Outcome = "does not fail"
	default:
		e.Outcome = "undecided"
	}
	return e
}

// estimateProportion returns the proportion of hits among the trials of rows. Its interval is that of
// Clopper and Pearson for the number of independent trials with the same standard error, multiplied by the
// squared ratio of the normal and Student's quantile (E. L. Korn and B. I. Graubard, Survey Methodology 24,
// 1998). For the proportions 0 and 1, which have no scatter, it is the number of rows, since the trials of
// a row may all be equal. The interval is absent if there is one cluster.
func estimateProportion(hits, trials []float64, clusters int) Estimate {
	e, rows, total := undefined, float64(len(hits)), elementary.Sum(trials)
	p, n := elementary.Sum(hits)/total, rows
	e.Value = result.Number(p)
	if clusters < 2 {
		return e
	}
	const tail = (1 - coverage) / 2
	if p > 0 && p < 1 {
		residuals := slices.Clone(hits)
		for i, x := range trials {
			residuals[i] -= float64(p * x)
		}
		se := math.Sqrt(variance(batchMeans(residuals, clusters))/float64(clusters)) * rows / total
		shrinkage := elementary.Quantile(tail) / theory.StudentQuantile(tail, float64(clusters-1))
		n = min(total, p*(1-p)/float64(se*se)) * shrinkage * shrinkage
		e.SE = result.Number(se)
	}
	e.Lo, e.Hi = 0, 1
	if p > 0 {
		e.Lo = result.Number(elementary.BetaQuantile(tail, p*n, float64((1-p)*n)+1))
	}
	if p < 1 {
		e.Hi = result.Number(1 - elementary.BetaQuantile(tail, (1-p)*n, float64(p*n)+1))
	}
	return e
}
