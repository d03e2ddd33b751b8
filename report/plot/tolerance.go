package plot

import (
	"cmp"
	"math"
	"slices"

	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// other is a law whose gates have another tolerance than the band.
type other struct {
	Law string
	Limits
}

// BandOf returns the tolerance that most gates have, at each x where a gate
// has it, and the laws with another one.
func BandOf(spec Band, p Panel, doc *result.Document) (band []Limits, others []other) {
	var all []other
	count := map[float64]int{}
	for _, g := range rows.Gates(doc, spec.Gates) {
		if o, ok := toleranceOf(g, p, doc); ok {
			all = append(all, o)
			count[o.width()]++
		}
	}
	usual := 0.0
	for _, o := range all { // the first of equals
		if count[o.width()] > count[usual] {
			usual = o.width()
		}
	}
	for _, o := range all {
		switch {
		case o.width() == usual && !slices.ContainsFunc(band, func(l Limits) bool { return l.X == o.X }):
			band = append(band, o.Limits)
		case o.width() != usual && !slices.ContainsFunc(others, func(k other) bool { return k.Law == o.Law && k.width() == o.width() }):
			others = append(others, o)
		}
	}
	slices.SortFunc(band, func(a, b Limits) int { return cmp.Compare(a.X, b.X) })
	return band, others
}

// width is the half-width of a tolerance, without what the last bits add.
func (l Limits) width() float64 { return math.Round((l.Hi-l.Lo)/2*1e9) / 1e9 }

// toleranceOf returns the band of a gate in units of the theory of its row.
func toleranceOf(g result.Gate, p Panel, doc *result.Document) (o other, ok bool) {
	x, ok := g.Params.Number(p.X.Param)
	if !ok || g.Expect != names.ExpectInside || !g.Band[0].Present() || !g.Band[1].Present() {
		return o, false
	}
	e, ok := rows.Judged(doc, g)
	if !ok || !e.Theory.Present() || e.Theory == 0 {
		return o, false
	}
	law, _ := g.Params.Text(names.ParamLaw)
	return other{law, Limits{x, float64(g.Band[0] / e.Theory), float64(g.Band[1] / e.Theory)}}, true
}
