package plot

import (
	"cmp"
	"math"
	"slices"

	"mcsim/report/axis"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// SelectPoints takes the markers of each series.
func (p *Data) SelectPoints(spec Points, doc *result.Document, keys []Key) {
	f := spec.Of(doc)
	for i, k := range keys {
		if !k.Chosen(spec.By, spec.Label) {
			continue
		}
		s := Series{Label: NameOf(k), Place: i, Style: StyleOf(keys, i), OtherEstimator: k.Estimator != "", Theory: spec.Theory}
		es := rows.Estimates(doc, k.Only(f))
		others := rows.OtherEstimators(es)
		for j, e := range es {
			if others[j] != k.Estimator {
				continue
			}
			if pt, ok := p.pointOf(e, spec.unit()); ok {
				s.Points = append(s.Points, pt)
				p.Shown = append(p.Shown, e)
			} else if v := p.values(); spec.Theory {
				continue // the row itself is counted already
			} else if float64(e.Value) < v.From {
				p.Below++
			} else if v.Log && e.Value <= 0 {
				p.Lost++
			}
		}
		if len(s.Points) > 0 {
			slices.SortStableFunc(s.Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
			p.Series = append(p.Series, s)
		}
	}
}

// SelectSides takes the values of the declared lines.
func (p *Data) SelectSides(doc *result.Document) {
	for _, s := range p.Sides {
		if e, ok := rows.One(doc, s.Rows); ok {
			p.Bounds = append(p.Bounds, Bound{Level{At: float64(e.Value), Label: s.Label}, s.Broken})
		}
	}
}

// unit is the one in which the points stand.
func (spec Points) unit() Unit {
	if spec.Theory {
		return theoryAlone
	}
	return spec.In
}

// theoryAlone is the theory of a row as if it were measured, exactly.
func theoryAlone(e result.Estimate) (result.Estimate, bool) {
	t := e.Theory
	e.Value, e.SE, e.Lo, e.Hi = t, 0, t, t
	return e, t.Present()
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
	lo, hi := math.NaN(), math.NaN()
	if e.Lo.Present() && e.Hi.Present() {
		lo, hi = float64(e.Lo), float64(e.Hi)
	}
	if p.Y.Names {
		y, ok := p.heightOf(e)
		return Point{float64(e.Value), y, lo, hi}, ok && axis.Holds(p.X.Log, float64(e.Value))
	}
	x, ok := p.placeOf(e)
	return Point{x, float64(e.Value), lo, hi}, ok && axis.Holds(p.X.Log, x) && axis.Holds(p.Y.Log, float64(e.Value)) && p.Y.reaches(float64(e.Value))
}
