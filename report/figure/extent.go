package figure

import (
	"math"
	"slices"
)

// fit sets both axes so that everything shown lies between their ends.
func (p *plotted) fit() bool {
	if p.heat != nil && len(p.series) == 0 {
		p.xs = p.heat.xs
		p.x, _ = edges(p.X.Log, p.heat.xs)
		p.y, _ = edges(p.Y.Log, p.heat.ys)
		return p.x.lo < p.x.hi && p.y.lo < p.y.hi
	}
	var xs, values []float64
	for _, s := range p.series {
		for _, pt := range s.points {
			v := pt.y
			if p.Y.Names {
				v = pt.x
			} else {
				xs = append(xs, pt.x)
			}
			values = append(values, v, pt.lo, pt.hi) // NaN is passed over
		}
	}
	p.xs = distinct(xs)
	for _, l := range p.lines {
		for i, x := range l.xs {
			if len(p.xs) > 0 && x >= p.xs[0] && x <= p.xs[len(p.xs)-1] {
				values = append(values, l.ys[i])
			}
		}
	}
	for _, r := range p.ribbons {
		for _, l := range r.at {
			values = append(values, l.lo, l.hi)
		}
	}
	for _, b := range p.band {
		values = append(values, b.lo, b.hi)
	}
	if p.Level != nil {
		values = append(values, p.Level.At)
	}
	var okX, okY bool
	if p.Y.Names {
		p.x, okX = fit(p.X.Log, values)
		p.y = scale{false, -0.5, float64(len(p.names)) - 0.5}
		return okX
	}
	p.x, okX = fit(p.X.Log, p.padded())
	p.y, okY = fit(p.Y.Log, values)
	return okX && okY
}

// padded returns the distinct x and, where series stand apart, room for the
// outermost of them.
func (p *plotted) padded() []float64 {
	n := len(p.xs)
	if !p.dodged || n < 2 {
		return p.xs
	}
	first, last := p.xs[0], p.xs[n-1]
	if p.X.Log {
		share := math.Inf(1)
		for i := 1; i < n; i++ {
			share = min(share, math.Pow(p.xs[i]/p.xs[i-1], 0.4))
		}
		return append(slices.Clone(p.xs), first/share, last*share)
	}
	room := math.Inf(1)
	for i := 1; i < n; i++ {
		room = min(room, 0.4*(p.xs[i]-p.xs[i-1]))
	}
	return append(slices.Clone(p.xs), first-room, last+room)
}

// alike gives the panels of small multiples the same axes.
func alike(ps []plotted) {
	if len(ps) == 0 {
		return
	}
	x, y := ps[0].x, ps[0].y
	for _, p := range ps {
		x.lo, x.hi = min(x.lo, p.x.lo), max(x.hi, p.x.hi)
		y.lo, y.hi = min(y.lo, p.y.lo), max(y.hi, p.y.hi)
	}
	for i := range ps {
		ps[i].x, ps[i].y = x, y
	}
}
