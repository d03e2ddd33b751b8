package chart

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
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
			X:      plot.Axis{Param: "layer", Label: "layer", At: true},
			Y:      y,
			Points: []plot.Points{{Rows: w.Depth(quantity), By: "scale"}},
		})
	}
	return out
}

// depthSurvival shows what softmax lets through in each layer of a stack.
var depthSurvival = figure.Chart{
	Name:    "depth-survival",
	Title:   "Mean gradient survival $R$ in each layer of a stack of attention layers at initialisation",
	Height:  104 * vg.Millimeter,
	Columns: 2,
	Fixed:   rows.DepthGrid,
	Panels:  byLayer("gradient_survival", plot.Axis{Label: "mean of $R$", To: 1}),
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		return append([]string{
			"The share of the gradient at uniform weights that softmax lets through, on average over the rows of a layer and over stacks, where scores are divided by $\\sqrt{d_k}$ and where they are not.",
			"$R$ near 1 deep in a stack without the residual is no success: its tokens have become alike, and so have their scores.",
		}, stacks(d)...)
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		f := rows.Ways[0].Depth("gradient_survival").Within(rows.DepthGrid(doc))
		layers := rows.Numbers(rows.Estimates(doc, f), "layer")
		if len(layers) == 0 {
			return ""
		}
		last := layers[len(layers)-1]
		root, okRoot := rows.One(doc, f.With("layer", last).With("scale", "sqrt(d_k)"))
		raw, okRaw := rows.One(doc, f.With("layer", last).With("scale", "unscaled"))
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
	Title:   "Score variance within a row in each layer of a stack of attention layers at initialisation",
	Height:  104 * vg.Millimeter,
	Columns: 2,
	Fixed:   rows.DepthGrid,
	Panels:  byLayer("score_variance", plot.Axis{Label: "variance of scores", Log: true, From: 1e-6, To: 1e6}),
	Caption: func(d figure.Drawn, _ figure.Text) []string {
		return append([]string{
			"The variance of the scores within a row, after their scale, on average over the rows of a layer and over stacks, on logarithmic axes.",
		}, stacks(d)...)
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		f := rows.Ways[1].Depth("score_variance").Within(rows.DepthGrid(doc)).With("scale", "sqrt(d_k)")
		layers := rows.Numbers(rows.Estimates(doc, f), "layer")
		if len(layers) < 2 {
			return ""
		}
		first, last := layers[0], layers[len(layers)-1]
		a, _ := rows.One(doc, f.With("layer", first))
		b, _ := rows.One(doc, f.With("layer", last))
		return fmt.Sprintf("With the residual and without the norm, the variance of scores divided by $\\sqrt{d_k}$ is %s in layer %s and %s in layer %s.",
			figure.Measured(a), digits.Short(first), figure.Measured(b), digits.Short(last))
	},
}

// stacks says what the bars are and what was drawn.
func stacks(d figure.Drawn) []string {
	out := []string{figure.When(d.Intervals() != "", d.Intervals()+", from whole stacks"+figure.When(d.Hidden(40*vg.Millimeter), "; most are smaller than the markers")+"."), d.Unbarred()}
	for _, p := range d {
		for _, e := range p.Shown {
			tokens, _ := e.Params.Number("tokens")
			width, _ := e.Params.Number("width")
			return append(out, fmt.Sprintf("Stacks of %s tokens with $d_k = %s$, a single head, weights with variance 1/$d_k$.", digits.Short(tokens), digits.Short(width)))
		}
	}
	return out
}
