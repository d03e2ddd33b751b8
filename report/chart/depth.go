package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
)

// withResidual is how many of rows.Ways have the residual: the first ones.
const withResidual = 2

// stack is what all charts of layers say of them.
const stack = " A stack is one draw of all its weights and of the tokens that enter it, with a single head and weights of variance 1/$d_k$."

// stacks is a chart of two panels over the layers of stacks, made from one for each way
// of building them.
func stacks(name, title, caption string, ways []rows.Way, titles [2]string, of plot.Panel,
	points func(w rows.Way) plot.Points) figure.Chart {
	c := figure.Chart{Name: name, Title: title, Height: 74, Columns: 2, Narrow: 2, Fixed: rows.DepthGrid, Caption: caption + stack}
	of.X = plot.Axis{Param: names.ParamLayer, Label: names.ParamLayer}
	for i, w := range ways {
		p := of
		p.Title, p.Points = titles[i], []plot.Points{points(w)}
		c.Panels = append(c.Panels, p)
	}
	return c
}

// Titles of the panels, in the order of rows.Ways.
var (
	residualTitles = [2]string{"(a) residual and norm", "(b) residual alone"}
	alikeTitles    = [2]string{"(a) norm alone", "(b) neither residual nor norm"}
)

// depthSurvival shows what softmax lets through in each layer of a stack.
var depthSurvival = stacks("depth-survival",
	"Mean gradient survival $R$ in each layer of a stack of attention layers with the residual, at initialisation",
	"The share of the gradient at uniform weights that softmax lets through, on average over the rows of a layer and over stacks.",
	rows.Ways[:withResidual], residualTitles,
	plot.Panel{Y: plot.Axis{Label: "mean gradient survival $R$", To: 1}},
	func(w rows.Way) plot.Points {
		return plot.Points{Rows: w.Depth(names.GradientSurvival), By: names.ParamScale}
	})

// depthCosine shows how alike tokens become where there is no residual. R nears 1 there
// for that reason alone, whatever the scale.
var depthCosine = stacks("depth-cosine",
	"Mean cosine between tokens in each layer of a stack of attention layers without the residual, at initialisation",
	"The cosine between two tokens that enter the layer, on average over pairs and over stacks: at 1 all tokens point the same way. Equal tokens have equal scores, so that $R$ is 1 there whatever the scale, and says nothing of it.",
	rows.Ways[withResidual:], alikeTitles,
	plot.Panel{Y: plot.Axis{Label: "mean cosine between tokens"}, Guides: plot.At(plot.Level{At: 1, Label: "all tokens the same"})},
	func(w rows.Way) plot.Points {
		return plot.Points{Rows: w.Depth(names.TokenCosine), By: names.ParamScale}
	})

// depthVariance shows what the scores have become in each layer: the median over stacks,
// with the band that holds 90 % of them.
var depthVariance = stacks("depth-variance",
	"Score variance within a row in each layer of a stack of attention layers at initialisation, in the median stack",
	"The variance of the scores within a row, after their scale, on average over the rows of a layer: that of the median stack, and the range that holds 90 % of the stacks. "+
		"A few stacks can make most of a mean over all, so that the median is shown. Without the residual the variance vanishes where tokens become equal: for those stacks it is in the tables alone.",
	rows.Ways[:withResidual], residualTitles,
	plot.Panel{Y: plot.Axis{Label: "variance of scores", Log: true}},
	func(w rows.Way) plot.Points {
		at := func(q float64) rows.Filter { return w.Depth(names.Quantile(names.ScoreVariance, q)) }
		return plot.Points{Rows: at(0.5), By: names.ParamScale, Lower: at(0.05), Upper: at(0.95),
			Band: "band: 90 % of stacks, markers: the median stack"}
	})
