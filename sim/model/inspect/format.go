package inspect

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment/precision"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// maxFormatRows is the number of evenly spaced rows of a head, over all texts, that are computed in
// a number format. In each block of a text it is at least one row.
const maxFormatRows = 256

// measureFormat computes rows in a format. It omits rows of one key, whose weight is always 1.
func measureFormat(q, k Vectors, o Options) (rows []precision.GivenRow) {
	n := min(maxRows, k.Rows)
	keys := precision.NewGivenKeys(o.Format, o.Scale, n, k.Dimension, k.Data)
	count := min(q.Rows, max(1, maxFormatRows/(max(1, o.Texts)*max(1, o.Blocks))))
	for r := range count {
		i, visible := (2*r+1)*q.Rows/(2*count), n
		if o.Causal {
			visible = min(i+1, n)
		}
		if visible > 1 {
			rows = append(rows, keys.MeasureRow(q.Row(i), visible))
		}
	}
	return rows
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
	// Outcome is "fails" if the interval of the overflows is above names.MaxOverflow or that of the
	// median above names.MaxVariation. It is "does not fail" if no measured score overflows and the
	// interval of the median is at most names.MaxVariation, and otherwise "undecided".
	Outcome string `json:"outcome"`
}

// EstimateFormat joins the texts of every head, in the order of Summarise. heads has the names of
// the heads. Intervals follow from the scatter between clusters: between texts or, for one text,
// between at most sixteen batches of its rows; they then do not cover other keys.
func EstimateFormat(headTexts []HeadText, heads []Head, f *precision.Format) (estimates []FormatEstimate) {
	const maxBatches = 16
	for h, head := range heads {
		var clusters [][]precision.GivenRow
		for t := h; t < len(headTexts); t += len(heads) {
			clusters = append(clusters, headTexts[t].formatRows)
		}
		if len(clusters) == 1 {
			size := (len(clusters[0]) + maxBatches - 1) / maxBatches
			clusters = slices.Collect(slices.Chunk(clusters[0], size))
		}
		for i, p := range precision.Placements {
			e := newFormatEstimate(clusters, i)
			e.Layer, e.Head, e.Placement = head.Layer, head.Head, p.Name
			e.Format, e.Arithmetic = f.Name, names.ArithmeticPractice
			estimates = append(estimates, e)
		}
	}
	return estimates
}

// newFormatEstimate returns the results of the placement with the given index. The interval of the
// median has the numbers at the limits of the proportion of rows below it (R. S. Woodruff,
// Confidence Intervals for Medians and Other Position Measures, JASA 47, 1952). If no score
// overflows, or every score, its interval takes rows for independent, and the scores of a row for
// equal.
func newFormatEstimate(clusters [][]precision.GivenRow, index int) FormatEstimate {
	var moved []float64
	for _, r := range slices.Concat(clusters...) {
		moved = append(moved, r.Moved[index])
	}
	slices.Sort(moved)
	median, n := elementary.Median(moved), float64(len(moved))
	overflows, keys := make([]int, len(clusters)), make([]int, len(clusters))
	counts, sizes := make([]int, len(clusters)), make([]int, len(clusters))
	for c, rows := range clusters {
		sizes[c] = len(rows)
		for _, r := range rows {
			overflows[c] += r.Overflows[index]
			keys[c] += r.Keys
			if r.Moved[index] < median {
				counts[c]++
			}
		}
	}
	e := FormatEstimate{Rows: len(moved), Overflow: undefined, MovedWeight: undefined, Outcome: "undecided"}
	proportion := theory.NewClusteredProportion(overflows, keys)
	e.Overflow.Value, e.MovedWeight.Value = result.Number(proportion.Proportion), result.Number(median)
	if len(clusters) < 2 {
		return e
	}
	const tail = (1 - coverage) / 2
	if proportion.Proportion == 0 || proportion.Proportion == 1 {
		proportion.EffectiveSize = n
	} else {
		e.Overflow.SE = result.Number(proportion.SE)
	}
	lo, hi := proportion.Limits(tail)
	e.Overflow.Lo, e.Overflow.Hi = result.Number(lo), result.Number(hi)
	proportion = theory.NewClusteredProportion(counts, sizes)
	proportion.Proportion = 0.5
	lo, hi = proportion.Limits(tail)
	e.MovedWeight.Lo = result.Number(moved[int(n*lo)])
	e.MovedWeight.Hi = result.Number(moved[int(math.Ceil(n*hi))-1])
	switch {
	case e.Overflow.Lo > names.MaxOverflow || e.MovedWeight.Lo > names.MaxVariation:
		e.Outcome = "fails"
	case e.Overflow.Value == 0 && e.MovedWeight.Hi <= names.MaxVariation:
		e.Outcome = "does not fail"
	}
	return e
}
