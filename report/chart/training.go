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

// trainingFilter selects estimates of training under a scale d_k^p. It excludes variants of the
// training, initial weights with a gain, and estimates for single learning rates.
func trainingFilter(quantity string) selection.Filter {
	f := selection.NewFilter(names.ExperimentTraining, quantity, names.ParamExponent, names.ParamOptimiser,
		names.ParamTrained)
	f.Excluded = []string{names.ParamVariant, names.ParamGain, names.ParamOctave}
	return f
}

// smallerWeightsFilter selects estimates of training without a scale and with smaller initial
// weights: they are multiplied by d_k^(−1/4), the gain.
func smallerWeightsFilter(quantity string) selection.Filter {
	f := trainingFilter(quantity)
	f.Excluded = []string{names.ParamVariant, names.ParamOctave}
	return f.Fix(names.ParamExponent, 0.0).Fix(names.ParamGain, -0.25)
}

// trainingGrid fixes the trained weights, the number of steps, and d_k. The fixed d_k is
// names.ContrastDimension if it was measured, and otherwise the largest d_k.
func trainingGrid(doc *result.Document) result.Params {
	grid := selection.FixMostCommon(trainingFilter(names.LearningRate), names.ParamDimension, names.ParamSteps)(doc)
	grid[names.ParamTrained] = names.TrainedQueryKey
	rates := selection.Estimates(doc, trainingFilter(names.LearningRate).FixAll(grid))
	dimensions := selection.NumericValues(rates, names.ParamDimension)
	if slices.Contains(dimensions, names.ContrastDimension) {
		dimensions = []float64{names.ContrastDimension}
	}
	if len(dimensions) > 0 {
		grid[names.ParamDimension] = slices.Max(dimensions)
	}
	return grid
}

// trainingRatio shows, for each scale, how many steps training takes relative to the scale 1/√d_k.
var trainingRatio = figure.Chart{
	Name: "training-ratio", Height: 62, Fixed: trainingGrid,
	Panels: []plot.Panel{{
		X:          plot.Axis{Label: `steps, relative to $1/\sqrt{d_k}$`, Log: true},
		Y:          plot.Axis{IsCategorical: true},
		CategoryOf: scaleName,
		Points: []plot.PointsSpec{
			{Filter: trainingFilter(names.StepsRatio), SeriesParam: names.ParamOptimiser, IsHollow: isBound},
			{Filter: smallerWeightsFilter(names.StepsRatio), SeriesParam: names.ParamOptimiser, IsHollow: isBound},
		},
		Guides: plot.FixedGuides(plot.Guide{Value: 1, Label: "as many steps"}),
	}},
}

// scaleName returns the name of a scale, with a remark if its initial weights are smaller.
func scaleName(e result.Estimate) string {
	p, _ := e.Params.Number(names.ParamExponent)
	name := plot.SeriesLabel(plot.SeriesID{Param: names.ParamExponent, Value: p})
	if _, hasGain := e.Params.Number(names.ParamGain); hasGain {
		name += ", smaller weights"
	}
	return name
}

// isBound reports whether a ratio of steps is only a bound. It is a bound if exactly one of its two
// scales is cut off: under this scale, at its best learning rate, the median run had not reached
// the target when it ended at the last step.
func isBound(doc *result.Document, ratio result.Estimate) bool {
	numerator, denominator := maps.Clone(ratio.Params), maps.Clone(ratio.Params)
	denominator[names.ParamExponent] = 0.5
	delete(denominator, names.ParamGain)
	isCutOff := func(p result.Params) bool {
		p[names.ParamChosen] = names.ChosenBest
		for e := range doc.Rows(names.ExperimentTraining, names.ReachedShare, p) {
			if len(e.Params) == len(p) { // the estimate has no other parameters
				return e.Value <= 0.5 // at most half of the runs reached the target
			}
		}
		return true // the document does not have the proportion
	}
	return isCutOff(numerator) != isCutOff(denominator)
}

// trainingLoss shows the loss over the steps.
var trainingLoss = figure.Chart{
	Name: "training-loss", Height: 82, Columns: 2, NarrowColumns: 2, Fixed: trainingGrid,
	Panels: names.Map([]string{names.OptimiserDescent, names.OptimiserAdam}, lossPanel),
}

func lossPanel(optimiser string) plot.Panel {
	return plot.Panel{
		Title: plot.RuleLabels[optimiser], Fixed: result.Params{names.ParamOptimiser: optimiser},
		X: plot.Axis{Param: names.ParamStep, Label: "step"},
		Y: plot.Axis{Label: "loss relative to uniform weights", Log: true},
		Points: []plot.PointsSpec{
			{Filter: trainingFilter(names.RelativeLoss), SeriesParam: names.ParamExponent, JoinMarkers: true,
				BandLabel: "interval of the median"},
		},
	}
}
