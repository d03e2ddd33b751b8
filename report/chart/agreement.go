package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// zScores is a strip for each experiment: one mark a cell, at the distance of a number
// from theory that was chosen before anything was drawn.
var zScores = figure.Chart{
	Name:   "z-scores",
	Title:  "Distance from theory in standard errors, of one number for each cell, by experiment",
	Height: 110,
	Panels: []plot.Panel{{
		X:      plot.Axis{Label: "distance from theory in standard errors, $z$"},
		Y:      plot.Axis{Param: names.ParamOfExperiment, Names: true},
		Points: []plot.Points{{Rows: agreement(names.ZScore), Label: "one cell", Bare: true}},
		Guides: zLimits,
		Spread: true,
	}},
	Drawn: "A marker for each cell, sorted.",
	Caption: "The distance $z$ from theory, in standard errors, of one number of each cell. We chose the number before anything was drawn. " +
		"If theory and errors are right, 95 % of markers lie between the inner lines, and all of them between the outer lines in at least 95 % of runs.",
}

// agreement names rows that judge the document as a whole.
func agreement(quantity string) selection.Filter {
	return selection.Filter{Experiment: names.ExperimentAgreement, Quantity: quantity}
}

// zLimits are theory, and to either side the limits for one mark and for all.
func zLimits(doc *result.Document, _ result.Params) []plot.Level {
	levels := []plot.Level{{At: 0, Label: "theory"}}
	limit := agreement(names.ZLimit)
	for _, of := range []struct {
		rows selection.Filter
		look plot.Level
	}{
		{limit.With(names.ParamTests, 1.0), plot.Level{Label: "5 % of markers may lie outside", Dash: plot.Dashed}},
		{limit.With(names.ParamTest, names.TestJoint), plot.Level{Label: "5 % of runs may have a marker outside", Dash: plot.LongDashed}},
	} {
		if e, ok := selection.One(doc, of.rows); ok {
			low, high := of.look, of.look
			low.At, high.At = -float64(e.Value), float64(e.Value)
			levels = append(levels, low, high)
		}
	}
	return levels
}
