package scalefit

import (
	"maps"
	"math"
	"slices"
)

// Row holds the unmasked pairs of a query by ascending key: scores X and logits Y.
type Row struct {
	Query       int
	Keys        []int
	X, Y        []float64
	QueryLength float64 // |q|
}

// FitRows returns the line through rows.
func FitRows(rows []Row) (f Line) {
	for _, r := range rows {
		f.Add(slices.Clone(r.X), slices.Clone(r.Y), 0, 0)
	}
	return f
}

// Bias is a kind of bias that has the same value for two pairs if their texts, queries and keys
// differ by the given steps.
type Bias struct {
	Texts, Queries, Keys int
	Description          string
}

// Biases lists the kinds of bias that can be recognised, the likeliest first.
var Biases = []Bias{
	{0, 1, 1, "the same at every distance of query and key, as of ALiBi, T5"},
	{1, 0, 0, "the same in all texts, as of BEiT and Swin"},
	{0, 1, 0, "the same for all queries of a key"},
}

// Difference returns the scores and logits of a later row minus those of an earlier row, over
// pairs that have the same bias. The bias cancels, so that the logits are the factor times the
// scores.
func (b Bias) Difference(earlier, later Row) (x, y []float64) {
	for i, key := range earlier.Keys {
		if j, found := slices.BinarySearch(later.Keys, key+b.Keys); found {
			x, y = append(x, later.X[j]-earlier.X[i]), append(y, later.Y[j]-earlier.Y[i])
		}
	}
	return x, y
}

// FactorVaries reports whether the factor differs between groups of pairs, significantly and by
// more than 5 %. groupOf returns the group of a pair.
func FactorVaries(rows []Row, groupOf func(r Row, key int) int) bool {
	groups := map[int]*Line{}
	for _, r := range rows {
		x, y := slices.Clone(r.X), slices.Clone(r.Y)
		centre(x)
		centre(y)
		for i, key := range r.Keys {
			group := groupOf(r, key)
			if groups[group] == nil {
				groups[group] = &Line{}
			}
			groups[group].Join(Line{XX: float64(x[i] * x[i]), XY: float64(x[i] * y[i]), YY: float64(y[i] * y[i]),
				DoF: 1})
		}
	}
	const minPairs = 30 // smaller groups are not compared
	var total Line
	lowest, highest, residual, used := math.Inf(1), math.Inf(-1), 0.0, 0.0
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		if f := groups[group]; f.DoF >= minPairs && f.XX > 0 {
			total.Join(*f)
			used++
			residual += f.Residual()
			lowest, highest = min(lowest, f.Slope()), max(highest, f.Slope())
		}
	}
	// The F-statistic of four groups with equal factors exceeds minF with probability 10⁻⁶.
	const minF, minDifference = 10, 0.05
	between, within := (total.Residual()-residual)/max(1, used-1), residual/max(1, total.DoF-used)
	return used > 1 && between > minF*within && highest-lowest > minDifference*math.Abs(highest)
}
