package plot

import (
	"image"
	"iter"
	"slices"

	"mcsim/report/axis"
	"mcsim/report/rows"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// heatMap is a map of values on a grid, in the space in which its axes are
// even.
type heatMap struct {
	Xs, Ys []float64 // ascending
	Values map[[2]float64]float64
	Colour axis.Scale
}

// SelectHeat takes the cells of a map.
func (p *Data) SelectHeat(spec Heat, doc *result.Document) {
	h := &heatMap{Values: map[[2]float64]float64{}}
	var zs []float64
	es := rows.Estimates(doc, spec.Rows)
	if spec.Whole {
		es, p.Partial = completeColumns(es, p.X.Param)
	}
	for _, e := range es {
		x, okX := e.Params.Number(p.X.Param)
		y, okY := p.heightOf(e)
		z := float64(e.Value)
		if !okX || !okY || !axis.Holds(p.X.Log, x) || !axis.Holds(p.Y.Log, y) {
			continue
		}
		if !axis.Holds(spec.Log, z) {
			p.Lost++
			continue
		}
		h.Xs, h.Ys, zs = append(h.Xs, x), append(h.Ys, y), append(zs, z)
		h.Values[[2]float64{x, y}] = z
		p.Shown = append(p.Shown, e)
	}
	if len(zs) == 0 {
		return
	}
	h.Xs, h.Ys = axis.Distinct(h.Xs), axis.Distinct(h.Ys)
	if spec.From < spec.To {
		h.Colour = axis.Scale{Log: spec.Log, Lo: spec.From, Hi: spec.To}
	} else {
		h.Colour = axis.Exactly(spec.Log, slices.Min(zs), slices.Max(zs))
	}
	p.Map = h
}

// completeColumns returns the rows of the columns that have as many as any, and how many
// columns it leaves out.
func completeColumns(es []result.Estimate, param string) (out []result.Estimate, left int) {
	count := map[float64]int{}
	most := 0
	for _, e := range es {
		if x, ok := e.Params.Number(param); ok {
			count[x]++
			most = max(most, count[x])
		}
	}
	for _, e := range es {
		if x, ok := e.Params.Number(param); ok && count[x] == most {
			out = append(out, e)
		}
	}
	for _, n := range count {
		if n < most {
			left++
		}
	}
	return out, left
}

// All yields the cells from left to right and from below to above.
func (h *heatMap) All() iter.Seq2[[2]float64, float64] {
	return func(yield func([2]float64, float64) bool) {
		for _, x := range h.Xs {
			for _, y := range h.Ys {
				at := [2]float64{x, y}
				if z, ok := h.Values[at]; ok && !yield(at, z) {
					return
				}
			}
		}
	}
}

// heightOf is where a row stands on the y axis: at its number, or at the
// place of its name.
func (p *Data) heightOf(e result.Estimate) (float64, bool) {
	if !p.Y.Names {
		return e.Params.Number(p.Y.Param)
	}
	name, ok := p.rowName(e)
	row := slices.Index(p.RowNames, name)
	return float64(len(p.RowNames) - 1 - row), ok && row >= 0
}

// SameColours gives all maps of a figure one scale, which its bar shows.
func SameColours(ps []Data) {
	var all *axis.Scale
	for _, p := range ps {
		switch {
		case p.Map == nil:
		case all == nil:
			all = &p.Map.Colour
		default:
			s := all.With(p.Map.Colour)
			all = &s
		}
	}
	for i := range ps {
		if ps[i].Map != nil {
			ps[i].Map.Colour = *all
		}
	}
}

// Image returns the map as pixels; a cell without a row is transparent.
func (h *heatMap) Image(x, y Axis) *image.NRGBA {
	sx, bx := axis.Edges(x.Log, h.Xs)
	sy, by := axis.Edges(y.Log, h.Ys)
	cols, lines := axis.Columns(sx, bx), axis.Columns(sy, by)
	img := image.NewNRGBA(image.Rect(0, 0, len(cols), len(lines)))
	for i, cx := range cols {
		for j, cy := range lines {
			if z, ok := h.Values[[2]float64{h.Xs[cx], h.Ys[cy]}]; ok {
				img.SetNRGBA(i, len(lines)-1-j, theme.ColourAt(h.Colour.Unit(z)))
			}
		}
	}
	return img
}
