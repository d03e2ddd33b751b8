package experiment

import (
	"cmp"
	"slices"
)

// linesOf groups cells by what a key says of them, in the order of their first
// cell, and each group by rising d_k.
func linesOf[K comparable](cells []Cell, key func(Cell) K) [][]Cell {
	var lines [][]Cell
	index := map[K]int{}
	for _, c := range cells {
		i, ok := index[key(c)]
		if !ok {
			i = len(lines)
			index[key(c)] = i
			lines = append(lines, nil)
		}
		lines[i] = append(lines[i], c)
	}
	for _, line := range lines {
		slices.SortStableFunc(line, func(a, b Cell) int { return cmp.Compare(a.Dimension(), b.Dimension()) })
	}
	return lines
}
