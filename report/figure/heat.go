package figure

import (
	"image"
	"iter"
	"math"
	"slices"

	"mcsim/report/rows"
	"mcsim/sim/result"
)

// heatMap is a map of values on a grid, in the space in which its axes are
// even.
type heatMap struct {
	xs, ys []float64 // ascending
	values map[[2]float64]float64
	colour scale
}

func (p *plotted) selectHeat(spec Heat, doc *result.Document) {
	h := &heatMap{values: map[[2]float64]float64{}}
	var zs []float64
	es := rows.Estimates(doc, spec.Rows)
	if spec.Whole {
		es, p.partial = whole(es, p.X.Param)
	}
	for _, e := range es {
		x, okX := e.Params.Number(p.X.Param)
		y, okY := p.heightOf(e)
		z := float64(e.Value)
		if !okX || !okY || !holds(p.X.Log, x) || !holds(p.Y.Log, y) {
			continue
		}
		if !holds(spec.Log, z) {
			p.lost++
			continue
		}
		h.xs, h.ys, zs = append(h.xs, x), append(h.ys, y), append(zs, z)
		h.values[[2]float64{x, y}] = z
		p.rows = append(p.rows, e)
	}
	if len(zs) == 0 {
		return
	}
	h.xs, h.ys = distinct(h.xs), distinct(h.ys)
	if spec.From < spec.To {
		h.colour = scale{spec.Log, spec.From, spec.To}
	} else {
		h.colour = exactly(spec.Log, slices.Min(zs), slices.Max(zs))
	}
	p.heat = h
}

// whole returns the rows of the columns that have as many as any, and how many
// columns it leaves out.
func whole(es []result.Estimate, param string) (out []result.Estimate, left int) {
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

// all yields the cells from left to right and from below to above.
func (h *heatMap) all() iter.Seq2[[2]float64, float64] {
	return func(yield func([2]float64, float64) bool) {
		for _, x := range h.xs {
			for _, y := range h.ys {
				at := [2]float64{x, y}
				if z, ok := h.values[at]; ok && !yield(at, z) {
					return
				}
			}
		}
	}
}

// heightOf is where a row stands on the y axis: at its number, or at the
// place of its name.
func (p *plotted) heightOf(e result.Estimate) (float64, bool) {
	if !p.Y.Names {
		return e.Params.Number(p.Y.Param)
	}
	name, ok := e.Params.Text(p.Y.Param)
	row := slices.Index(p.names, name)
	return float64(len(p.names) - 1 - row), ok && row >= 0
}

// exactly returns a scale from lo to hi, without room at its ends.
func exactly(log bool, lo, hi float64) scale {
	if lo < hi && !math.IsInf(hi-lo, 0) {
		return scale{log, lo, hi}
	}
	s, _ := fit(log, []float64{lo, hi})
	return s
}

// sameColours gives all maps of a figure one scale, which its bar shows.
func sameColours(ps []plotted) {
	var all *scale
	for _, p := range ps {
		switch {
		case p.heat == nil:
		case all == nil:
			all = &p.heat.colour
		default:
			s := all.with(p.heat.colour)
			all = &s
		}
	}
	for i := range ps {
		if ps[i].heat != nil {
			ps[i].heat.colour = *all
		}
	}
}

// edges returns the borders of the cells around the given values: halfway to
// the neighbours, and as far beyond the outermost.
func edges(log bool, values []float64) (scale, []float64) {
	at := make([]float64, len(values))
	for i, v := range values {
		at[i] = v
		if log {
			at[i] = math.Log2(v)
		}
	}
	out := make([]float64, len(at)+1)
	for i := 1; i < len(at); i++ {
		out[i] = (at[i-1] + at[i]) / 2
	}
	first, last := 0.5, 0.5
	if len(at) > 1 {
		first, last = (at[1]-at[0])/2, (at[len(at)-1]-at[len(at)-2])/2
	}
	out[0], out[len(at)] = at[0]-first, at[len(at)-1]+last
	if log {
		for i := range out {
			out[i] = min(max(math.Exp2(out[i]), math.SmallestNonzeroFloat64), math.MaxFloat64) // a border must have a logarithm
		}
	}
	return scale{log, out[0], out[len(at)]}, out
}

// columns returns which of the cells each column of pixels shows: one pixel
// for each cell where all are equally wide, many where they are not.
func columns(s scale, borders []float64) []int {
	n := len(borders) - 1
	even := true
	for i, b := range borders {
		even = even && math.Abs(s.unit(b)-float64(i)/float64(n)) < 1e-6
	}
	pixels := n
	if !even {
		pixels = 240
	}
	out := make([]int, pixels)
	cell := 0
	for i := range out {
		for cell < n-1 && s.unit(borders[cell+1]) <= (float64(i)+0.5)/float64(pixels) {
			cell++
		}
		out[i] = cell
	}
	return out
}

// image returns the map as pixels; a cell without a row is transparent.
func (h *heatMap) image(x, y Axis) *image.NRGBA {
	sx, bx := edges(x.Log, h.xs)
	sy, by := edges(y.Log, h.ys)
	cols, lines := columns(sx, bx), columns(sy, by)
	img := image.NewNRGBA(image.Rect(0, 0, len(cols), len(lines)))
	for i, cx := range cols {
		for j, cy := range lines {
			if z, ok := h.values[[2]float64{h.xs[cx], h.ys[cy]}]; ok {
				img.SetNRGBA(i, len(lines)-1-j, colourAt(h.colour.unit(z)))
			}
		}
	}
	return img
}

// bar returns the colours from below to above, for the scale beside the map.
func bar() *image.NRGBA {
	const steps = 256
	img := image.NewNRGBA(image.Rect(0, 0, 1, steps))
	for i := range steps {
		img.SetNRGBA(0, steps-1-i, colourAt(float64(i)/(steps-1)))
	}
	return img
}
