package experiment

import (
	"math"

	"mcsim/sim/moments"
	"mcsim/sim/result"
)

// A RowLookup finds the row of a quantity among those of one cell; its numbers
// are absent where there is no such row.
type RowLookup func(quantity string) result.Estimate

// LookupRow is the RowLookup of the rows of one cell.
func LookupRow(rows []result.Estimate) RowLookup {
	return func(quantity string) result.Estimate {
		for _, r := range rows {
			if r.Quantity == quantity {
				return r
			}
		}
		return result.Estimate{Value: result.Absent(), SE: result.Absent(), Level: result.Absent()}
	}
}

// momentsLike returns moments of n numbers with the given mean, unbiased
// variance, skewness and kurtosis (of the biased variance, as Standard gives
// them). What is NaN stays NaN in all that follows from it.
func momentsLike(n int64, order int, mean, variance, skewness, kurtosis float64) moments.Moments {
	count := float64(n)
	m := moments.Moments{N: n, Order: order, Mean: mean}
	m.Sum[2] = variance * (count - 1)
	v := m.Sum[2] / count
	m.Sum[3] = skewness * v * math.Sqrt(v) * count
	m.Sum[4] = kurtosis * v * v * count
	return m
}

// ownMoments are the moments of n independent numbers whose mean gives the row
// again, with its own error. Whether their kurtosis lets it have an interval, the
// row itself says: without one its error counts as known to 20 %, too little for
// an interval, but not for itself.
func ownMoments(r result.Estimate, n int64) moments.Moments {
	kurtosis := 1.0
	if !r.Level.Present() {
		kurtosis = 1 + float64(0.16*float64(n))
	}
	return momentsLike(n, rowOrder, float64(r.Value), float64(float64(r.SE*r.SE)*float64(n)), 0, kurtosis)
}

// rebuildVariance is a node that gives the cell's rows again, as far as they
// are told: the moments up to the fourth, the scatter of the blocks, and the
// count that the distance to the normal law rests on.
func rebuildVariance(c Cell, n, blocks int64, row RowLookup) moments.Node {
	if c.isGram() {
		return rebuildGram(c, n, row)
	}
	value := func(quantity string) float64 { return float64(row(quantity).Value) }
	scores := momentsLike(n, moments.MaxOrder, value("score_mean"), value("score_variance"),
		value("score_skewness"), value("score_excess_kurtosis")+3)
	b, scatter := float64(blocks), row("score_variance_se_blocks")
	relative := float64(scatter.SE / scatter.Value)
	perBlock := momentsLike(blocks, blockOrder, 0, float64(scatter.Value*scatter.Value)*b, 0, 1+float64(4*relative*relative*b))
	return moments.Node{Moments: []moments.Moments{scores, perBlock}, Counts: insideCounts(c, n, value("normal_ks"))}
}

// rebuildHealth is the same for the components and their products.
func rebuildHealth(_ Cell, n, _ int64, row RowLookup) moments.Node {
	value := func(quantity string) float64 { return float64(row(quantity).Value) }
	variance := value("component_variance")
	node := moments.Node{Moments: []moments.Moments{
		momentsLike(n, moments.MaxOrder, value("component_mean"), variance, 0, value("component_kurtosis")),
	}}
	for _, k := range correlations {
		node.Moments = append(node.Moments, moments.Moments{
			N: int64(math.Round(k.share * float64(n))), Order: 2, Mean: value(k.quantity) * variance})
	}
	return node
}
