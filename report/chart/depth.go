package chart

import (
	"fmt"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// wayNames are the titles of panels, in the order of rows.Ways.
var wayNames = []string{"(a) residual and norm", "(b) residual alone", "(c) norm alone", "(d) neither"}

// byLayer are four panels of a quantity along a stack, one for each way of
// building it.
func byLayer(quantity string, y plot.Axis) []plot.Panel {
	var out []plot.Panel
	for i, w := range rows.Ways {
		out = append(out, plot.Panel{
			Title:  wayNames[i],
			X:      plot.Axis{Param: names.ParamLayer, Label: names.ParamLayer, At: true},
			Y:      y,
			Points: []plot.Points{{Rows: w.Depth(quantity), By: names.ParamScale}},
		})
	}
	return out
}

// mediansByLayer are the same panels of the median over stacks, with the band that holds
// 90 % of them.
func mediansByLayer(quantity string, y plot.Axis) []plot.Panel {
	out := byLayer(quantity, y)
	for i, w := range rows.Ways {
		at := func(p float64) rows.Filter { return w.Depth(names.Quantile(quantity, p)) }
		out[i].Points = nil
		out[i].Quantiles = []plot.Quantiles{{Lower: at(0.05), Middle: at(0.5), Upper: at(0.95), By: names.ParamScale, Label: "median stack", Band: "90 % of stacks"}}
	}
	return out
}

// depthSurvival shows what softmax lets through in each layer of a stack.
var depthSurvival = figure.Chart{
	Name:    "depth-survival",
	Title:   "Mean gradient survival $R$ in each layer of a stack of attention layers at initialisation",
	Height:  104,
	Columns: 2,
	Fixed:   rows.DepthGrid,
	Panels:  byLayer(names.GradientSurvival, plot.Axis{Label: "mean of $R$", To: 1}),
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		return append([]string{
			"The share of the gradient at uniform weights that softmax lets through, on average over the rows of a layer and over stacks, where scores are divided by $\\sqrt{d_k}$ and where they are not.",
			"$R$ near 1 deep in a stack without the residual is no success where its tokens have become alike, and so have their scores.",
		}, stacks(d)...)
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		f := rows.Ways[0].Depth(names.GradientSurvival).Within(rows.DepthGrid(doc))
		last := rows.Largest(rows.Estimates(doc, f), names.ParamLayer)
		root, okRoot := rows.One(doc, f.With(names.ParamLayer, last).With(names.ParamScale, names.ScaleRoot))
		raw, okRaw := rows.One(doc, f.With(names.ParamLayer, last).With(names.ParamScale, names.ScaleUnscaled))
		if !okRoot || !okRaw {
			return ""
		}
		return fmt.Sprintf("In layer %s with residual and norm, $R$ is %s where scores are divided by $\\sqrt{d_k}$, and %s where they are not.",
			digits.Short(last), figure.Measured(root), figure.Measured(raw))
	},
}

// depthVariance shows what the scores have become in each layer.
var depthVariance = figure.Chart{
	Name:    "depth-variance",
	Title:   "Score variance within a row in each layer of a stack of attention layers at initialisation, in the median stack",
	Height:  104,
	Columns: 2,
	Fixed:   rows.DepthGrid,
	Panels:  mediansByLayer(names.ScoreVariance, plot.Axis{Label: "variance of scores", Log: true, From: 1e-6, To: 1e6}),
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		return append([]string{
			"The variance of the scores within a row, after their scale, on average over the rows of a layer: that of the median stack, and the band that holds 90 % of the stacks. A few stacks can make most of a mean over all, so that the median is shown.",
		}, stacks(d)...)
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		f := rows.Ways[1].Depth(names.Quantile(names.ScoreVariance, 0.5)).Within(rows.DepthGrid(doc)).With(names.ParamScale, names.ScaleRoot)
		layers := rows.Numbers(rows.Estimates(doc, f), names.ParamLayer)
		if len(layers) < 2 {
			return ""
		}
		first, last := layers[0], layers[len(layers)-1]
		a, _ := rows.One(doc, f.With(names.ParamLayer, first))
		b, _ := rows.One(doc, f.With(names.ParamLayer, last))
		return fmt.Sprintf("With the residual and without the norm, the variance of scores divided by $\\sqrt{d_k}$ is %s in the median stack in layer %s and %s in layer %s.",
			figure.Measured(a), digits.Short(first), figure.Measured(b), digits.Short(last))
	},
}

// stacks says what the bars are and what was drawn.
func stacks(d figure.Drawn) []string {
	out := []string{figure.When(d.Intervals() != "", d.Intervals()+", from whole stacks"+figure.When(d.Hidden(40), "; most are smaller than the markers")+"."), d.Unbarred()}
	tokens, ok := d.First(names.ParamTokens, names.ParamWidth).Number(names.ParamTokens)
	width, _ := d.First(names.ParamTokens, names.ParamWidth).Number(names.ParamWidth)
	return append(out, figure.When(ok, fmt.Sprintf("Stacks of %s tokens with $d_k = %s$, a single head, weights with variance 1/$d_k$.", digits.Short(tokens), digits.Short(width))))
}
