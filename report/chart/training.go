package chart

import (
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
