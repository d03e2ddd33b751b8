package scalefit

import (
	"maps"
	"math"
	"slices"
)

// Pair is a pair of a query and a key: its score X and its logit Y.
type Pair struct {
	Text, Query, Key int
	X, Y             float64
	Size             float64 // length of the query
}

// Eliminate takes constants of rows, and of the groups that label gives, off scores and logits,
// in turns until little changes, and returns the line through what is left.
func Eliminate(pairs []Pair, label func(Pair) [2]int) Line {
	x, y := make([]float64, len(pairs)), make([]float64, len(pairs))
	for i, p := range pairs {
		x[i], y[i] = p.X, p.Y
	}
	rows, countRows := indexBy(pairs, func(p Pair) [2]int { return [2]int{p.Text, p.Query} })
	groups, countGroups := indexBy(pairs, label)
	const maxTurns = 100
	last := 0.0
	for range maxTurns {
		for _, numbers := range [][]float64{x, y} {
			centreGroups(numbers, rows, countRows)
			centreGroups(numbers, groups, countGroups)
		}
		now := dot(x, x) + dot(y, y)
		if math.Abs(now-last) <= 1e-12*now {
			break
		}
		last = now
	}
	free := max(0, len(pairs)-countRows-countGroups+1)
	return Line{XX: dot(x, x), XY: dot(x, y), YY: dot(y, y), Free: float64(free)}
}

// ByRow eliminates constants of rows only.
func ByRow(pairs []Pair) Line { return Eliminate(pairs, func(Pair) [2]int { return [2]int{} }) }

// indexBy numbers the groups that label gives.
func indexBy(pairs []Pair, label func(Pair) [2]int) (index []int, count int) {
	seen := map[[2]int]int{}
	for _, p := range pairs {
		name := label(p)
		if _, known := seen[name]; !known {
			seen[name] = len(seen)
		}
		index = append(index, seen[name])
	}
	return index, len(seen)
}

// centreGroups takes the mean of each group off its numbers.
func centreGroups(xs []float64, index []int, count int) {
	sizes, sums := make([]float64, count), make([]float64, count)
	for i, g := range index {
		sizes[g]++
		sums[g] += xs[i]
	}
	for i, g := range index {
		xs[i] -= sums[g] / sizes[g]
	}
}

// Biases are kinds of biases, by what they are the same for.
var Biases = []struct {
	Label func(Pair) [2]int
	Says  string
}{
	{func(p Pair) [2]int { return [2]int{p.Key - p.Query} }, "the same at every distance of query and key, as of ALiBi, T5"},
	{func(p Pair) [2]int { return [2]int{p.Query, p.Key} }, "the same in all texts, as of BEiT and Swin"},
	{func(p Pair) [2]int { return [2]int{p.Text, p.Key} }, "the same for all queries of a key"},
}

// Depends reports whether the factor differs between the groups of pairs that label gives, clearly
// and by more than a twentieth.
func Depends(pairs []Pair, label func(Pair) int) bool {
	x, y := make([]float64, len(pairs)), make([]float64, len(pairs))
	for i, p := range pairs {
		x[i], y[i] = p.X, p.Y
	}
	rows, count := indexBy(pairs, func(p Pair) [2]int { return [2]int{p.Text, p.Query} })
	centreGroups(x, rows, count)
	centreGroups(y, rows, count)
	groups := map[int]*Line{}
	for i, p := range pairs {
		group := label(p)
		if groups[group] == nil {
			groups[group] = &Line{}
		}
		groups[group].Join(Line{XX: float64(x[i] * x[i]), XY: float64(x[i] * y[i]), YY: float64(y[i] * y[i]), Free: 1})
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
