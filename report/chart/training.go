package chart

import (
	"maps"
	"slices"

	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// training selects rows of training under a scale d_k^p: without a variant or a gain, and not those
// of one rate of many.
func training(quantity string) selection.Filter {
	f := selection.Of(names.ExperimentTraining, quantity, names.ParamExponent, names.ParamOptimiser, names.ParamTrained)
	f.Lacks = []string{names.ParamVariant, names.ParamGain, names.ParamOctave}
	return f
}

// smallerWeights selects rows of training without a scale, from initial weights that are smaller by
// d_k^(1/4).
func smallerWeights(quantity string) selection.Filter {
	f := training(quantity)
	f.Lacks = []string{names.ParamVariant, names.ParamOctave}
	return f.With(names.ParamExponent, 0.0).With(names.ParamGain, -0.25)
}

// trainingGrid fixes which weights train, in how many steps, and d_k: that of the declared contrasts,
// or the largest.
func trainingGrid(doc *result.Document) result.Params {
	grid := selection.Commonest(training(names.LearningRate), names.ParamDimension, names.ParamSteps)(doc)
	grid[names.ParamTrained] = names.TrainedQueryKey
	rates := selection.Estimates(doc, training(names.LearningRate).Within(grid))
	dimensions := selection.Numbers(rates, names.ParamDimension)
	if slices.Contains(dimensions, names.ContrastDimension) {
		dimensions = []float64{names.ContrastDimension}
	}
	if len(dimensions) > 0 {
		grid[names.ParamDimension] = slices.Max(dimensions)
	}
	return grid
}

// trainingRatio shows the steps that training takes under other scales, over those under
// the square root, at the d_k that is shown.
var trainingRatio = figure.Chart{
	Name:   "training-ratio",
	Height: 62,
	Fixed:  trainingGrid,
	Panels: []plot.Panel{{
		X:       plot.Axis{Label: `steps, relative to $1/\sqrt{d_k}$`, Log: true},
		Y:       plot.Axis{Names: true},
		RowName: comparedScale,
		Points: []plot.Points{
			{Rows: training(names.StepsRatio), By: names.ParamOptimiser, Open: isBound},
			{Rows: smallerWeights(names.StepsRatio), By: names.ParamOptimiser, Open: isBound},
		},
		Guides: plot.Levels(plot.Level{Value: 1, Label: "as many steps"}),
	}},
}

// comparedScale names a scale, and whether its weights begin smaller.
func comparedScale(e result.Estimate) string {
	p, _ := e.Params.Number(names.ParamExponent)
	name := plot.NameOf(plot.Key{By: names.ParamExponent, Value: p})
	if _, smaller := e.Params.Number(names.ParamGain); smaller {
		name += ", smaller weights"
	}
	return name
}

// isBound reports whether a ratio of steps is a bound: whether the median run was cut off at the last
// step under exactly one of the two scales, the one of the ratio and 1/√d_k, each at its best rate.
func isBound(doc *result.Document, ratio result.Estimate) bool {
	own, root := maps.Clone(ratio.Params), maps.Clone(ratio.Params)
	root[names.ParamExponent] = 0.5
	delete(root, names.ParamGain)
	isCutOff := func(p result.Params) bool {
		const half = 0.5 // of the seeds: the median run is between the two in the middle
		p[names.ParamChosen] = names.ChosenBest
		for e := range doc.Rows(names.ExperimentTraining, names.ReachedShare, p) {
			if len(e.Params) == len(p) {
				return e.Value <= half
			}
		}
		return true // the document does not say
	}
	return isCutOff(own) != isCutOff(root)
}

// trainingLoss shows the loss over the steps.
var trainingLoss = figure.Chart{
	Name:    "training-loss",
	Height:  82,
	Columns: 2,
	Narrow:  2,
	Fixed:   trainingGrid,
	Panels:  names.Map([]string{names.OptimiserDescent, names.OptimiserAdam}, lossPanel),
}

// lossPanel shows the loss under one optimiser.
func lossPanel(optimiser string) plot.Panel {
	return plot.Panel{
		Title: plot.RuleNames[optimiser], Only: result.Params{names.ParamOptimiser: optimiser},
		X: plot.Axis{Param: names.ParamStep, Label: "step"},
		Y: plot.Axis{Label: "loss relative to uniform weights", Log: true},
		Points: []plot.Points{
			{Rows: training(names.RelativeLoss), By: names.ParamExponent, Join: true, Band: "interval of the median"},
		},
	}
}
