package chart

import (
	"slices"

	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
)

// depth names rows of stacks of attention layers that have these parts, of the residual and
// the norm. A part that they lack is no parameter of the row.
func depth(quantity string, parts ...string) selection.Filter {
	f := selection.Of(names.ExperimentDepth, quantity, append(parts, names.ParamLayer, names.ParamScale)...)
	for _, part := range []string{names.ParamResidual, names.ParamNorm} {
		if !slices.Contains(parts, part) {
			f.Lacks = append(f.Lacks, part)
		}
	}
	return f
}

// depthGrid is the size of the stacks of which the most rows are shown.
var depthGrid = selection.Commonest(selection.Of(names.ExperimentDepth, names.RelativeTrace), names.ParamLayer,
	names.ParamTokens, names.ParamWidth, names.ParamLayers)

// way is how the stacks of a panel are built.
type way struct {
	title string
	parts []string
}

var (
	withResidual = []way{
		{"residual and norm", []string{names.ParamResidual, names.ParamNorm}},
		{"residual alone", []string{names.ParamResidual}},
	}
	alike = []way{
		withResidual[0],
		{"norm alone", []string{names.ParamNorm}},
		{"neither residual nor norm", nil},
	}
)

// stack is what all charts of layers say of them.
const stack = " A stack is one draw of all its weights and of the tokens that enter it, with a single head and weights of variance 1/$d_k$."

// stacks is a chart over the layers of stacks, a panel for each way of building them, made
// from one.
func stacks(name, title, drawn, caption string, ways []way, of plot.Panel, points func(parts []string) plot.Points) figure.Chart {
	c := figure.Chart{Name: name, Title: title, Height: 74, Columns: len(ways), Narrow: 2, Fixed: depthGrid, Drawn: drawn, Caption: caption + stack}
	of.X = plot.Axis{Param: names.ParamLayer, Label: names.ParamLayer}
	for _, w := range ways {
		of.Title, of.Points = w.title, []plot.Points{points(w.parts)}
		c.Panels = append(c.Panels, of)
	}
	return c
}

// depthTrace shows how far the weights are from a single key in each layer of a stack.
var depthTrace = stacks("depth-trace",
	"Mean relative trace $R$ in each layer of a stack of attention layers with the residual, at initialisation",
	"Mean over rows and stacks.",
	"$R$ is 1 for uniform weights and 0 if one key has all the weight.",
	withResidual,
	plot.Panel{Y: plot.Axis{Label: "mean relative trace $R$", To: 1}},
	func(parts []string) plot.Points {
		return plot.Points{Rows: depth(names.RelativeTrace, parts...), By: names.ParamScale}
	})

// depthCosine shows how alike tokens become, with residual and norm and without the
// residual. R nears 1 where they are the same for that reason alone, whatever the scale.
var depthCosine = stacks("depth-cosine",
	"Mean cosine between tokens in each layer of a stack of attention layers, at initialisation",
	"Mean over pairs of tokens and stacks.",
	"The cosine between two tokens that enter the layer: at 1 all tokens point the same way. Equal tokens have equal scores, so that $R$ is then 1 under any scale.",
	alike,
	plot.Panel{Apart: true, Y: plot.Axis{Label: "mean cosine between tokens"}, Guides: plot.At(plot.Level{At: 1, Label: "all tokens the same"})},
	func(parts []string) plot.Points {
		return plot.Points{Rows: depth(names.TokenCosine, parts...), By: names.ParamScale}
	})

// depthVariance shows what the scores have become in each layer: the median over stacks,
// with the band that holds 90 % of them.
var depthVariance = stacks("depth-variance",
	"Score variance within a row in each layer of a stack of attention layers at initialisation, in the median stack",
	"Median stack; the band holds 90 % of stacks.",
	"The variance of the scores within a row, after their scale, on average over the rows of a layer. "+
		"A few stacks can dominate a mean over all of them, so the median is shown. Without the residual the variance vanishes as tokens become equal; those stacks are only in the tables.",
	withResidual,
	plot.Panel{Y: plot.Axis{Label: "variance of scores", Log: true}},
	func(parts []string) plot.Points {
		at := func(q float64) selection.Filter { return depth(names.Quantile(names.ScoreVariance, q), parts...) }
		return plot.Points{Rows: at(0.5), By: names.ParamScale, Lower: at(0.05), Upper: at(0.95),
			Band: "band: 90 % of stacks, markers: the median stack"}
	})
