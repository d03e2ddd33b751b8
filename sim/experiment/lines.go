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

// Grouped groups values by a key, in the order of the first value of each group.
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

// LinesOf groups cells by a key, in the order of the first cell of each group, and sorts each group by d_k.
func LinesOf[K comparable](cells []Cell, key func(Cell) K) [][]Cell {
	lines := Grouped(cells, key)
	for _, line := range lines {
		slices.SortStableFunc(line, func(a, b Cell) int { return cmp.Compare(a.Dimension(), b.Dimension()) })
	}
	return lines
}

// Dimensions returns the d_k of the cells in ascending order, each once.
func Dimensions(cells []Cell) []result.Number { return numbersOf(dimensionsOf(cells)) }

// dimensionsOf returns the d_k of the cells.
func dimensionsOf(cells []Cell) []float64 {
	return names.Map(cells, func(c Cell) float64 { return float64(c.Dimension()) })
}

// Smooth is the number of points in each octave of a curve of theory, besides those that are measured, with
// which it looks smooth. Curves whose points take some milliseconds of quadrature have fewer.
const Smooth = 6

// CurveDimensions returns the d_k of a curve of theory through the cells: theirs, and the whole numbers
// nearest to perOctave points in each octave between them.
func CurveDimensions(cells []Cell, perOctave int) []result.Number {
	return CurveWholes(dimensionsOf(cells), perOctave)
}

// CurveWholes returns whole values, and the whole numbers nearest to perOctave points in each octave
// between the smallest and the largest of them.
func CurveWholes(values []float64, perOctave int) []result.Number {
	return numbersOf(append(names.Map(between(values, perOctave), math.Round), values...))
}

// CurveValues returns values above 0, and perOctave points in each octave between the smallest and the
// largest of them.
func CurveValues(values []float64, perOctave int) []result.Number {
	return numbersOf(append(between(values, perOctave), values...))
}

// between divides each octave between the smallest and the largest of values above 0 into equal ratios.
func between(values []float64, perOctave int) (x []float64) {
	if len(values) == 0 {
		return nil
	}
	first, last := slices.Min(values), slices.Max(values)
	for k := 1; ; k++ {
		next := first * elementary.Pow(2, float64(k)/float64(perOctave))
		if !(next < last) {
			return x
		}
		x = append(x, next)
	}
}

// numbersOf returns the values in ascending order, each once.
func numbersOf(values []float64) []result.Number {
	once := slices.Compact(slices.Sorted(slices.Values(values)))
	return names.Map(once, func(x float64) result.Number { return result.Number(x) })
}

// AtDimension returns the cell at another d_k, for theory between the cells.
func (c Cell) AtDimension(d int) Cell {
	c.params = maps.Clone(c.params)
	c.params[names.ParamDimension] = float64(d)
	return c
}

// Line returns a curve of theory of the kind over the d_k of x, which are those of the cells or lie between
// them.
func Line(
	cells []Cell, x []result.Number, kind, quantity string, params result.Params, y func(d int) float64,
) result.Curve {
	return Filled(result.Curve{Experiment: cells[0].Experiment.Name, Quantity: quantity, Params: params,
		Axis: names.ParamDimension, X: x, Kind: kind}, func(d float64) float64 { return y(int(d)) })
}

// Filled returns the curve with the values of y at its places.
func Filled(c result.Curve, y func(x float64) float64) result.Curve {
	c.Y = names.Map(c.X, func(x result.Number) result.Number { return result.Number(y(float64(x))) })
	return c
}

// From2 returns the cells whose d_k is 2 or more, which slopes go through.
func From2(cells []Cell) []Cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c Cell) bool { return c.Dimension() < 2 })
}
