package lesson

import (
	"math"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/view"
	"mcsim/sim/result"
)

// usualPlaces is how many decimals the numbers of a matrix have that ends in none.
const usualPlaces = 3

// negligible is the size below which a number is 0 but for rounding.
const negligible = 1e-12

// decimals is how many decimals write all numbers as they are, as far as that is few.
func decimals(values []result.Number) int {
	for places := range usualPlaces {
		unit := math.Pow10(places)
		ends := true
		for _, x := range values {
			scaled := float64(x) * unit
			ends = ends && (!x.Present() || math.Abs(scaled-math.Round(scaled)) <= negligible*unit)
		}
		if ends {
			return places
		}
	}
	return usualPlaces
}

// entry writes a number of a matrix: with four decimals, or where these would leave little
// of it with three digits.
func entry(x result.Number) string {
	switch size := math.Abs(float64(x)); {
	case size < negligible:
		return "0"
	case size < 1e-3:
		return digits.Significant(float64(x), 3)
	}
	return digits.Places(float64(x), 4)
}

// shape writes the shape of a matrix for the corner of its table.
func shape(rows, columns int) string {
	return digits.Count(int64(rows)) + "\u00a0×\u00a0" + digits.Count(int64(columns))
}

// labels are those of rows or columns as tables have them, numbers where there are none.
func labels(given []string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = digits.Count(int64(i + 1))
		if len(given) == n {
			out[i] = markdown.Escape(given[i])
		}
	}
	return out
}

// matrix is the table of a step, with its shape in the corner.
func matrix(e result.Example, step, caption string) view.Table {
	s, ok := e.Step(step)
	if !ok {
		return view.Table{}
	}
	places := decimals(s.Value)
	return grid(s, caption, func(_, _ int, x result.Number) string { return digits.Places(float64(x), places) })
}

// grid is the table of a step whose numbers are written by cell, which is told their places.
func grid(s result.Step, caption string, cell func(i, j int, x result.Number) string) view.Table {
	rows := labels(s.Rows, s.Shape[0])
	t := view.Table{Caption: caption, Head: append([]string{shape(s.Shape[0], s.Shape[1])}, labels(s.Columns, s.Shape[1])...)}
	for i, name := range rows {
		line := []string{name}
		for j, x := range s.Row(i) {
			line = append(line, cell(i, j, x))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// column is one of several that stand side by side.
type column struct {
	head  string
	cells []string
}

// beside is a table of columns below the labels of their lines; nothing where one lacks.
func beside(caption, corner string, lines []string, columns ...column) view.Table {
	t := view.Table{Caption: caption, Head: []string{corner}}
	for _, c := range columns {
		if len(c.cells) != len(lines) {
			return view.Table{}
		}
		t.Head = append(t.Head, c.head)
	}
	for i, line := range lines {
		cells := []string{line}
		for _, c := range columns {
			cells = append(cells, c.cells[i])
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// written writes numbers with so many decimals.
func written(values []result.Number, places int) []string {
	out := make([]string, len(values))
	for i, x := range values {
		out[i] = digits.Places(float64(x), places)
	}
	return out
}

// product writes a sum of products with its result: 1.5·0.5 + 0.5·(−1) = 0.25.
func product(x, y []result.Number, xs, ys int, sum result.Number, places int) string {
	var terms []string
	for i := range min(len(x), len(y)) {
		second := digits.Places(float64(y[i]), ys)
		if y[i] < 0 {
			second = "(" + second + ")"
		}
		terms = append(terms, digits.Places(float64(x[i]), xs)+"·"+second)
	}
	return strings.Join(terms, " + ") + view.Equals + digits.Places(float64(sum), places)
}
