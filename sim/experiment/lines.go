package experiment

import (
	"cmp"
	"slices"

	"mcsim/sim/law"
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
func Dimensions(cells []Cell) []result.Number {
	seen := map[int]bool{}
	var x []result.Number
	for _, c := range cells {
		if d := c.Dimension(); !seen[d] {
			seen[d] = true
			x = append(x, result.Number(d))
		}
	}
	slices.Sort(x)
	return x
}

// Line is a line of exact theory over the dimensions of the cells.
func Line(cells []Cell, quantity string, params result.Params, y func(d int) float64) result.Curve {
	c := result.Curve{Experiment: cells[0].Experiment.Name, Quantity: quantity, Params: params,
		Axis: names.ParamDimension, X: Dimensions(cells), Kind: names.TheoryExact}
	for _, d := range c.X {
		c.Y = append(c.Y, result.Number(y(int(d))))
	}
	return c
}

// Laws lists the laws of the cells in the order of their first cell.
func Laws(cells []Cell) []law.Law {
	seen := map[string]bool{}
	var out []law.Law
	for _, c := range cells {
		if name := c.Value(names.ParamLaw).Name; !seen[name] {
			seen[name] = true
			out = append(out, c.Law())
		}
	}
	return out
}
