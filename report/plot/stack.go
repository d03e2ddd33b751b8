package plot

import (
	"mcsim/report/axis"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// Part declares the shares of one label: a part of the bar that stands at each
// x. The parts of a bar are stacked from below to above.
type Part struct {
	Rows  rows.Filter
	Grade Grade
}

// StackedBar is one bar, at one x.
type StackedBar struct {
	X     float64
	Parts []share
}

// share is the part of a bar between two heights.
type share struct {
	Grade  Grade
	Lo, Hi float64
}

// selectStack takes the shares at each x; a bar is shown where all its parts
// have a row.
func (p *Data) selectStack(parts []Part, doc *result.Document) {
	var all []result.Estimate
	for _, part := range parts {
		all = append(all, rows.Estimates(doc, part.Rows)...)
	}
	for _, x := range rows.Numbers(all, p.X.Param) {
		b, shown := StackedBar{X: x}, []result.Estimate{}
		height := 0.0
		for _, part := range parts {
			e, ok := rows.One(doc, part.Rows.With(p.X.Param, x))
			if !ok || !(e.Value >= 0 && e.Value <= 1) {
				break
			}
			b.Parts = append(b.Parts, share{part.Grade, height, min(1, height+float64(e.Value))})
			height += float64(e.Value)
			shown = append(shown, e)
		}
		if len(b.Parts) == len(parts) && axis.Holds(p.X.Log, x) {
			p.Bars = append(p.Bars, b)
			p.Shown = append(p.Shown, shown...)
		}
	}
}
