package chart

import (
	"fmt"
	"maps"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// wayNames are the titles of panels, in the order of rows.Ways.
var wayNames = []string{"(a) residual and norm", "(b) residual alone", "(c) norm alone", "(d) neither"}

// overLayers is the axis of the layers of a stack.
var overLayers = plot.Axis{Param: names.ParamLayer, Label: names.ParamLayer, At: true}

// survivalPanels are two panels for each way of building a stack, one below the other: R,
// and the cosine between tokens, near 1 where there is nothing left to tell apart and R
// is near 1 for that reason alone.
func survivalPanels() (out []plot.Panel) {
	for i := 0; i < len(rows.Ways); i += 2 {
		for j, w := range rows.Ways[i : i+2] {
			out = append(out, plot.Panel{
				Title: wayNames[i+j], X: overLayers, Y: plot.Axis{Label: "mean of $R$", To: 1}, Share: 0.55,
				Points: []plot.Points{{Rows: w.Depth(names.GradientSurvival), By: names.ParamScale, Crossed: alike, CrossedAs: fmt.Sprintf("tokens alike, cosine above %v", alikeCosine)}},
			})
		}
		for _, w := range rows.Ways[i : i+2] {
			out = append(out, plot.Panel{
				X: overLayers, Y: plot.Axis{Label: "mean cosine", To: 1}, Share: 0.45,
				Points: []plot.Points{{Rows: w.Depth(names.TokenCosine), By: names.ParamScale}},
				Level:  &plot.Level{At: 1},
			})
		}
	}
	return out
}

// alikeCosine is the mean cosine from which tokens are called alike.
const alikeCosine = 0.9

// alike reports whether the tokens that enter the layer of a row have become alike.
func alike(doc *result.Document, e result.Estimate) bool {
	for o := range doc.Rows(e.Experiment, names.TokenCosine, e.Params) {
		if maps.Equal(o.Params, e.Params) {
			return o.Value >= alikeCosine
		}
	}
	return false
}

// variancePanels are a panel for each way: the median over stacks, with the band that
// holds 90 % of them.
func variancePanels() (out []plot.Panel) {
	for i, w := range rows.Ways {
		at := func(p float64) rows.Filter { return w.Depth(names.Quantile(names.ScoreVariance, p)) }
		out = append(out, plot.Panel{
			Title: wayNames[i], X: overLayers, Y: plot.Axis{Label: "variance of scores", Log: true},
			Quantiles: []plot.Quantiles{{Lower: at(0.05), Middle: at(0.5), Upper: at(0.95), By: names.ParamScale, Label: "median stack", Band: "90 % of stacks"}},
			Void:      "tokens alike",
		})
	}
	return out
}

// depthSurvival shows what softmax lets through in each layer of a stack.
var depthSurvival = figure.Chart{
	Name:    "depth-survival",
	Title:   "Mean gradient survival $R$, and mean cosine between tokens, in each layer of a stack of attention layers at initialisation",
	Height:  150,
	Columns: 2,
	Narrow:  2,
	Fixed:   rows.DepthGrid,
	Panels:  survivalPanels(),
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		return append([]string{
			"Of each pair of panels the upper one has the share of the gradient at uniform weights that softmax lets through, on average over the rows of a layer and over stacks; the lower one the mean cosine between two tokens that enter the layer.",
			figure.When(d.Points(func(pt plot.Point) bool { return pt.Crossed }), "Crosses stand where tokens have become alike: their scores are alike too, so that $R$ nears 1 under any scale, and nothing is left to tell apart."),
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
	Height:  112,
	Columns: 2,
	Narrow:  2,
	Fixed:   rows.DepthGrid,
	Panels:  variancePanels(),
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		return append([]string{
			"The variance of the scores within a row, after their scale, on average over the rows of a layer: that of the median stack, and the band that holds 90 % of the stacks. A few stacks can make most of a mean over all, so that the median is shown.",
			figure.When(void(d), "Where a panel ends early, the tokens have become so alike that in many stacks scores differ by the rounding of float32 alone."),
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

// void reports whether a panel ends before another.
func void(d figure.Drawn) bool {
	for _, p := range d {
		if p.Ending() < p.Xs[len(p.Xs)-1] {
			return true
		}
	}
	return false
}

// stacks says what was drawn.
func stacks(d figure.Drawn) []string {
	tokens, ok := d.First(names.ParamTokens, names.ParamWidth).Number(names.ParamTokens)
	width, _ := d.First(names.ParamTokens, names.ParamWidth).Number(names.ParamWidth)
	return []string{figure.When(ok, fmt.Sprintf("Stacks of %s tokens with $d_k = %s$, a single head, weights with variance 1/$d_k$.", digits.Short(tokens), digits.Short(width)))}
}
