package chart

import (
	"slices"

	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
)

// depthFilter selects estimates of stacks of attention layers that have exactly the given parts.
// The possible parts are names.ParamResidual and names.ParamNorm. The estimates of a stack have a
// parameter for each part of the stack.
func depthFilter(quantity string, parts ...string) selection.Filter {
	f := selection.NewFilter(names.ExperimentDepth, quantity, names.ParamLayer, names.ParamScale).Require(parts...)
	for _, part := range []string{names.ParamResidual, names.ParamNorm} {
		if !slices.Contains(parts, part) {
			f.Excluded = append(f.Excluded, part)
		}
	}
	return f
}

// depthGrid fixes the number of tokens, the width and the number of layers of the stacks, so that
// estimates for as many layers as possible are shown.
var depthGrid = selection.FixMostCommon(selection.NewFilter(names.ExperimentDepth, names.RelativeTrace),
	names.ParamLayer, names.ParamTokens, names.ParamWidth, names.ParamLayers)

// architecture is the set of parts that the stacks of a panel have.
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

// newStacksChart returns a chart with one panel for each architecture, in which x is the layer of a
// stack. The function points declares the points of a panel for the parts of its architecture.
func newStacksChart(
	name string, panel plot.Panel, points func(parts []string) plot.PointsSpec, architectures ...architecture,
) figure.Chart {
	c := figure.Chart{Name: name, Height: 74, Columns: len(architectures),
		NarrowColumns: 2, Fixed: depthGrid}
	panel.X = plot.Axis{Param: names.ParamLayer, Label: names.ParamLayer}
	for _, a := range architectures {
		panel.Title, panel.Points = a.title, []plot.PointsSpec{points(a.parts)}
		c.Panels = append(c.Panels, panel)
	}
	return c
}

// depthTrace shows the mean relative trace R in each layer of a stack. R is 0 if a single key has
// all the weight.
var depthTrace = newStacksChart("depth-trace",
	plot.Panel{Y: plot.Axis{Label: "mean relative trace $R$", MinUpperEnd: 1}},
	func(parts []string) plot.PointsSpec {
		return plot.PointsSpec{Filter: depthFilter(names.RelativeTrace, parts...), SeriesParam: names.ParamScale}
	},
	residualAndNorm, onlyResidual)

// depthCosine shows the mean cosine between tokens in each layer of a stack. If the cosine is 1,
// all tokens are the same, and the relative trace is near 1 under every scale.
var depthCosine = newStacksChart("depth-cosine",
	plot.Panel{
		DodgeMarkers: true,
		Y:            plot.Axis{Label: "mean cosine between tokens"},
		Guides:       plot.FixedGuides(plot.Guide{Value: 1, Label: "all tokens the same"}),
	},
	func(parts []string) plot.PointsSpec {
		return plot.PointsSpec{Filter: depthFilter(names.TokenCosine, parts...), SeriesParam: names.ParamScale}
	},
	residualAndNorm, onlyNorm, neither)

// depthVariance shows the variance of the scores in each layer: the median over stacks, and a band
// that contains 90 % of the stacks.
var depthVariance = newStacksChart("depth-variance",
	plot.Panel{Y: plot.Axis{Label: "variance of scores", Log: true}},
	func(parts []string) plot.PointsSpec {
		quantile := func(p float64) selection.Filter {
			return depthFilter(names.Quantile(names.ScoreVariance, p), parts...)
		}
		return plot.PointsSpec{
			Filter: quantile(0.5), SeriesParam: names.ParamScale, Lower: quantile(0.05), Upper: quantile(0.95),
			BandLabel: "90 % of stacks",
		}
	},
	residualAndNorm, onlyResidual)
