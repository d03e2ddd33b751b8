package plot

import (
	"cmp"
	"math"
	"slices"

	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// SelectBand takes the tolerance of the gates at each x, or in each row of names, where
// there is one; of several the narrowest.
func (p *Data) SelectBand(spec Band, doc *result.Document) {
	var band []Limits
	if a := spec.Always; a[1] > a[0] {
		band = []Limits{{Lo: a[0], Hi: a[1]}}
	}
	for _, g := range rows.Gates(doc, spec.Gates) {
		l, ok := p.toleranceOf(g, spec, doc)
		if !ok {
			continue
		}
		i := slices.IndexFunc(band, func(o Limits) bool { return o.X == l.X })
		switch {
		case i < 0:
			band = append(band, l)
		case l.Width() < band[i].Width():
			band[i] = l
		}
	}
	slices.SortFunc(band, func(a, b Limits) int { return cmp.Compare(a.X, b.X) })
	p.Tolerance = band
}

// Width is the half-width of a tolerance, without what the last bits add.
func (l Limits) Width() float64 { return math.Round((l.Hi-l.Lo)/2*1e9) / 1e9 }

// toleranceOf returns the band of a gate: in units of the theory of its row, or beside an
// axis of names what its ends are on the axis of values.
func (p *Data) toleranceOf(g result.Gate, spec Band, doc *result.Document) (l Limits, ok bool) {
	if g.Expect != names.ExpectInside || !g.Band[0].Present() || !g.Band[1].Present() {
		return l, false
	}
	e, ok := rows.Judged(doc, g)
	if p.Y.Names {
		y, named := p.heightOf(e)
		return Limits{y, spec.At(float64(g.Band[0])), spec.At(float64(g.Band[1]))}, ok && named
	}
	x, at := g.Params.Number(p.X.Param)
	ok = ok && at
	if !ok || !e.Theory.Present() || e.Theory == 0 {
		return l, false
	}
	return Limits{x, float64(g.Band[0] / e.Theory), float64(g.Band[1] / e.Theory)}, true
}
