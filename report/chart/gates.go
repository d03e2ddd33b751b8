package chart

import (
	"math"
	"slices"

	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// gates shows the interval of every gate in its band.
var gates = figure.Chart{
	Name:   "gates",
	Title:  "The interval of every gate on the scale of its band, by experiment",
	Height: 150,
	Panels: []plot.Panel{
		gatesPanel("must lie inside the band", 0.78,
			plot.Axis{Label: "place in the band, whose ends are at −1 and 1"}, names.ExpectInside),
		gatesPanel("must not lie beyond the declared end", 0.14,
			plot.Axis{Label: "place in the band, of which one end is declared"}, names.ExpectAtLeast, names.ExpectAtMost),
		gatesPanel("must lie outside the band", 0.14,
			plot.Axis{Label: "distance from the middle of the band in half-widths", Log: true}, names.ExpectOutside),
	},
	Drawn: "A line for each gate, drawn so that its band runs from $-1$ to $1$.",
	Caption: "Each line is the interval that one gate holds against its band. Those of one experiment are sorted by where they lie. " +
		"Some gates limit a share on one side only. Their band runs from the declared limit to 0 or to 1, and they pass unless the whole interval lies beyond that limit. " +
		"What lies beyond the axis is drawn at its end. Gates without an interval are not drawn.",
}

// gatesPanel shows the gates that expect one of these, each verdict as a series.
func gatesPanel(title string, share float64, x plot.Axis, expects ...string) plot.Panel {
	away := x.Log
	experiments := plot.Axis{Param: names.ParamOfExperiment, Names: true}
	p := plot.Panel{Title: title, X: x, Y: experiments, Share: share, Spread: true}
	for _, v := range []result.Verdict{result.Pass, result.Fail, result.Undecided} {
		spec := plot.Points{
			Label: string(v), Unmarked: v == result.Pass && !away,
			From: func(doc *result.Document, _ result.Params) (marks []plot.Mark) {
				for _, g := range doc.Gates {
					if e, ok := inBand(g, away); ok && g.Verdict == v && slices.Contains(expects, g.Expect) {
						marks = append(marks, plot.Mark{Row: selection.OfGate(doc, g), Shown: e})
					}
				}
				return marks
			},
		}
		if v == result.Pass { // quiet, where there are hundreds
			spec.Colour = theme.Quiet
		}
		if v == result.Pass && away {
			spec.Label = "pass, outside the band"
		}
		p.Points = append(p.Points, spec)
	}
	ends := []plot.Level{{At: 1, Label: "end of the band", Dash: plot.Dashed}}
	if !away {
		ends = append(ends, plot.Level{At: -1, Dash: plot.Dashed}, plot.Level{At: 0})
	}
	p.Guides = plot.At(ends...)
	return p
}

// The ends of the axes of gates. Whatever lies farther out stands at the end.
const beyondBand, nearestAway, farthestAway = 1.5, 0.5, 1e4

// inBand puts the interval of a gate on the scale of its band, or where only how far away it is
// matters, to whichever side; ok is false where gate or band have no ends.
func inBand(g result.Gate, away bool) (e result.Estimate, ok bool) {
	from, to := float64(g.Band[0]), float64(g.Band[1])
	// What is declared of a share has one end; the other is that of all shares.
	switch g.Expect {
	case names.ExpectAtLeast:
		to = 1
	case names.ExpectAtMost:
		from = 0
	}
	middle, half := from+(to-from)/2, (to-from)/2
	lo, hi, nearest, farthest := (float64(g.Lo)-middle)/half, (float64(g.Hi)-middle)/half, -beyondBand, beyondBand
	if away {
		near := max(0, lo, -hi)
		lo, hi, nearest, farthest = near, max(-lo, hi), nearestAway, farthestAway
	}
	lo, hi = min(max(lo, nearest), farthest), min(max(hi, nearest), farthest)
	e.Params = result.Params{names.ParamOfExperiment: g.Experiment}
	e.Value, e.Lo, e.Hi = result.Number((lo+hi)/2), result.Number(lo), result.Number(hi)
	tolerant := g.Experiment != names.ExperimentAgreement // whose gate has no tolerance, and so no band to be seen in
	return e, tolerant && half > 0 && !math.IsInf(half, 0) && !math.IsNaN(lo+hi)
}
