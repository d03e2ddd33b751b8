package plot

import (
	"math"
	"slices"

	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// SetLimits finds where the limits of the x axis stand: two octaves beyond the
// outermost values.
func (p *Data) SetLimits(doc *result.Document) {
	p.LimitsAt = [2]float64{math.NaN(), math.NaN()}
	if !p.X.Limits {
		return
	}
	least, most := math.Inf(1), 0.0
	zero, beyond := false, false
	for _, spec := range p.Points {
		for _, e := range rows.Estimates(doc, spec.Of(doc)) {
			x, ok := e.Params.Number(p.X.Param)
			name, _ := e.Params.Text(p.X.Param)
			zero, beyond = zero || ok && x == 0, beyond || name == names.TemperatureInfinite
			if ok && x > 0 {
				least, most = min(least, x), max(most, x)
			}
		}
	}
	if most == 0 { // nothing between them
		least, most = 1, 1
	}
	if zero && least/4 > 0 {
		p.LimitsAt[0] = least / 4
	}
	if beyond && most < math.MaxFloat64/4 {
		p.LimitsAt[1] = most * 4
	}
}

// limit reports whether a limit of the axis stands there.
func (p *Data) limit(x float64) bool {
	return p.X.Limits && (x == p.LimitsAt[0] || x == p.LimitsAt[1])
}

// Between are the x of the points that are no limits of the axis.
func (p *Data) Between() []float64 {
	return slices.DeleteFunc(slices.Clone(p.Xs), p.limit)
}

// placeOf is where a row stands on the x axis.
func (p *Data) placeOf(e result.Estimate) (float64, bool) {
	x, ok := e.Params.Number(p.X.Param)
	if !p.X.Limits {
		return x, ok
	}
	name, named := e.Params.Text(p.X.Param)
	switch {
	case ok && x == 0:
		return p.LimitsAt[0], !math.IsNaN(p.LimitsAt[0])
	case named && name == names.TemperatureInfinite:
		return p.LimitsAt[1], !math.IsNaN(p.LimitsAt[1])
	}
	return x, ok
}
