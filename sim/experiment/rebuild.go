package experiment

import (
	"math"

	"mcsim/sim/moments"
	"mcsim/sim/result"
)

// A RowLookup finds the row of a quantity among those of one cell; its numbers
// are absent where there is no such row.
type RowLookup func(quantity string) result.Estimate

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

// untold is a kurtosis of n numbers with which the error of their mean is known to
// 20 %: too little for an interval, but not for itself. It stands for what a row
// without an interval does not tell.
func untold(n int64) float64 { return 1 + float64(0.16*float64(n)) }

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
