package experiment

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Grouped parts values by what a key says of them, in the order of their firsts.
func Grouped[T any, K comparable](values []T, key func(T) K) [][]T {
	var groups [][]T
	index := map[K]int{}
	for _, v := range values {
		i, ok := index[key(v)]
		if !ok {
			i = len(groups)
			index[key(v)] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], v)
	}
	return groups
}

// LinesOf groups cells by what a key says of them, in the order of their first
// cell, and each group by rising d_k.
func LinesOf[K comparable](cells []Cell, key func(Cell) K) [][]Cell {
	lines := Grouped(cells, key)
	for _, line := range lines {
		slices.SortStableFunc(line, func(a, b Cell) int { return cmp.Compare(a.Dimension(), b.Dimension()) })
	}
	return lines
}

// Dimensions lists the d_k of the cells, each once and in order.
func Dimensions(cells []Cell) []result.Number { return numbersOf(dimensionsOf(cells)) }

// dimensionsOf are the d_k of the cells.
func dimensionsOf(cells []Cell) []float64 {
	return names.Each(cells, func(c Cell) float64 { return float64(c.Dimension()) })
}

// Smooth is how many points of an octave a curve of theory goes through beside those that
// are measured, so that it looks as smooth as it is. Where each costs some milliseconds of
// quadrature and there are many curves, fewer must do.
const Smooth = 6

// CurveDimensions lists the d_k that a curve of theory through the cells goes through:
// theirs, and the whole numbers nearest to so many points of each octave between them.
func CurveDimensions(cells []Cell, octave int) []result.Number {
	return CurveWholes(dimensionsOf(cells), octave)
}

// CurveWholes lists whole values, and the whole numbers nearest to so many points of each
// octave between the least and the greatest of them.
func CurveWholes(values []float64, octave int) []result.Number {
	return numbersOf(append(names.Each(between(values, octave), math.Round), values...))
}

// CurveValues lists so many points of each octave between the least and the greatest of
// values above 0, and the values.
func CurveValues(values []float64, octave int) []result.Number {
	return numbersOf(append(between(values, octave), values...))
}

// between divides each octave between the least and the greatest of values above 0 into
// so many equal ratios.
func between(values []float64, octave int) (x []float64) {
	if len(values) == 0 {
		return nil
	}
	first, last := slices.Min(values), slices.Max(values)
	for k := 1; ; k++ {
		at := first * elementary.Pow(2, float64(k)/float64(octave))
		if !(at < last) {
			return x
		}
		x = append(x, at)
	}
}

// numbersOf are the values in ascending order, each once.
func numbersOf(values []float64) []result.Number {
	once := slices.Compact(slices.Sorted(slices.Values(values)))
	return names.Each(once, func(x float64) result.Number { return result.Number(x) })
}

// AtDimension is the point of the cell at another d_k, for theory between the cells.
func (c Cell) AtDimension(d int) Cell {
	c.params = maps.Clone(c.params)
	c.params[names.ParamDimension] = float64(d)
	return c
}

// Line is a line of theory of a kind over the d_k of x, which are those of the cells or lie
// between them.
func Line(
	cells []Cell, x []result.Number, kind, quantity string, params result.Params, y func(d int) float64,
) result.Curve {
	return Filled(result.Curve{Experiment: cells[0].Experiment.Name, Quantity: quantity, Params: params,
		Axis: names.ParamDimension, X: x, Kind: kind}, func(d float64) float64 { return y(int(d)) })
}

// Filled is a curve with what belongs to its places.
func Filled(c result.Curve, y func(x float64) float64) result.Curve {
	c.Y = names.Each(c.X, func(x result.Number) result.Number { return result.Number(y(float64(x))) })
	return c
}

// From2 are the cells whose d_k is 2 or more, of which slopes are made.
func From2(cells []Cell) []Cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c Cell) bool { return c.Dimension() < 2 })
}
