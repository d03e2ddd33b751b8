package plot

import (
	"cmp"
	"math"
	"slices"

	"mcsim/report/axis"
	"mcsim/report/rows"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// selectPoints takes the markers of each series.
func (p *Data) selectPoints(spec Points, doc *result.Document, keys []Key) {
	f := spec.Of(doc)
	for i, k := range keys {
		if !k.Chosen(spec.By, spec.Label) {
			continue
		}
		s := Series{Label: NameOf(k), Place: i, Style: spec.style(keys, i), Theory: spec.Theory, Joined: spec.Join}
		for _, e := range rows.Estimates(doc, k.Only(f)) {
			p.take(spec, doc, e, &s)
		}
		if len(s.Points)+len(s.AtMost) == 0 {
			continue
		}
		slices.SortStableFunc(s.Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
		if spec.Band != "" {
			p.selectBand(spec, doc, k, &s)
		}
		p.Series = append(p.Series, s)
	}
}

// style is that of the i-th series.
func (spec Points) style(keys []Key, i int) theme.SeriesStyle {
	s := StyleOf(keys, i)
	if spec.Open != nil {
		s.Hollow = false // which has a meaning here
	}
	if spec.Neutral {
		s.Colour = theme.Neutral(i)
	}
	return s
}

// take adds a row to a series, or counts it where it has no place.
func (p *Data) take(spec Points, doc *result.Document, e result.Estimate, s *Series) {
	shown, ok := spec.shown(e)
	if !ok {
		return
	}
	pt, ok := p.pointOf(shown)
	if ok {
		if spec.Bare {
			pt.Error = Bare
		}
		pt.Open = spec.Open != nil && spec.Open(doc, e)
		s.Points = append(s.Points, pt)
		p.Shown = append(p.Shown, e)
		return
	}
	log := p.Y.Log && !p.Y.Names || p.X.Log && p.Y.Names
	if spec.Theory || !log || e.Value > 0 {
		return // the row of a theory is counted already
	}
	if none, ok := p.atMost(shown); ok {
		s.AtMost = append(s.AtMost, none)
		p.Shown = append(p.Shown, e)
		return
	}
	p.Lost++
	if p.Y.Names && e.Value == 0 {
		p.Zeros = append(p.Zeros, pt.Y)
	}
}

// selectBand takes the band of a series: that of two other quantities, or that of the
// intervals, which then have no bars. One of a single x is none.
func (p *Data) selectBand(spec Points, doc *result.Document, k Key, s *Series) {
	r := Ribbon{Label: spec.Band, Style: s.Style}
	add := func(x, lo, hi float64) bool {
		ok := axis.Holds(p.X.Log, x) && axis.Holds(p.Y.Log, lo) && axis.Holds(p.Y.Log, hi)
		if ok {
			r.At = append(r.At, Limits{x, lo, hi})
		}
		return ok
	}
	if spec.Lower.Quantity == "" {
		for i, pt := range s.Points {
			if pt.Error == Interval && add(pt.X, pt.Lo, pt.Hi) {
				s.Points[i].Error = Bare
			}
		}
	}
	for _, e := range rows.Estimates(doc, k.Only(spec.Lower)) {
		x, ok := e.Params.Number(p.X.Param)
		upper, both := rows.One(doc, k.Only(spec.Upper).With(p.X.Param, x))
		if ok && both && add(x, float64(e.Value), float64(upper.Value)) {
			p.Shown = append(p.Shown, e, upper)
		}
	}
	slices.SortStableFunc(r.At, func(a, b Limits) int { return cmp.Compare(a.X, b.X) })
	if len(r.At) > 1 {
		p.Ribbons = append(p.Ribbons, r)
	}
}

// shown is a row in the unit of the points, or its theory as if it were measured without an
// error.
func (spec Points) shown(e result.Estimate) (_ result.Estimate, ok bool) {
	if spec.In != nil {
		if e, ok = spec.In(e); !ok {
			return e, false
		}
	}
	if t := e.Theory; spec.Theory {
		e.Value, e.SE, e.Lo, e.Hi = t, 0, t, t
		return e, t.Present()
	}
	return e, true
}

// atMost is the place of a row of value 0 with an interval, on an axis of logarithms.
func (p *Data) atMost(e result.Estimate) (Point, bool) {
	x, ok := e.Params.Number(p.X.Param)
	none := !p.Y.Names && e.Value == 0 && e.Lo.Present() && e.Hi > 0
	return Point{X: x, Lo: float64(e.Lo), Hi: float64(e.Hi)}, ok && none && axis.Holds(p.X.Log, x)
}

// pointOf is where a row stands between the axes; ok is false where it has no
// place.
func (p *Data) pointOf(e result.Estimate) (Point, bool) {
	pt := barOf(e)
	if p.Y.Names {
		y, ok := p.heightOf(e)
		pt.X, pt.Y = float64(e.Value), y
		return pt, ok && axis.Holds(p.X.Log, pt.X)
	}
	x, ok := e.Params.Number(p.X.Param)
	pt.X, pt.Y = x, float64(e.Value)
	return pt, ok && axis.Holds(p.X.Log, pt.X) && axis.Holds(p.Y.Log, pt.Y)
}

// barOf is how well the error of a row is known, with the bar that shows it.
func barOf(e result.Estimate) Point {
	value, se := float64(e.Value), float64(e.SE)
	switch {
	case e.Lo.Present() && e.Hi.Present():
		return Point{Lo: float64(e.Lo), Hi: float64(e.Hi), Error: Interval}
	case !e.SE.Present():
		return Point{Lo: math.NaN(), Hi: math.NaN(), Error: Unsure}
	case se == 0:
		return Point{Lo: math.NaN(), Hi: math.NaN(), Error: Bare}
	}
	return Point{Lo: value - se, Hi: value + se, Error: Roughly}
}
