package figure

import (
	"math"
	"slices"
)

// fit sets both axes so that everything shown lies between their ends.
func (p *plotted) fit() bool {
	if p.heat != nil {
		p.xs = p.heat.xs
		p.x, _ = edges(p.X.Log, p.heat.xs)
		p.y, _ = edges(p.Y.Log, p.heat.ys)
		return p.x.lo < p.x.hi && p.y.lo < p.y.hi
	}
	var xs, values []float64
	sure := len(p.Quantiles) == 0 && !p.Y.Names && drawn{*p}.points(barred)
	for _, s := range p.series {
		for _, pt := range s.points {
			v := pt.y
			if p.Y.Names {
				v = pt.x
			} else {
				xs = append(xs, pt.x)
			}
			if bare(pt) && sure {
				continue // what is not sure does not decide what is seen
			}
			values = append(values, v, p.Y.raise(pt.lo), p.Y.raise(pt.hi)) // NaN is passed over
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
	if p.stack != nil {
		return p.fitStack()
	}
	if p.Level != nil {
		values = append(values, p.Level.At)
	}
	var okX, okY bool
	if p.Y.Names {
		if p.upright != nil {
			values = append(values, p.upright.At)
		}
		p.x, okX = fit(p.X.Log, values)
		p.y = scale{false, -0.5, float64(len(p.names)) - 0.5}
		return okX
	}
	xs = slices.Clone(p.padded())
	if p.upright != nil {
		xs = append(xs, p.upright.At)
	}
	p.x, okX = fit(p.X.Log, append(xs, p.reached()...))
	if p.Y.From < p.Y.To {
		values = append(values, p.Y.From, p.Y.To)
	}
	p.y, okY = fit(p.Y.Log, values)
	if sure {
		p.leaveOut()
	}
	return okX && okY
}

// reached are the x of the lines as far as which the axis reaches.
func (p *plotted) reached() []float64 {
	if !p.X.Reach {
		return nil
	}
	var xs []float64
	for _, l := range p.lines {
		xs = append(xs, l.xs...)
	}
	return distinct(xs)
}

// fitStack sets the axes to the bars, whose parts are shares.
func (p *plotted) fitStack() bool {
	p.xs = p.stack.xs()
	p.x, _ = edges(p.X.Log, p.xs)
	p.y = scale{false, 0, 1}
	return p.x.lo < p.x.hi
}

// leaveOut drops the markers without an interval that the axis does not reach.
func (p *plotted) leaveOut() {
	for i := range p.series {
		s := &p.series[i]
		n := len(s.points)
		s.points = slices.DeleteFunc(s.points, func(pt point) bool { return bare(pt) && !p.y.inside(pt.y) })
		p.beyond += n - len(s.points)
	}
	p.series = slices.DeleteFunc(p.series, func(s series) bool { return len(s.points) == 0 })
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

// alike gives panels that declare the same x axis the same ends of it, so that
// the same d_k stands below itself, and all panels of small multiples the same
// y axis too.
func alike(ps []plotted, multiples bool) {
	for i := range ps {
		for _, q := range ps {
			if q.X == ps[i].X {
				ps[i].x = ps[i].x.with(q.x)
			}
			if multiples {
				ps[i].y = ps[i].y.with(q.y)
			}
		}
	}
}

// with returns the scale that holds both.
func (s scale) with(o scale) scale { return scale{s.log, min(s.lo, o.lo), max(s.hi, o.hi)} }
