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

// wayNames are the titles of panels with the residual, in the order of rows.Ways.
var wayNames = []string{"(a) residual and norm", "(b) residual alone"}

// alikeNames are those of the ways without the residual.
var alikeNames = []string{"(a) norm alone", "(b) neither residual nor norm"}

// withResidual is how many of rows.Ways have the residual: the first ones.
const withResidual = 2

// overLayers is the axis of the layers of a stack.
var overLayers = plot.Axis{Param: names.ParamLayer, Label: names.ParamLayer, At: true}

// survivalPanels are a panel of R for each way of building a stack with the residual.
func survivalPanels() (out []plot.Panel) {
	for i, w := range rows.Ways[:withResidual] {
		out = append(out, plot.Panel{
			Title: wayNames[i], X: overLayers, Y: plot.Axis{Label: "mean gradient survival $R$", To: 1},
			Points: []plot.Points{{Rows: w.Depth(names.GradientSurvival), By: names.ParamScale}},
		})
	}
	return out
}

// cosinePanels are a panel of the cosine between tokens for each way without the residual.
// There tokens become alike, and R nears 1 for that reason alone, whatever the scale.
func cosinePanels() (out []plot.Panel) {
	for i, w := range rows.Ways[withResidual:] {
		out = append(out, plot.Panel{
			Title: alikeNames[i], X: overLayers, Y: plot.Axis{Label: "mean cosine between tokens"},
			Points: []plot.Points{{Rows: w.Depth(names.TokenCosine), By: names.ParamScale}},
			Level:  &plot.Level{At: 1, Label: "all tokens the same"},
		})
	}
	return out
}

// variancePanels are a panel for each way with the residual: the median over stacks, with
// the band that holds 90 % of them.
func variancePanels() (out []plot.Panel) {
	for i, w := range rows.Ways[:withResidual] {
		at := func(p float64) rows.Filter { return w.Depth(names.Quantile(names.ScoreVariance, p)) }
		out = append(out, plot.Panel{
			Title: wayNames[i], X: overLayers, Y: plot.Axis{Label: "variance of scores", Log: true},
			Quantiles: []plot.Quantiles{{Lower: at(0.05), Middle: at(0.5), Upper: at(0.95), By: names.ParamScale, Label: "median stack", Band: "band: 90 % of stacks, markers: the median stack"}},
		})
	}
	return out
}

// depthSurvival shows what softmax lets through in each layer of a stack.
var depthSurvival = figure.Chart{
	Name:    "depth-survival",
	Title:   "Mean gradient survival $R$ in each layer of a stack of attention layers with the residual, at initialisation",
	Height:  74,
	Columns: 2,
	Narrow:  2,
	Fixed:   rows.DepthGrid,
	Panels:  survivalPanels(),
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		return append([]string{"The share of the gradient at uniform weights that softmax lets through, on average over the rows of a layer and over stacks."}, stacks(d)...)
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

// depthCosine shows how alike tokens become where there is no residual.
var depthCosine = figure.Chart{
	Name:    "depth-cosine",
	Title:   "Mean cosine between tokens in each layer of a stack of attention layers without the residual, at initialisation",
	Height:  74,
	Columns: 2,
	Narrow:  2,
	Fixed:   rows.DepthGrid,
	Panels:  cosinePanels(),
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		return append([]string{
			"The cosine between two tokens that enter the layer, on average over pairs and over stacks: at 1 all tokens point the same way. Equal tokens have equal scores, so that $R$ is 1 there whatever the scale, and says nothing of it.",
		}, stacks(d)...)
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		f := rows.Ways[withResidual].Depth(names.TokenCosine).Within(rows.DepthGrid(doc)).With(names.ParamScale, names.ScaleRoot)
		layers := rows.Numbers(rows.Estimates(doc, f), names.ParamLayer)
		if len(layers) < 2 {
			return ""
		}
		e, ok := rows.One(doc, f.With(names.ParamLayer, layers[min(2, len(layers)-1)]))
		if !ok {
			return ""
		}
		return fmt.Sprintf("With the norm alone and scores divided by $\\sqrt{d_k}$, the mean cosine between two tokens that enter layer %s is %s.",
			numberIn(e, names.ParamLayer), figure.Measured(e))
	},
}

// depthVariance shows what the scores have become in each layer.
var depthVariance = figure.Chart{
	Name:    "depth-variance",
	Title:   "Score variance within a row in each layer of a stack of attention layers at initialisation, in the median stack",
	Height:  74,
	Columns: 2,
	Narrow:  2,
	Fixed:   rows.DepthGrid,
	Panels:  variancePanels(),
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		return append([]string{
			"The variance of the scores within a row, after their scale, on average over the rows of a layer: that of the median stack, and the range that holds 90 % of the stacks. A few stacks can make most of a mean over all, so that the median is shown.",
			"Without the residual the variance vanishes where tokens become equal: for those stacks it is in the tables alone.",
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

// stacks says what was drawn.
func stacks(d figure.Drawn) []string {
	tokens, ok := d.First(names.ParamTokens, names.ParamWidth).Number(names.ParamTokens)
	width, _ := d.First(names.ParamTokens, names.ParamWidth).Number(names.ParamWidth)
	return []string{figure.When(ok, fmt.Sprintf("A stack is one draw of all its weights and of the tokens that enter it: %s tokens with $d_k = %s$, a single head, weights with variance 1/$d_k$.", digits.Short(tokens), digits.Short(width)))}
}
