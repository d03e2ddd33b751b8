package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// optimisers are those of panels, with their titles.
var optimisers = []struct{ name, title string }{{names.OptimiserDescent, "(a) gradient descent"}, {names.OptimiserAdam, "(b) Adam"}}

// optimiserPanels is a panel for each optimiser.
func optimiserPanels(of plot.Panel) (out []plot.Panel) {
	for _, o := range optimisers {
		of.Title, of.Only = o.title, result.Params{names.ParamOptimiser: o.name}
		out = append(out, of)
	}
	return out
}

// trainingRatio shows the steps that training takes under other scales, over those under
// the square root.
var trainingRatio = figure.Chart{
	Name:    "training-ratio",
	Title:   `Steps of training over those of the same seed under $1/\sqrt{d_k}$, each at its best learning rate`,
	Height:  82,
	Columns: 2,
	Fixed:   rows.TrainingGrid,
	Panels: optimiserPanels(plot.Panel{
		X: overDimension,
		Y: plot.Axis{Label: "ratio of steps", Log: true},
		Points: []plot.Points{{Rows: rows.Training(names.StepsRatio), By: names.ParamExponent, Open: rows.IsBound},
			{Rows: rows.SmallerWeights(names.StepsRatio), Label: "$p = 0$, smaller weights", Open: rows.IsBound}},
		Guides: plot.At(plot.Level{At: 1, Label: "as many steps"}, plot.Level{At: names.ContrastLow, Dash: plot.Dashed},
			plot.Level{At: names.ContrastHigh, Label: "between them no more and no fewer, 0.8 to 1.25", Dash: plot.Dashed}),
	}),
	Caption: `Steps until the loss reaches its threshold, at most all steps of a run, over those under $1/\sqrt{d_k}$ on the same data and from the same weights, in the median of 20 seeds. ` +
		`Every scale has the learning rate that five other seeds like best. The intervals of medians are exact, and need no law of the steps. An open marker is a bound: ` +
		`half of the runs or more that the ratio is of were cut off at the last step.`,
}

// trainingGrid is the grid at the d_k that is shown.
func trainingGrid(doc *result.Document) result.Params {
	grid := rows.TrainingGrid(doc)
	if grid != nil {
		grid[names.ParamDimension] = rows.TrainingDimension(doc)
	}
	return grid
}

// trainingLoss shows the loss on the way.
var trainingLoss = figure.Chart{
	Name:    "training-loss",
	Title:   "Loss over the steps of training under each scale, each at its best learning rate",
	Height:  82,
	Columns: 2,
	Narrow:  2,
	Fixed:   trainingGrid,
	Panels: optimiserPanels(plot.Panel{
		X:      plot.Axis{Param: names.ParamStep, Label: "step"},
		Y:      plot.Axis{Label: "loss over that of even weights", Log: true},
		Points: []plot.Points{{Rows: rows.Training(names.RelativeLoss), By: names.ParamExponent, Join: true, Band: "interval of the median"}},
	}),
	Caption: "The mean square of what attention puts out less what is wanted, over what that is where all weights are the same, in the median of 20 seeds, with a band from end to end of its intervals, which are exact. " +
		"A wide band is of seeds of which some learn and others do not.",
}

// trainingRate shows the best learning rate over d_k.
var trainingRate = figure.Chart{
	Name:    "training-rate",
	Title:   "Best learning rate of $W_Q$ and $W_K$ against the dimension $d_k$ under each scale",
	Height:  82,
	Columns: 2,
	Fixed:   rows.TrainingGrid,
	Panels: optimiserPanels(plot.Panel{
		X:      overDimension,
		Y:      plot.Axis{Label: "best learning rate", Log: true},
		Points: []plot.Points{{Rows: rows.Training(names.LearningRate), By: names.ParamExponent, Join: true}},
	}),
	Caption: "The rate at which the mean loss over the run is least in the median of five seeds, of rates that are an octave apart. Bars hold what each of the five would choose alone.",
}
