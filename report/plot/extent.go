package plot

import (
	"slices"

	"mcsim/report/axis"
)

// Fit sets both axes so that everything shown lies between their ends.
func (p *Data) Fit() bool {
	if p.Map != nil {
		p.Xs = p.Map.Xs
		p.ScaleX, p.ScaleY = axis.Cells(len(p.Map.Xs)), axis.Cells(len(p.Map.Ys))
		return true
	}
	if len(p.Bars) > 0 {
		return p.fitStack()
	}
	if len(p.Strips) > 0 {
		return p.fitStrips()
	}
	values := p.extremes()
	var okX, okY bool
	if p.Y.Names {
		p.ScaleX, okX = axis.Fit(p.X.Log, values)
		p.ScaleY = axis.Cells(len(p.RowNames))
		if p.Swarm { // room for the piles of the outer rows
			p.ScaleY.Lo, p.ScaleY.Hi = p.ScaleY.Lo-0.2, p.ScaleY.Hi+0.2
		}
		return okX
	}
	xs := slices.Clone(p.Xs)
	for _, g := range p.Guides {
		if g.Upright {
			xs = append(xs, g.At)
		}
	}
	p.ScaleX, okX = axis.Fit(p.X.Log, append(xs, p.Reached()...))
	if p.Y.To > 0 {
		values = append(values, 0, p.Y.To) // a logarithmic axis passes over 0
	}
	p.ScaleY, okY = axis.Fit(p.Y.Log, values)
	if p.OnZero() {
		p.ScaleX.Lo, p.ScaleX.Hi, p.ScaleY.Lo = p.Xs[0]-2*halfBar, p.Xs[len(p.Xs)-1]+2*halfBar, 0
	}
	return okX && okY
}

// extremes notes the distinct x of the points, and returns the values that the
// axis of values must hold: all that is shown.
func (p *Data) extremes() (values []float64) {
	var xs []float64
	for _, s := range p.Series {
		for _, pt := range s.Points {
			v := pt.Y
			if p.Y.Names {
				v = pt.X
			} else {
				xs = append(xs, pt.X)
			}
			values = append(values, v)
			if pt.Error == Interval || pt.Error == Roughly {
				values = append(values, pt.Lo, pt.Hi)
			}
		}
	}
	for _, s := range p.Series {
		for _, pt := range s.AtMost {
			xs, values = append(xs, pt.X), append(values, pt.Hi, pt.Hi/6) // room for its arrow
		}
	}
	if p.LinesAlone() {
		for _, l := range p.Theory {
			xs = append(xs, l.Xs...)
		}
	}
	drawn, along := p.drawnValues()
	values = append(values, along...)
	p.Xs = axis.Distinct(append(xs, drawn...))
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
	for _, g := range p.Guides {
		if !g.Upright {
			values = append(values, g.At)
		}
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
	for _, t := range p.Traces {
		for _, l := range t.Lines {
			xs = append(xs, l.Xs...)
		}
	}
	return axis.Distinct(xs)
}

// fitStack sets the axes to the bars, whose parts are shares.
func (p *Data) fitStack() bool {
	p.Xs = nil
	for _, b := range p.Bars {
		p.Xs = append(p.Xs, b.X)
	}
	p.ScaleX, _ = axis.Edges(p.Xs)
	p.ScaleY = axis.Scale{Log: false, Lo: 0, Hi: 1}
	return p.ScaleX.Lo < p.ScaleX.Hi
}

// Alike gives panels that declare the same axis the same ends of it, so that the same
// d_k stands below itself and equal heights mean equal values.
func Alike(ps []Data) {
	for i := range ps {
		p := &ps[i]
		for _, q := range ps {
			if q.X == p.X {
				p.ScaleX = p.ScaleX.With(q.ScaleX)
				if p.plain() && q.plain() {
					p.Xs = axis.Distinct(append(slices.Clone(p.Xs), q.Xs...))
				}
			}
			if q.Y == p.Y && !p.Y.Names {
				p.ScaleY = p.ScaleY.With(q.ScaleY)
			}
		}
	}
}

// plain reports whether x is an axis of values, which no cells or bars divide.
func (p *Data) plain() bool { return p.Map == nil && len(p.Bars) == 0 && !p.Y.Names }
