package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/rows"
	"mcsim/sim/result"
)

// ribbon is a band between two quantiles.
type ribbon struct {
	label string
	style style
	inner bool
	at    []limits
}

// veil is the colour of the band, and dash that of its borders: the inner of
// two bands is darker and has whole borders.
func (r ribbon) veil() color.NRGBA {
	k := veil(r.style.colour)
	if r.inner {
		k.A += k.A / 2
	}
	return k
}

// colour is that in the legend: of no one series.
func (r ribbon) colour() color.NRGBA { return quiet.paper }

func (r ribbon) dash() []vg.Length {
	if r.inner {
		return nil
	}
	return r.style.dash
}

// selectQuantiles takes the band and its points; a band needs both ends at
// two x, or it is left out.
func (p *plotted) selectQuantiles(spec Quantiles, doc *result.Document, keys []key) {
	if spec.Middle.Quantity != "" {
		p.selectPoints(Points{Rows: spec.Middle, By: spec.By, Label: spec.Label}, doc, keys)
	}
	for i, k := range keys {
		if !k.chosen(spec.By, spec.Label) {
			continue
		}
		r := ribbon{label: spec.Band, style: styleOf(i), inner: spec.Inner}
		for _, e := range rows.Estimates(doc, k.only(spec.Lower)) {
			x, ok := e.Params.Number(p.X.Param)
			upper, both := rows.One(doc, k.only(spec.Upper).With(p.X.Param, x))
			lo, hi := p.Y.raise(float64(e.Value)), p.Y.raise(float64(upper.Value))
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
