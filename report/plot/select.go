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
		s := Series{Label: NameOf(k), Place: i, Style: StyleOf(keys, i), OtherEstimator: k.Estimator != "", Theory: spec.Theory, Joined: spec.Join}
		if spec.Plain {
			s.Style = s.Style.Plain()
		}
		if spec.Open != nil {
			s.Style.Hollow = false // which has a meaning here
		}
		if spec.Neutral {
			s.Style.Colour = theme.Neutral(i)
		}
		es := rows.Estimates(doc, k.Only(f))
		others := rows.OtherEstimators(es)
		for j, e := range es {
			if others[j] != k.Estimator {
				continue
			}
			if pt, ok := p.pointOf(e, spec.unit()); ok {
				if spec.Bare {
					pt.Error = Bare
				}
				pt.Open = spec.Open != nil && spec.Open(doc, e)
				s.Points = append(s.Points, pt)
				p.Shown = append(p.Shown, e)
			} else if v := p.values(); spec.Theory {
				continue // the row itself is counted already
			} else if none, ok := p.atMost(e, spec.unit()); ok {
				s.AtMost = append(s.AtMost, none)
				p.Shown = append(p.Shown, e)
			} else if float64(e.Value) < v.From {
				p.Below++
			} else if v.Log && e.Value <= 0 {
				p.Lost++
				if p.Y.Names && e.Value == 0 {
					p.Zeros = append(p.Zeros, pt.Y)
				}
			}
		}
		if len(s.Points)+len(s.AtMost) > 0 {
			slices.SortStableFunc(s.Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
			if spec.Band != "" {
				p.Ribbons = append(p.Ribbons, p.bandOf(spec.Band, &s))
			}
			p.Series = append(p.Series, s)
		}
	}
}

// bandOf is the band of the intervals of a series, which then has no bars.
func (p *Data) bandOf(label string, s *Series) Ribbon {
	r := Ribbon{Label: label, Style: s.Style}
	for i, pt := range s.Points {
		lo, hi := p.Y.raise(pt.Lo), p.Y.raise(pt.Hi)
		if pt.Error == Interval && axis.Holds(p.Y.Log, lo) && axis.Holds(p.Y.Log, hi) {
			r.At = append(r.At, Limits{pt.X, lo, hi})
			s.Points[i].Error = Bare
		}
	}
	return r
}

// SelectSides takes the values of the declared lines.
func (p *Data) SelectSides(doc *result.Document) {
	for _, s := range p.Sides {
		if e, ok := rows.One(doc, s.Rows); ok {
			p.Bounds = append(p.Bounds, Bound{Level{At: float64(e.Value), Label: s.Label}, s.Inner})
		}
	}
}

// unit is the one in which the points stand.
func (spec Points) unit() Unit {
	if spec.Theory {
		return theoryIn(spec.In)
	}
	return spec.In
}

// theoryIn is the theory of a row, in the unit of the points, as if it were measured
// without an error.
func theoryIn(in Unit) Unit {
	return func(e result.Estimate) (_ result.Estimate, ok bool) {
		if in != nil {
			if e, ok = in(e); !ok {
				return e, false
			}
		}
		t := e.Theory
		e.Value, e.SE, e.Lo, e.Hi = t, 0, t, t
		return e, t.Present()
	}
}

// atMost is the place of a row of value 0 with an interval, on an axis of logarithms.
func (p *Data) atMost(e result.Estimate, in Unit) (Point, bool) {
	if in != nil {
		zero := e.Value == 0
		var ok bool
		if e, ok = in(e); !ok || !zero {
			return Point{}, false
		}
	}
	x, ok := p.placeOf(e)
	if p.Y.Names || !p.Y.Log || e.Value != 0 || !e.Lo.Present() || !e.Hi.Present() {
		return Point{}, false
	}
	return Point{X: x, Lo: float64(e.Lo), Hi: float64(e.Hi)}, ok && axis.Holds(p.X.Log, x) && e.Hi > 0 && p.Y.reaches(float64(e.Hi))
}

// pointOf is where a row stands between the axes; ok is false where it has no
// place.
func (p *Data) pointOf(e result.Estimate, in Unit) (Point, bool) {
	if in != nil {
		var ok bool
		if e, ok = in(e); !ok {
			return Point{}, false
		}
	}
	pt := barOf(e)
	if p.Y.Names {
		y, ok := p.heightOf(e)
		pt.X, pt.Y = float64(e.Value), y
		return pt, ok && axis.Holds(p.X.Log, pt.X)
	}
	x, ok := p.placeOf(e)
	pt.X, pt.Y = x, float64(e.Value)
	if pt.Error == Unsure && e.Value == e.Theory && p.limit(x) {
		pt.Error = Steady // a limit in which all rows are the same
	}
	return pt, ok && axis.Holds(p.X.Log, pt.X) && axis.Holds(p.Y.Log, pt.Y) && p.Y.reaches(pt.Y)
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
		return Point{Lo: math.NaN(), Hi: math.NaN(), Error: Steady}
	}
	return Point{Lo: value - se, Hi: value + se, Error: Roughly}
}
