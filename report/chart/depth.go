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

// stacks returns a chart over the layers of stacks, with the panel repeated for each architecture.
// points selects the points of a panel.
func stacks(
	name string, panel plot.Panel, points func(parts []string) plot.Points, architectures ...architecture,
) figure.Chart {
	c := figure.Chart{Name: name, Height: 74, Columns: len(architectures), Narrow: 2, Fixed: depthGrid}
	panel.X = plot.Axis{Param: names.ParamLayer, Label: names.ParamLayer}
	for _, a := range architectures {
		panel.Title, panel.Points = a.title, []plot.Points{points(a.parts)}
		c.Panels = append(c.Panels, panel)
	}
	return c
}

// depthTrace shows how far the weights are from a single key in each layer of a stack.
var depthTrace = stacks("depth-trace",
	plot.Panel{Y: plot.Axis{Label: "mean relative trace $R$", To: 1}},
	func(parts []string) plot.Points {
		return plot.Points{Rows: depth(names.RelativeTrace, parts...), By: names.ParamScale}
	},
	residualAndNorm, onlyResidual)

// depthCosine shows how similar tokens become, with residual and norm and without the
// residual. If they are the same, R is near 1 whatever the scale.
var depthCosine = stacks("depth-cosine",
	plot.Panel{
		Dodge:  true,
		Y:      plot.Axis{Label: "mean cosine between tokens"},
		Guides: plot.Levels(plot.Level{Value: 1, Label: "all tokens the same"}),
	},
	func(parts []string) plot.Points {
		return plot.Points{Rows: depth(names.TokenCosine, parts...), By: names.ParamScale}
	},
	residualAndNorm, onlyNorm, neither)

// depthVariance shows the variance of the scores in each layer: the median over stacks,
// with the band that holds 90 % of them.
var depthVariance = stacks("depth-variance",
	plot.Panel{Y: plot.Axis{Label: "variance of scores", Log: true}},
	func(parts []string) plot.Points {
		at := func(q float64) selection.Filter { return depth(names.Quantile(names.ScoreVariance, q), parts...) }
		return plot.Points{
			Rows: at(0.5), By: names.ParamScale, Lower: at(0.05), Upper: at(0.95),
			Band: "band: 90 % of stacks, markers: the median stack",
		}
	},
	residualAndNorm, onlyResidual)
