package plot

import (
	"cmp"
	"slices"

	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// Cell is one of a map: its place among columns and rows, its colour between the two
// departures, and its label.
type Cell struct {
	Column, Row float64
	Colour      theme.Swatch
	Label       Grade
}

// selectHeat takes the cells of a map that have all three quantities, from left to right and from
// below to above.
func (p *Data) selectHeat(spec Heat, doc *result.Document) {
	for _, e := range fullColumns(selection.Estimates(doc, spec.Concentration.Within(p.Only)), p.X.Param) {
		x, hasX := e.Params.Number(p.X.Param)
		y, hasY := e.Params.Number(p.Y.Param)
		cell := func(f selection.Filter) (result.Estimate, bool) {
			return selection.One(doc, f.Within(p.Only).With(p.X.Param, x).With(p.Y.Param, y))
		}
		collision, hasCollision := cell(spec.Collision)
		dead, hasDead := cell(spec.Dead)
		departure, ok := Departure(e, collision)
		if !ok || !hasX || !hasY || !hasCollision || !hasDead || !p.X.Holds(x) || !p.Y.Holds(y) {
			continue
		}
		p.Xs, p.Ys = append(p.Xs, x), append(p.Ys, y)
		p.Cells = append(p.Cells, Cell{x, y, theme.DivergingColour(departure), gradeOf(e, dead)})
		p.Shown = append(p.Shown, e, collision, dead)
	}
	p.Xs, p.Ys = distinct(p.Xs), distinct(p.Ys)
	slices.SortFunc(p.Cells, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(a.Column, b.Column), cmp.Compare(a.Row, b.Row))
	})
	for i, c := range p.Cells {
		p.Cells[i].Column = float64(slices.Index(p.Xs, c.Column))
		p.Cells[i].Row = float64(slices.Index(p.Ys, c.Row))
	}
}

// fullColumns returns the rows of the columns with the most rows: a map has no gaps.
func fullColumns(estimates []result.Estimate, param string) []result.Estimate {
	count, largest := map[any]int{}, 0
	for _, e := range estimates {
		count[e.Params[param]]++
		largest = max(largest, count[e.Params[param]])
	}
	return slices.DeleteFunc(estimates, func(e result.Estimate) bool { return count[e.Params[param]] < largest })
}
