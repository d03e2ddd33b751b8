package chart

import (
	"slices"

	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
)

// depth selects rows of stacks of attention layers that have these parts, of the residual and
// the norm. A part that they lack is not a parameter of the row.
func depth(quantity string, parts ...string) selection.Filter {
	f := selection.Of(names.ExperimentDepth, quantity, names.ParamLayer, names.ParamScale).Having(parts...)
	for _, part := range []string{names.ParamResidual, names.ParamNorm} {
		if !slices.Contains(parts, part) {
			f.Lacks = append(f.Lacks, part)
		}
	}
	return f
}

// depthGrid fixes the size of the stacks with the most layers.
var depthGrid = selection.Commonest(selection.Of(names.ExperimentDepth, names.RelativeTrace), names.ParamLayer,
	names.ParamTokens, names.ParamWidth, names.ParamLayers)

// architecture is how the stacks of a panel are built.
type architecture struct {
	title string
	parts []string
}

var (
	residualAndNorm = architecture{"residual and norm", []string{names.ParamResidual, names.ParamNorm}}
	onlyResidual    = architecture{"residual alone", []string{names.ParamResidual}}
	onlyNorm        = architecture{"norm alone", []string{names.ParamNorm}}
	neither         = architecture{"neither residual nor norm", nil}
)

// stackCaption ends the captions of all charts of layers.
const stackCaption = ` A stack is one draw of all its weights and of the tokens that enter it, with a single head and
	weights of variance 1/$d_k$.`

// stacks completes a chart with one panel, which it repeats for each architecture over the layers of
// its stacks. points selects the points of a panel.
func stacks(c figure.Chart, points func(parts []string) plot.Points, architectures ...architecture) figure.Chart {
	c.Height, c.Columns, c.Narrow, c.Fixed = 74, len(architectures), 2, depthGrid
	c.Caption = caption(c.Caption + stackCaption)
	panel := c.Panels[0]
	panel.X = plot.Axis{Param: names.ParamLayer, Label: names.ParamLayer}
	c.Panels = nil
	for _, a := range architectures {
		panel.Title, panel.Points = a.title, []plot.Points{points(a.parts)}
		c.Panels = append(c.Panels, panel)
	}
	return c
}

// depthTrace shows how far the weights are from a single key in each layer of a stack.
var depthTrace = stacks(figure.Chart{
	Name: "depth-trace",
	Title: caption(`Mean relative trace $R$ in each layer of a stack of attention layers with the residual, at
		initialisation`),
	Panels:  []plot.Panel{{Y: plot.Axis{Label: "mean relative trace $R$", To: 1}}},
	Drawn:   "Mean over rows and stacks.",
	Caption: "$R$ is 1 for uniform weights and 0 if one key has all the weight.",
}, func(parts []string) plot.Points {
	return plot.Points{Rows: depth(names.RelativeTrace, parts...), By: names.ParamScale}
}, residualAndNorm, onlyResidual)

// depthCosine shows how similar tokens become, with residual and norm and without the
// residual. If they are the same, R is near 1 whatever the scale.
var depthCosine = stacks(figure.Chart{
	Name:  "depth-cosine",
	Title: "Mean cosine between tokens in each layer of a stack of attention layers, at initialisation",
	Panels: []plot.Panel{{
		Apart:  true,
		Y:      plot.Axis{Label: "mean cosine between tokens"},
		Guides: plot.At(plot.Level{At: 1, Label: "all tokens the same"}),
	}},
	Drawn: "Mean over pairs of tokens and stacks.",
	Caption: `The cosine between two tokens that enter the layer: at 1 all tokens point the same way. Equal tokens have
		equal scores, so that $R$ is then 1 under any scale.`,
}, func(parts []string) plot.Points {
	return plot.Points{Rows: depth(names.TokenCosine, parts...), By: names.ParamScale}
}, residualAndNorm, onlyNorm, neither)

// depthVariance shows the variance of the scores in each layer: the median over stacks,
// with the band that holds 90 % of them.
var depthVariance = stacks(figure.Chart{
	Name: "depth-variance",
	Title: caption(`Score variance within a row in each layer of a stack of attention layers at initialisation, in the
		median stack`),
	Panels: []plot.Panel{{Y: plot.Axis{Label: "variance of scores", Log: true}}},
	Drawn:  "Median stack; the band holds 90 % of stacks.",
	Caption: `The variance of the scores within a row, after their scale, on average over the rows of a layer. A few
		stacks can dominate a mean over all of them, so the median is shown. Without the residual the variance vanishes
		as tokens become equal; those stacks are only in the tables.`,
}, func(parts []string) plot.Points {
	at := func(q float64) selection.Filter { return depth(names.Quantile(names.ScoreVariance, q), parts...) }
	return plot.Points{
		Rows: at(0.5), By: names.ParamScale, Lower: at(0.05), Upper: at(0.95),
		Band: "band: 90 % of stacks, markers: the median stack",
	}
}, residualAndNorm, onlyResidual)
