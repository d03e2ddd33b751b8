package plot

import (
	"cmp"
	"slices"

	"mcsim/report/axis"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// heatMap is a map of settings on a grid.
type heatMap struct {
	Xs, Ys []float64 // ascending
	Cells  []Cell    // from left to right and from below to above
}

// Cell is one of a map: its place among columns and rows, its colour between the two
// departures, and its label.
type Cell struct {
	Column, Row float64
	Colour      float64
	Label       Grade
}

// selectHeat takes the cells of a map: those that have both a largest weight and a median.
func (p *Data) selectHeat(spec Heat, doc *result.Document) {
	h := &heatMap{}
	for _, e := range complete(rows.Estimates(doc, spec.Weights), p.X.Param) {
		x, okX := e.Params.Number(p.X.Param)
		y, okY := e.Params.Number(p.Y.Param)
		median, okMedian := rows.One(doc, spec.Medians.With(p.X.Param, e.Params[p.X.Param]).With(p.Y.Param, e.Params[p.Y.Param]))
		u, okU := Departure(median, e)
		if okX && okY && okMedian && okU && axis.Holds(p.X.Log, x) && axis.Holds(p.Y.Log, y) {
			h.Xs, h.Ys = append(h.Xs, x), append(h.Ys, y)
			h.Cells = append(h.Cells, Cell{x, y, u, SettingOf(median, e)})
			p.Shown = append(p.Shown, e, median)
		}
	}
	if len(h.Cells) == 0 {
		return
	}
	h.Xs, h.Ys = axis.Distinct(h.Xs), axis.Distinct(h.Ys)
	slices.SortFunc(h.Cells, func(a, b Cell) int { return cmp.Or(cmp.Compare(a.Column, b.Column), cmp.Compare(a.Row, b.Row)) })
	for i := range h.Cells {
		c := &h.Cells[i]
		c.Column, c.Row = float64(slices.Index(h.Xs, c.Column)), float64(slices.Index(h.Ys, c.Row))
	}
	p.Map = h
}

// MarkedRow returns the borders of the row of a map that is marked.
func (p Data) MarkedRow() (lo, hi float64, ok bool) {
	if p.Map == nil || p.Heat.Marked == nil {
		return 0, 0, false
	}
	i := slices.Index(p.Map.Ys, p.Heat.Marked.At)
	return float64(i) - 0.5, float64(i) + 0.5, i >= 0
}

// Of lists the colours of the cells that have a label, in ascending order.
func (h *heatMap) Of(g Grade) (us []float64) {
	for _, c := range h.Cells {
		if c.Label == g {
			us = append(us, c.Colour)
		}
	}
	return axis.Distinct(us)
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
