package figure

import (
	"math"

	"mcsim/report/rows"
	"mcsim/sim/result"
)

// infinite is the name that stands for a parameter without bound.
const infinite = "infinite"

// setLimits finds where the limits of the x axis stand: two octaves beyond the
// outermost values.
func (p *plotted) setLimits(doc *result.Document) {
	p.limits = [2]float64{math.NaN(), math.NaN()}
	if !p.X.Limits {
		return
	}
	least, most := math.Inf(1), 0.0
	zero, beyond := false, false
	for _, spec := range p.Points {
		for _, e := range rows.Estimates(doc, spec.of(doc)) {
			x, ok := e.Params.Number(p.X.Param)
			name, _ := e.Params.Text(p.X.Param)
			zero, beyond = zero || ok && x == 0, beyond || name == infinite
			if ok && x > 0 {
				least, most = min(least, x), max(most, x)
			}
		}
	}
	if most == 0 { // nothing between them
		least, most = 1, 1
	}
	if zero && least/4 > 0 {
		p.limits[0] = least / 4
	}
	if beyond && most < math.MaxFloat64/4 {
		p.limits[1] = most * 4
	}
}

// placeOf is where a row stands on the x axis.
func (p *plotted) placeOf(e result.Estimate) (float64, bool) {
	x, ok := e.Params.Number(p.X.Param)
	if !p.X.Limits {
		return x, ok
	}
	name, named := e.Params.Text(p.X.Param)
	switch {
	case ok && x == 0:
		return p.limits[0], !math.IsNaN(p.limits[0])
	case named && name == infinite:
		return p.limits[1], !math.IsNaN(p.limits[1])
	}
	return x, ok
}

// limitTicks marks the limits, and between them what the axis else has.
func (d *drawing) limitTicks(p plotted, most int) []tick {
	var between []float64
	for _, x := range p.xs {
		if x != p.limits[0] && x != p.limits[1] {
			between = append(between, x)
		}
	}
	var ts []tick
	if !math.IsNaN(p.limits[0]) {
		ts = append(ts, tick{p.limits[0], "0"})
	}
	if len(between) > 0 {
		within := scale{true, between[0], between[len(between)-1]}
		if within.lo == within.hi {
			ts = append(ts, tick{within.lo, short(within.lo)})
		} else {
			ts = append(ts, logTicks(within, max(most-2, 2), between)...)
		}
	}
	if !math.IsNaN(p.limits[1]) {
		ts = append(ts, tick{p.limits[1], `$\infty$`})
	}
	return ts
}
