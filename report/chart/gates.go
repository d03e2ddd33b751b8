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
	Height: 150,
	Panels: []plot.Panel{
		gatesPanel("must lie inside the band", 0.78,
			plot.Axis{Label: "place in the band, whose ends are at −1 and 1"}, names.ExpectInside),
		gatesPanel("must not lie beyond the declared end", 0.14,
			plot.Axis{Label: "place in the band, of which one end is declared"},
			names.ExpectAtLeast, names.ExpectAtMost),
		gatesPanel("must lie outside the band", 0.14,
			plot.Axis{Label: "distance from the middle of the band in half-widths", Log: true}, names.ExpectOutside),
	},
}

// gatesPanel shows the gates that expect one of these, each verdict as a series.
func gatesPanel(title string, share float64, x plot.Axis, expects ...string) plot.Panel {
	byDistance := x.Log
	p := plot.Panel{Title: title, X: x, Y: ofExperiments, Share: share, Spread: true}
	for _, v := range []result.Verdict{result.Pass, result.Fail, result.Undecided} {
		spec := plot.Points{Label: string(v)}
		if v == result.Pass { // hundreds
			spec.Colour = theme.ReferenceInk
			spec.Unmarked = !byDistance
			if byDistance {
				spec.Label = "pass, outside the band"
			}
		}
		spec.Marks = func(doc *result.Document, _ result.Params) (marks []plot.Mark) {
			for _, g := range doc.Gates {
				if e, ok := inBand(g, byDistance); ok && g.Verdict == v && slices.Contains(expects, g.Expect) {
					marks = append(marks, plot.Mark{Row: selection.OfGate(doc, g), Shown: e})
				}
			}
			return marks
		}
		p.Points = append(p.Points, spec)
	}
	ends := []plot.Level{{Value: 1, Label: "end of the band", Dash: plot.Dashed}}
	if !byDistance {
		ends = append(ends, plot.Level{Value: -1, Dash: plot.Dashed}, plot.Level{Value: 0})
	}
	p.Guides = plot.Levels(ends...)
	return p
}

// The ends of the axes of gates: of places in the band, and of distances from its middle.
const maxPlace, minDistance, maxDistance = 1.5, 0.5, 1e4

// inBand puts the interval of a gate on the scale of its band, or its distance from the middle to
// either side. Numbers beyond the axis are at its end. ok is false if the gate or its band has no
// ends.
func inBand(g result.Gate, byDistance bool) (e result.Estimate, ok bool) {
	from, to := float64(g.Band[0]), float64(g.Band[1])
	switch g.Expect { // a share with one declared end; the other is that of all shares
	case names.ExpectAtLeast:
		to = 1
	case names.ExpectAtMost:
		from = 0
	}
	middle, halfWidth := from+(to-from)/2, (to-from)/2
	lo, hi := (float64(g.Lo)-middle)/halfWidth, (float64(g.Hi)-middle)/halfWidth
	lowest, highest := -maxPlace, maxPlace
	if byDistance {
		lo, hi = max(0, lo, -hi), max(-lo, hi)
		lowest, highest = minDistance, maxDistance
	}
	lo, hi = min(max(lo, lowest), highest), min(max(hi, lowest), highest)
	e.Params = result.Params{names.ParamOfExperiment: g.Experiment}
	e.Value, e.Lo, e.Hi = result.Number((lo+hi)/2), result.Number(lo), result.Number(hi)
	hasTolerance := g.Experiment != names.ExperimentAgreement
	return e, hasTolerance && halfWidth > 0 && !math.IsInf(halfWidth, 0) && !math.IsNaN(lo+hi)
}

// zScores is a strip for each experiment: one mark a cell, at the distance of a number
// from theory that was chosen before anything was drawn.
var zScores = figure.Chart{
	Name:   "z-scores",
	Height: 110,
	Panels: []plot.Panel{{
		X:      plot.Axis{Label: "distance from theory in standard errors, $z$"},
		Y:      ofExperiments,
		Points: []plot.Points{{Rows: agreement(names.ZScore), Label: "one cell", Bare: true}},
		Guides: zLimits,
		Spread: true,
	}},
}

// agreement selects rows that judge the document as a whole.
func agreement(quantity string) selection.Filter {
	return selection.Of(names.ExperimentAgreement, quantity)
}

// zLimits are theory, and on either side the limits for one mark and for all.
func zLimits(doc *result.Document, _ result.Params) []plot.Level {
	levels := []plot.Level{{Value: 0, Label: "theory"}}
	add := func(f selection.Filter, level plot.Level) {
		if e, ok := selection.One(doc, f); ok {
			low, high := level, level
			low.Value, high.Value = -float64(e.Value), float64(e.Value)
			levels = append(levels, low, high)
		}
	}
	limit := agreement(names.ZLimit)
	add(limit.With(names.ParamTests, 1.0),
		plot.Level{Label: "5 % of markers may lie outside", Dash: plot.Dashed})
	add(limit.With(names.ParamTest, names.TestJoint),
		plot.Level{Label: "5 % of runs may have a marker outside", Dash: plot.LongDashed})
	return levels
}
