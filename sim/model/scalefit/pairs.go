package scalefit

import (
	"maps"
	"math"
	"slices"
)

// Row is the pairs of a query that are not masked: scores X and logits Y, by ascending keys.
type Row struct {
	Query int
	Keys  []int
	X, Y  []float64
	Size  float64 // length of the query
}

// ByRow returns the line through rows.
func ByRow(rows []Row) (f Line) {
	for _, r := range rows {
		f.Add(slices.Clone(r.X), slices.Clone(r.Y), 0, 0)
	}
	return f
}

// Bias is a kind of bias that is the same for a pair and for the pair these steps away.
type Bias struct {
	Texts, Queries, Keys int
	Says                 string
}

// Biases are the kinds that are told apart, the likeliest first.
var Biases = []Bias{
	{0, 1, 1, "the same at every distance of query and key, as of ALiBi, T5"},
	{1, 0, 0, "the same in all texts, as of BEiT and Swin"},
	{0, 1, 0, "the same for all queries of a key"},
}

// Difference returns the scores and logits of a row less those of an earlier row, between pairs
// that have the same bias: what is left of logits is the factor times what is left of scores.
func (b Bias) Difference(earlier, later Row) (x, y []float64) {
	for i, key := range earlier.Keys {
		if j, found := slices.BinarySearch(later.Keys, key+b.Keys); found {
			x, y = append(x, later.X[j]-earlier.X[i]), append(y, later.Y[j]-earlier.Y[i])
		}
	}
	return x, y
}

// Depends reports whether the factor differs between the groups of pairs that label gives, clearly
// and by more than a twentieth.
func Depends(rows []Row, label func(r Row, key int) int) bool {
	groups := map[int]*Line{}
	for _, r := range rows {
		x, y := slices.Clone(r.X), slices.Clone(r.Y)
		centre(x)
		centre(y)
		for i, key := range r.Keys {
			group := label(r, key)
			if groups[group] == nil {
				groups[group] = &Line{}
			}
			groups[group].Join(Line{XX: float64(x[i] * x[i]), XY: float64(x[i] * y[i]), YY: float64(y[i] * y[i]),
				Free: 1})
		}
	}
	const minPairs = 30
	var all Line
	lowest, highest, apart, used := math.Inf(1), math.Inf(-1), 0.0, 0.0
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		if f := groups[group]; f.Free >= minPairs && f.XX > 0 {
			all.Join(*f)
			used++
			apart += f.Rest()
			lowest, highest = min(lowest, f.Slope()), max(highest, f.Slope())
		}
	}
	const clearly = 10 // the F-statistic, of four groups by chance once in 10⁶ times
	gain, chance := (all.Rest()-apart)/max(1, used-1), apart/max(1, all.Free-used)
	return used > 1 && gain > clearly*chance && highest-lowest > 0.05*math.Abs(highest)
}
