package plot

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/axis"
	"mcsim/report/rows"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// Ribbon is a band between two quantiles.
type Ribbon struct {
	Label string
	Style theme.SeriesStyle
	Inner bool
	At    []Limits
}

// Fill is the colour of the band, and Dash that of its borders: the inner of
// two bands is darker and has whole borders.
func (r Ribbon) Fill() color.NRGBA {
	k := theme.Translucent(r.Style.Colour)
	if r.Inner {
		k.A += k.A / 2
	}
	return k
}

// Dash is that of the band's borders.
func (r Ribbon) Dash() []vg.Length {
	if r.Inner {
		return nil
	}
	return r.Style.Dash
}

// selectQuantiles takes the band and its points; a band needs both ends at
// two x, or it is left out.
func (p *Data) selectQuantiles(spec Quantiles, doc *result.Document, keys []Key) {
	if spec.Middle.Quantity != "" {
		p.selectPoints(Points{Rows: spec.Middle, By: spec.By, Label: spec.Label}, doc, keys)
	}
	for i, k := range keys {
		if !k.Chosen(spec.By, spec.Label) {
			continue
		}
		r := Ribbon{Label: spec.Band, Style: StyleOf(keys, i), Inner: spec.Inner}
		for _, e := range rows.Estimates(doc, k.Only(spec.Lower)) {
			x, ok := e.Params.Number(p.X.Param)
			upper, both := rows.One(doc, k.Only(spec.Upper).With(p.X.Param, x))
			lo, hi := p.Y.raise(float64(e.Value)), p.Y.raise(float64(upper.Value))
			if ok && both && axis.Holds(p.X.Log, x) && axis.Holds(p.Y.Log, lo) && axis.Holds(p.Y.Log, hi) {
				r.At = append(r.At, Limits{x, lo, hi})
				p.Shown = append(p.Shown, e, upper)
			}
		}
		slices.SortStableFunc(r.At, func(a, b Limits) int { return cmp.Compare(a.X, b.X) })
		if len(r.At) > 1 {
			p.Ribbons = append(p.Ribbons, r)
		}
	}
}
