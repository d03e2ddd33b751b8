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
	for _, e := range complete(selection.Estimates(doc, spec.Concentration.Within(p.Only)), p.X.Param) {
		x, okX := e.Params.Number(p.X.Param)
		y, okY := e.Params.Number(p.Y.Param)
		collision, okCollision := selection.One(doc, spec.Collision.Within(p.Only).With(p.X.Param, x).With(p.Y.Param, y))
		dead, okDead := selection.One(doc, spec.Dead.Within(p.Only).With(p.X.Param, x).With(p.Y.Param, y))
		departure, ok := Departure(e, collision)
		if okX && okY && okCollision && okDead && ok && p.X.Holds(x) && p.Y.Holds(y) {
			p.Xs, p.Ys = append(p.Xs, x), append(p.Ys, y)
			p.Cells = append(p.Cells, Cell{x, y, theme.Departed(departure), gradeOf(e, dead)})
			p.Shown = append(p.Shown, e, collision, dead)
		}
	}
	p.Xs, p.Ys = distinct(p.Xs), distinct(p.Ys)
	slices.SortFunc(p.Cells, func(a, b Cell) int { return cmp.Or(cmp.Compare(a.Column, b.Column), cmp.Compare(a.Row, b.Row)) })
	for i := range p.Cells {
		c := &p.Cells[i]
		c.Column, c.Row = float64(slices.Index(p.Xs, c.Column)), float64(slices.Index(p.Ys, c.Row))
	}
}

// complete are the rows of the columns that have as many as any: a map has no gaps.
func complete(es []result.Estimate, param string) []result.Estimate {
	count, most := map[any]int{}, 0
	for _, e := range es {
		count[e.Params[param]]++
		most = max(most, count[e.Params[param]])
	}
	return slices.DeleteFunc(es, func(e result.Estimate) bool { return count[e.Params[param]] < most })
}
