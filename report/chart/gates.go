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

// gates shows the interval of every gate relative to its band.
var gates = figure.Chart{
	Name: "gates", Height: 150,
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

// gatesPanel shows the gates with one of the given expectations, with one series for each verdict.
// A linear x axis shows positions in the bands, and a logarithmic one distances from their centres.
func gatesPanel(title string, relativeHeight float64, x plot.Axis, expects ...string) plot.Panel {
	byDistance := x.Log
	p := plot.Panel{Title: title, X: x, Y: experimentAxis, Height: relativeHeight, SpreadMarkers: true}
	for _, v := range []result.Verdict{result.Pass, result.Fail, result.Undecided} {
		spec := plot.PointsSpec{Label: string(v)}
		if v == result.Pass { // hundreds of gates pass
			spec.Colour = theme.ReferenceInk
			spec.HideMarkers = !byDistance
			if byDistance {
				spec.Label = "pass, outside the band"
			}
		}
		spec.MakeMarks = func(doc *result.Document, _ result.Params) (marks []plot.Mark) {
			for _, g := range doc.Gates {
				if g.Verdict != v || !slices.Contains(expects, g.Expect) {
					continue
				}
				if e, ok := bandEstimate(g, byDistance); ok {
					marks = append(marks, plot.Mark{Estimate: selection.GateEstimate(doc, g), Converted: e})
				}
			}
			return marks
		}
		p.Points = append(p.Points, spec)
	}
	ends := []plot.Guide{{Value: 1, Label: "end of the band", Dash: plot.Dashed}}
	if !byDistance {
		ends = append(ends, plot.Guide{Value: -1, Dash: plot.Dashed}, plot.Guide{Value: 0})
	}
	p.Guides = plot.FixedGuides(ends...)
	return p
}

// The ends of the axes of gates, for positions in the band (±maxPosition) and distances from its
// centre.
const maxPosition, minDistance, maxDistance = 1.5, 0.5, 1e4

// bandEstimate returns the interval of a gate relative to its band: 0 is the centre of the band,
// and ±1 are its ends. If byDistance is true, the numbers are absolute distances from the centre.
// Numbers beyond the end of the axis are set to the end. ok is false if the chart cannot show the
// gate.
func bandEstimate(g result.Gate, byDistance bool) (e result.Estimate, ok bool) {
	bandLo, bandHi := float64(g.Band[0]), float64(g.Band[1])
	switch g.Expect { // the other end of a proportion's band is 0 or 1
	case names.ExpectAtLeast:
		bandHi = 1
	case names.ExpectAtMost:
		bandLo = 0
	}
	middle, halfWidth := bandLo+(bandHi-bandLo)/2, (bandHi-bandLo)/2
	lo, hi := (float64(g.Lo)-middle)/halfWidth, (float64(g.Hi)-middle)/halfWidth
	axisLo, axisHi := -maxPosition, maxPosition
	if byDistance {
		lo, hi = max(0, lo, -hi), max(-lo, hi)
		axisLo, axisHi = minDistance, maxDistance
	}
	lo, hi = min(max(lo, axisLo), axisHi), min(max(hi, axisLo), axisHi)
	e.Params = result.Params{names.ParamOfExperiment: g.Experiment}
	e.Value, e.Lo, e.Hi = result.Number((lo+hi)/2), result.Number(lo), result.Number(hi)
	isOfDocument := g.Experiment == names.ExperimentAgreement // its band is not a tolerance of an estimate
	return e, !isOfDocument && halfWidth > 0 && !math.IsInf(halfWidth, 0) && !math.IsNaN(lo+hi)
}

// zScores shows one marker for each cell, by experiment. The marker shows the distance from theory
// of one estimate of the cell. This estimate was chosen before anything was sampled.
var zScores = figure.Chart{
	Name: "z-scores", Height: 110,
	Panels: []plot.Panel{{
		X:             plot.Axis{Label: "distance from theory in standard errors, $z$"},
		Y:             experimentAxis,
		Points:        []plot.PointsSpec{{Filter: agreementFilter(names.ZScore), Label: "one cell", HasNoErrors: true}},
		Guides:        zGuides,
		SpreadMarkers: true,
	}},
}

// agreementFilter selects estimates of the experiment agreement, which judges the document as a
// whole.
func agreementFilter(quantity string) selection.Filter {
	return selection.NewFilter(names.ExperimentAgreement, quantity)
}

// zGuides returns guide lines at 0, at the limits for a single marker, and at the limits for all
// markers together.
func zGuides(doc *result.Document, _ result.Params) []plot.Guide {
	guides := []plot.Guide{{Value: 0, Label: "theory"}}
	addLimits := func(f selection.Filter, guide plot.Guide) {
		if e, ok := selection.FindEstimate(doc, f); ok {
			low, high := guide, guide
			low.Value, high.Value = -float64(e.Value), float64(e.Value)
			guides = append(guides, low, high)
		}
	}
	limit := agreementFilter(names.ZLimit)
	addLimits(limit.Fix(names.ParamTests, 1.0),
		plot.Guide{Label: "5 % of markers may lie outside", Dash: plot.Dashed})
	addLimits(limit.Fix(names.ParamTest, names.TestJoint),
		plot.Guide{Label: "5 % of runs may have a marker outside", Dash: plot.LongDashed})
	return guides
}
