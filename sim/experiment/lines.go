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

// GroupBy groups the values with equal keys. The groups are in the order of their first values.
func GroupBy[T any, K comparable](values []T, key func(T) K) [][]T {
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

// GroupLines groups the cells with equal keys into lines, in the order of their first cells, and
// sorts the cells of each line by d_k.
func GroupLines[K comparable](cells []Cell, key func(Cell) K) [][]Cell {
	lines := GroupBy(cells, key)
	for _, line := range lines {
		slices.SortStableFunc(line, func(a, b Cell) int { return cmp.Compare(a.Dimension(), b.Dimension()) })
	}
	return lines
}

// Dimensions returns the d_k of the cells in ascending order, each once.
func Dimensions(cells []Cell) []result.Number { return sortUnique(listDimensions(cells)) }

func listDimensions(cells []Cell) []float64 {
	return names.Map(cells, func(c Cell) float64 { return float64(c.Dimension()) })
}

// SmoothPerOctave is the number of points per octave with which a curve of theory looks smooth.
// Curves whose points need milliseconds of quadrature each have fewer points.
const SmoothPerOctave = 6

// CurveDimensions returns the d_k of a curve of theory through the cells: the d_k of the cells, and
// the whole numbers nearest to perOctave points in each octave between them.
func CurveDimensions(cells []Cell, perOctave int) []result.Number {
	return CurveWholes(listDimensions(cells), perOctave)
}

// CurveWholes returns whole values, and the whole numbers nearest to perOctave points in each
// octave between the smallest and the largest of them.
func CurveWholes(values []float64, perOctave int) []result.Number {
	return sortUnique(append(names.Map(interpolate(values, perOctave), math.Round), values...))
}

// CurveValues returns values above 0, and perOctave points in each octave between the smallest and
// the largest of them.
func CurveValues(values []float64, perOctave int) []result.Number {
	return sortUnique(append(interpolate(values, perOctave), values...))
}

// interpolate returns the points between the smallest and the largest of values above 0 that follow
// the smallest with the ratio 2^(1/perOctave).
func interpolate(values []float64, perOctave int) (points []float64) {
	if len(values) == 0 {
		return nil
	}
	first, last := slices.Min(values), slices.Max(values)
	for i := 1; ; i++ {
		next := first * elementary.Pow(2, float64(i)/float64(perOctave))
		if !(next < last) {
			return points
		}
		points = append(points, next)
	}
}

// sortUnique returns the values in ascending order, each once.
func sortUnique(values []float64) []result.Number {
	once := slices.Compact(slices.Sorted(slices.Values(values)))
	return names.Map(once, func(x float64) result.Number { return result.Number(x) })
}

// AtDimension returns the cell with another d_k, for curves of theory between the cells.
func (c Cell) AtDimension(d int) Cell {
	c.params = maps.Clone(c.params)
	c.params[names.ParamDimension] = float64(d)
	return c
}

// NewCurve returns a curve of the given kind with the value y(d) at each d_k in x.
func NewCurve(
	cells []Cell, x []result.Number, kind, quantity string, params result.Params, y func(d int) float64,
) result.Curve {
	return FillCurve(result.Curve{Experiment: cells[0].Experiment.Name, Quantity: quantity, Params: params,
		Axis: names.ParamDimension, X: x, Kind: kind}, func(d float64) float64 { return y(int(d)) })
}

// FillCurve returns the curve with Y[i] = y(X[i]).
func FillCurve(c result.Curve, y func(x float64) float64) result.Curve {
	c.Y = names.Map(c.X, func(x result.Number) result.Number { return result.Number(y(float64(x))) })
	return c
}

// ExcludeDimensionOne returns the cells with d_k ≥ 2, through which slopes are fitted.
func ExcludeDimensionOne(cells []Cell) []Cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c Cell) bool { return c.Dimension() < 2 })
}
