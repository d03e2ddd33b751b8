package plot

import (
	"slices"

	"mcsim/report/axis"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// heatMap is a map of settings on a grid: a cell for each pair of values, all cells alike.
type heatMap struct {
	Xs, Ys  []float64              // ascending
	Colours map[[2]float64]float64 // 0 to 1, where cells stand between the two departures
	Labels  map[[2]float64]Grade
}

// selectHeat takes the cells of a map: those that have both a largest weight and a median.
func (p *Data) selectHeat(spec Heat, doc *result.Document) {
	h := &heatMap{Colours: map[[2]float64]float64{}, Labels: map[[2]float64]Grade{}}
	for _, e := range complete(rows.Estimates(doc, spec.Weights), p.X.Param) {
		x, okX := e.Params.Number(p.X.Param)
		y, okY := e.Params.Number(p.Y.Param)
		median, okMedian := rows.One(doc, spec.Medians.With(p.X.Param, e.Params[p.X.Param]).With(p.Y.Param, e.Params[p.Y.Param]))
		u, okU := Departure(median, e)
		if !okX || !okY || !okMedian || !okU || !axis.Holds(p.X.Log, x) || !axis.Holds(p.Y.Log, y) {
			continue
		}
		at := [2]float64{x, y}
		h.Xs, h.Ys = append(h.Xs, x), append(h.Ys, y)
		h.Colours[at], h.Labels[at] = u, SettingOf(median, e)
		p.Shown = append(p.Shown, e, median)
	}
	if len(h.Xs) > 0 {
		h.Xs, h.Ys = axis.Distinct(h.Xs), axis.Distinct(h.Ys)
		p.Map = h
	}
}

// share gives two maps the columns of both, or the rows.
func (h *heatMap) share(o *heatMap, columns, rows bool) {
	if columns {
		h.Xs = axis.Distinct(append(slices.Clone(h.Xs), o.Xs...))
	}
	if rows {
		h.Ys = axis.Distinct(append(slices.Clone(h.Ys), o.Ys...))
	}
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
	for at, label := range h.Labels {
		if label == g {
			us = append(us, h.Colours[at])
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

// Cell is one of a map: its column and row, its colour and its label.
type Cell struct {
	Column, Row float64
	Colour      float64
	Label       Grade
}

// Cells lists those of the map from left to right and from below to above.
func (h *heatMap) Cells() (out []Cell) {
	for i, x := range h.Xs {
		for j, y := range h.Ys {
			at := [2]float64{x, y}
			if u, ok := h.Colours[at]; ok {
				out = append(out, Cell{float64(i), float64(j), u, h.Labels[at]})
			}
		}
	}
	return out
}
