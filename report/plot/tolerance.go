package plot

import (
	"cmp"
	"math"
	"slices"

	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// BandOf returns the tolerance of the gates at each x where there is one; of several the
// narrowest.
func BandOf(spec Band, p Panel, doc *result.Document) (band []Limits) {
	for _, g := range rows.Gates(doc, spec.Gates) {
		l, ok := toleranceOf(g, p, doc)
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
	return band
}

// Width is the half-width of a tolerance, without what the last bits add.
func (l Limits) Width() float64 { return math.Round((l.Hi-l.Lo)/2*1e9) / 1e9 }

// toleranceOf returns the band of a gate in units of the theory of its row.
func toleranceOf(g result.Gate, p Panel, doc *result.Document) (l Limits, ok bool) {
	x, ok := g.Params.Number(p.X.Param)
	if !ok || g.Expect != names.ExpectInside || !g.Band[0].Present() || !g.Band[1].Present() {
		return l, false
	}
	e, ok := rows.Judged(doc, g)
	if !ok || !e.Theory.Present() || e.Theory == 0 {
		return l, false
	}
	return Limits{x, float64(g.Band[0] / e.Theory), float64(g.Band[1] / e.Theory)}, true
}
