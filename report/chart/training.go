package chart

import (
	"fmt"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/names/story"
	"mcsim/sim/result"
)

// optimisers are those of panels, with their titles.
var optimisers = []struct{ name, title string }{{names.OptimiserDescent, "(a) gradient descent"}, {names.OptimiserAdam, "(b) Adam"}}

// optimiserPanels is a panel for each optimiser.
func optimiserPanels(of plot.Panel) (out []plot.Panel) {
	for _, o := range optimisers {
		p := of
		p.Title, p.Points = o.title, nil
		for _, points := range of.Points {
			points.Rows = points.Rows.With(names.ParamOptimiser, o.name)
			p.Points = append(p.Points, points)
		}
		out = append(out, p)
	}
	return out
}

// trainingRatio shows the steps that training takes under other scales, over those under
// the square root.
var trainingRatio = figure.Chart{
	Name:    "training-ratio",
	Title:   `Steps of training over those of the same seed under $1/\sqrt{d_k}$, each at its best rate of learning`,
	Height:  82,
	Columns: 2,
	Fixed:   rows.TrainingGrid,
	Panels: optimiserPanels(plot.Panel{
		X: overDimension,
		Y: plot.Axis{Label: "ratio of steps", Log: true},
		Points: []plot.Points{{Rows: rows.Training(names.StepsRatio), By: names.ParamExponent, Open: rows.IsBound},
			{Rows: rows.SmallerWeights(names.StepsRatio), Label: "$p = 0$, smaller weights", Open: rows.IsBound}},
		Shade: &plot.Between{From: story.Low, To: story.High, Label: "no more and no fewer steps, 0.8 to 1.25"},
		Level: &plot.Level{At: 1, Label: "as many steps"},
	}),
	Caption: func(figure.Drawn, figure.Text) []string {
		return []string{
			`Steps until the loss reaches its threshold, at most all steps of a run, over those under $1/\sqrt{d_k}$ on the same data and from the same weights, in the median of 20 seeds. Every scale has the rate of learning that five other seeds like best.`,
			"The intervals of medians are exact, and need no law of the steps. An open marker is a bound: half of the runs or more that the ratio is of were cut off at the last step.",
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		d := rows.TrainingDimension(doc)
		f := rows.Training(names.StepsRatio).Within(rows.TrainingGrid(doc)).With(names.ParamDimension, d).With(names.ParamExponent, 0.0)
		descent, okDescent := rows.One(doc, f.With(names.ParamOptimiser, names.OptimiserDescent))
		adam, okAdam := rows.One(doc, f.With(names.ParamOptimiser, names.OptimiserAdam))
		if !okDescent || !okAdam {
			return ""
		}
		said := func(e result.Estimate) string {
			return rows.BoundOf(doc, e).Words() + figure.Measured(e)
		}
		return fmt.Sprintf(`Without a scale, at $d_k = %s$, the ratio is %s under gradient descent and %s under Adam.`,
			digits.Short(d), said(descent), said(adam))
	},
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
	Title:   "Loss over the steps of training under each scale, each at its best rate of learning",
	Height:  82,
	Columns: 2,
	Narrow:  2,
	Fixed:   trainingGrid,
	Panels: optimiserPanels(plot.Panel{
		X:      plot.Axis{Param: names.ParamStep, Label: "step"},
		Y:      plot.Axis{Label: "loss over that of even weights", Log: true},
		Points: []plot.Points{{Rows: rows.Training(names.RelativeLoss), By: names.ParamExponent, Join: true, Band: "interval of the median"}},
	}),
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		dim, ok := d.First(names.ParamDimension).Number(names.ParamDimension)
		return []string{
			"The mean square of what attention puts out less what is wanted, over what that is where all weights are the same, in the median of 20 seeds, with a band from end to end of its intervals, which are exact. A wide band is of seeds of which some learn and others do not.",
			figure.When(ok, fmt.Sprintf("$d_k = %s$.", digits.Short(dim))),
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		grid := trainingGrid(doc)
		f := rows.Training(names.RelativeLoss).Within(grid).With(names.ParamStep, grid[names.ParamSteps]).With(names.ParamOptimiser, names.OptimiserAdam)
		raw, okRaw := rows.One(doc, f.With(names.ParamExponent, 0.0))
		root, okRoot := rows.One(doc, f.With(names.ParamExponent, 0.5))
		if !okRaw || !okRoot {
			return ""
		}
		return fmt.Sprintf(`After the last step under Adam the loss is %s times that of even weights without a scale, and %s times under $1/\sqrt{d_k}$.`, figure.Measured(raw), figure.Measured(root))
	},
}

// trainingRate shows the best rate of learning over d_k.
var trainingRate = figure.Chart{
	Name:    "training-rate",
	Title:   "Best rate of learning of $W_Q$ and $W_K$ against the dimension $d_k$ under each scale",
	Height:  82,
	Columns: 2,
	Fixed:   rows.TrainingGrid,
	Panels: optimiserPanels(plot.Panel{
		X:      overDimension,
		Y:      plot.Axis{Label: "best rate of learning", Log: true},
		Points: []plot.Points{{Rows: rows.Training(names.LearningRate), By: names.ParamExponent, Join: true}},
	}),
	Caption: func(figure.Drawn, figure.Text) []string {
		return []string{"The rate at which the mean loss over the run is least in the median of five seeds, of rates that are an octave apart. Bars hold what each of the five would choose alone."}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		f := rows.Training(names.LearningRate).Within(trainingGrid(doc)).With(names.ParamExponent, 0.5)
		descent, okDescent := rows.One(doc, f.With(names.ParamOptimiser, names.OptimiserDescent))
		adam, okAdam := rows.One(doc, f.With(names.ParamOptimiser, names.OptimiserAdam))
		if !okDescent || !okAdam {
			return ""
		}
		return fmt.Sprintf(`Under $1/\sqrt{d_k}$ at $d_k = %s$ the best rate is %s under gradient descent and %s under Adam.`,
			numberIn(descent, names.ParamDimension), figure.Measured(descent), figure.Measured(adam))
	},
}
