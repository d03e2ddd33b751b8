package plot

import (
	"math"
	"slices"

	"mcsim/report/axis"
)

// Fit sets both axes so that everything shown lies between their ends.
func (p *Data) Fit() bool {
	if p.Map != nil {
		p.Xs = p.Map.Xs
		p.ScaleX, _ = axis.Edges(p.X.Log, p.Map.Xs)
		p.ScaleY, _ = axis.Edges(p.Y.Log, p.Map.Ys)
		return p.ScaleX.Lo < p.ScaleX.Hi && p.ScaleY.Lo < p.ScaleY.Hi
	}
	if p.Bars != nil {
		return p.fitStack()
	}
	if p.Strips != nil {
		return p.fitStrips()
	}
	sure := len(p.Quantiles) == 0 && !p.Y.Names && p.Measured(Point.Barred)
	values := p.extremes(sure)
	var okX, okY bool
	if p.Y.Names {
		if p.Vertical != nil {
			values = append(values, p.Vertical.At)
		}
		p.ScaleX, okX = axis.Fit(p.X.Log, values)
		p.ScaleY = axis.Scale{Log: false, Lo: -0.5, Hi: float64(len(p.RowNames)) - 0.5}
		return okX
	}
	xs := slices.Clone(p.padded())
	if p.Vertical != nil {
		xs = append(xs, p.Vertical.At)
	}
	p.ScaleX, okX = axis.Fit(p.X.Log, append(xs, p.Reached()...))
	if p.Y.From < p.Y.To {
		values = append(values, p.Y.From, p.Y.To)
	}
	p.ScaleY, okY = axis.Fit(p.Y.Log, values)
	if sure {
		p.leaveOut()
	}
	return okX && okY
}

// extremes notes the distinct x of the points, and returns the values that the
// axis of values must hold. Where points are sure, those without an interval
// are not among them: what is not sure does not decide what is seen.
func (p *Data) extremes(sure bool) (values []float64) {
	var xs []float64
	for _, s := range p.Series {
		for _, pt := range s.Points {
			v := pt.Y
			if p.Y.Names {
				v = pt.X
			} else {
				xs = append(xs, pt.X)
			}
			if pt.Barred() || !sure {
				values = append(values, v, p.Y.raise(pt.Lo), p.Y.raise(pt.Hi)) // NaN is passed over
			}
		}
	}
	p.Xs = axis.Distinct(xs)
	for _, l := range p.Theory {
		for i, x := range l.Xs {
			if len(p.Xs) > 0 && x >= p.Xs[0] && x <= p.Xs[len(p.Xs)-1] {
				values = append(values, l.Ys[i])
			}
		}
	}
	for _, r := range p.Ribbons {
		for _, l := range r.At {
			values = append(values, l.Lo, l.Hi)
		}
	}
	for _, b := range p.Tolerance {
		values = append(values, b.Lo, b.Hi)
	}
	if p.Level != nil {
		values = append(values, p.Level.At)
	}
	for _, b := range p.Bounds {
		values = append(values, -b.At, b.At)
	}
	return values
}

// Reached are the x of the lines as far as which the axis reaches.
func (p *Data) Reached() []float64 {
	if !p.X.Reach {
		return nil
	}
	var xs []float64
	for _, l := range p.Theory {
		xs = append(xs, l.Xs...)
	}
	return axis.Distinct(xs)
}

// fitStack sets the axes to the bars, whose parts are shares.
func (p *Data) fitStack() bool {
	p.Xs = p.Bars.Xs()
	p.ScaleX, _ = axis.Edges(p.X.Log, p.Xs)
	p.ScaleY = axis.Scale{Log: false, Lo: 0, Hi: 1}
	return p.ScaleX.Lo < p.ScaleX.Hi
}

// leaveOut drops the markers without an interval that the axis does not reach.
func (p *Data) leaveOut() {
	for i := range p.Series {
		s := &p.Series[i]
		n := len(s.Points)
		s.Points = slices.DeleteFunc(s.Points, func(pt Point) bool { return !pt.Barred() && !p.ScaleY.Inside(pt.Y) })
		p.Beyond += n - len(s.Points)
	}
	p.Series = slices.DeleteFunc(p.Series, func(s Series) bool { return len(s.Points) == 0 })
}

// padded returns the distinct x and, where series stand apart, room for the
// outermost of them.
func (p *Data) padded() []float64 {
	n := len(p.Xs)
	if !p.Dodged || n < 2 {
		return p.Xs
	}
	first, last := p.Xs[0], p.Xs[n-1]
	if p.X.Log {
		share := math.Inf(1)
		for i := 1; i < n; i++ {
			share = min(share, math.Pow(p.Xs[i]/p.Xs[i-1], 0.4))
		}
		return append(slices.Clone(p.Xs), first/share, last*share)
	}
	room := math.Inf(1)
	for i := 1; i < n; i++ {
		room = min(room, 0.4*(p.Xs[i]-p.Xs[i-1]))
	}
	return append(slices.Clone(p.Xs), first-room, last+room)
}

// Alike gives panels that declare the same x axis the same ends of it, so that
// the same d_k stands below itself, and all panels of small multiples the same
// y axis too.
func Alike(ps []Data, multiples bool) {
	for i := range ps {
		for _, q := range ps {
			if q.X == ps[i].X {
				ps[i].ScaleX = ps[i].ScaleX.With(q.ScaleX)
			}
			if multiples {
				ps[i].ScaleY = ps[i].ScaleY.With(q.ScaleY)
			}
		}
	}
}
