package figure

import (
	"slices"

	"mcsim/report/rows"
	"mcsim/sim/result"
)

// ribbon is a band between two quantiles.
type ribbon struct {
	label string
	style style
	at    []limits
}

// selectQuantiles takes the band and its points; a band needs both ends at
// two x, or it is left out.
func (p *plotted) selectQuantiles(spec Quantiles, doc *result.Document, keys []key) {
	p.selectPoints(Points{Rows: spec.Middle, By: spec.By, Label: spec.Label}, doc, keys)
	for i, k := range keys {
		if !k.chosen(spec.By, spec.Label) {
			continue
		}
		r := ribbon{label: spec.Band, style: styleOf(i)}
		for _, e := range rows.Estimates(doc, k.only(spec.Lower)) {
			x, ok := e.Params.Number(p.X.Param)
			upper, both := rows.One(doc, k.only(spec.Upper).With(p.X.Param, x))
			lo, hi := float64(e.Value), float64(upper.Value)
			if ok && both && holds(p.X.Log, x) && holds(p.Y.Log, lo) && holds(p.Y.Log, hi) {
				r.at = append(r.at, limits{x, lo, hi})
				p.rows = append(p.rows, e, upper)
			}
		}
		slices.SortStableFunc(r.at, func(a, b limits) int { return order(a.x, b.x) })
		if len(r.at) > 1 {
			p.ribbons = append(p.ribbons, r)
		}
	}
}
