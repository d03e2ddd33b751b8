package chart

import (
	"cmp"
	"fmt"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Filters of estimates of the logits of initialisations and of released models, and of the curve of
// ConcentrationLimit.
var (
	logitSD      = selection.NewFilter(names.ExperimentInit, names.LogitSD, names.ParamInit)
	releasedSD   = selection.NewFilter(names.ExperimentModels, names.LogitSD, names.ParamPublished)
	concentrated = selection.NewFilter(names.ExperimentModels, names.FreezingSigma)

	logitAxis = plot.Axis{Label: `standard deviation $\sigma$ of a logit`, Log: true}
	sigmaOne  = plot.Guide{Value: 1, Label: `$\sigma = 1$`}
)

// initialisations shows the standard deviation of the logits of each initialisation, from the
// largest to the smallest, at one width of the model and one d_k.
var initialisations = figure.Chart{
	Name:         "initialisations",
	DirectLabels: true,
	Height:       124,
	Fixed:        selection.FixMostCommon(logitSD, names.ParamInit, names.ParamModel, names.ParamDimension),
	Panels: []plot.Panel{{
		X:                 logitAxis,
		Y:                 plot.Axis{Param: names.ParamInit, IsCategorical: true},
		CompareCategories: func(a, b result.Estimate) int { return cmp.Compare(b.Theory, a.Theory) },
		Points: []plot.PointsSpec{
			{Filter: logitSD, Label: measuredSeries, Convert: keepPositive},
			{Filter: logitSD, Label: measuredSeries, IsTheory: true, Convert: keepPositive},
		},
		Guides: plot.FixedGuides(sigmaOne, concentrationGuide(8, plot.Dashed),
			concentrationGuide(1024, plot.LongDashed)),
	}},
}

// concentrationGuide returns the guide line at ConcentrationLimit for a number of keys.
func concentrationGuide(keys float64, dash []vg.Length) plot.Guide {
	label := fmt.Sprintf("concentrated beyond: %.0f keys", keys)
	return plot.Guide{Value: ConcentrationLimit(keys), Label: label, Dash: dash}
}

// keepPositive returns an estimate and whether it is positive. Initialisations with zero queries
// have a standard deviation of 0, which a logarithmic axis cannot show.
func keepPositive(e result.Estimate) (result.Estimate, bool) { return e, e.Value > 0 }

// released shows the standard deviation of the logits of released models at initialisation. One
// panel shows it by year, and the other compares it with ConcentrationLimit for the context of the
// model.
var released = figure.Chart{
	Name:         "released-models",
	DirectLabels: true,
	Height:       92,
	Columns:      2,
	Panels: []plot.Panel{
		{
			Title:  "by year",
			X:      plot.Axis{Param: names.ParamYear, Label: "year of release"},
			Y:      logitAxis,
			Points: []plot.PointsSpec{{Filter: releasedSD, SeriesParam: names.ParamEvidence, HasNoErrors: true}},
			Guides: plot.FixedGuides(sigmaOne),
		},
		{
			Title: "at the model's own context",
			X:     plot.Axis{Param: names.ParamContext, Label: "tokens of a text, at most", Log: true},
			Y:     logitAxis,
			Points: []plot.PointsSpec{{
				Filter: releasedSD.Require(names.ParamContext), SeriesParam: names.ParamEvidence, HasNoErrors: true,
				Name: concentratedModelName,
			}},
			Lines: []plot.LinesSpec{{Curves: concentrated, Label: `$\sqrt{2\,\ln n}$: concentrated above`}},
		},
	},
}

// reachFilter selects the reach of released models, and curves of the reach over the number of keys.
var reachFilter = selection.NewFilter(names.ExperimentModels, names.Reach, names.ParamPublished)

// reachOfModels shows how much weight a key in the direction of the query gets if a norm bounds its
// logit, at the context of released models.
var reachOfModels = figure.Chart{
	Name:         "reach",
	DirectLabels: true,
	Height:       110,
	Panels: []plot.Panel{{
		X: plot.Axis{Param: names.ParamContext, Label: "keys of the row, $n$", Log: true},
		Y: plot.Axis{Label: "mean weight of the aligned key", MinUpperEnd: 1},
		Points: []plot.PointsSpec{{
			Filter: reachFilter, SeriesParam: names.ParamDimension, HasNoErrors: true, IsTheory: true,
			Name: func(_ *result.Document, e result.Estimate) string {
				name, _ := e.Params.Text(names.ParamPublished)
				return name
			},
		}},
		Lines: []plot.LinesSpec{{Curves: selection.NewFilter(names.ExperimentModels, names.Reach, names.ParamDimension),
			SeriesParam: names.ParamDimension}},
		Guides: plot.FixedGuides(plot.Guide{Value: 0.5, Dash: plot.Dashed,
			Label: "below: needs a larger scale, or $\\ln n$"}),
	}},
}

// concentratedModelName returns the name of the model of an estimate if the model's attention rows
// are concentrated at initialisation, and "" otherwise.
func concentratedModelName(_ *result.Document, e result.Estimate) string {
	context, ok := e.Params.Number(names.ParamContext)
	if !ok || float64(e.Value) <= ConcentrationLimit(context) {
		return ""
	}
	name, _ := e.Params.Text(names.ParamPublished)
	return name
}

// costFilter selects curves of the costs of a part of an attention layer.
func costFilter(quantity, part string) selection.Filter {
	return selection.NewFilter(names.ExperimentCost, quantity).Fix(names.ParamPart, part)
}

// cost shows the operations and bytes of the parts of an attention layer over the number of tokens.
var cost = figure.Chart{
	Name:         "cost",
	DirectLabels: true,
	Height:       132,
	Fixed:        fixFirstModel,
	Panels: []plot.Panel{
		costPanel("operations", "floating-point operations",
			plot.LinesSpec{Curves: costFilter(names.AttentionOperations, names.PartProducts),
				Label: "scores and output"},
			plot.LinesSpec{Curves: costFilter(names.AttentionOperations, names.PartProjections),
				Label: names.PartProjections},
			plot.LinesSpec{Curves: costFilter(names.AttentionOperations, names.PartSoftmax), Label: names.PartSoftmax}),
		costPanel("memory", "bytes",
			plot.LinesSpec{Curves: costFilter(names.AttentionBytes, names.PartScoreMatrix), Label: "all scores"},
			plot.LinesSpec{Curves: costFilter(names.AttentionBytes, names.PartCache), Label: "keys and values"},
			plot.LinesSpec{Curves: costFilter(names.AttentionBytes, names.PartScoreTiles), Label: "tiles of scores"}),
	},
}

// costPanel returns a panel of costs. A panel of operations also has the crossingGuide.
func costPanel(title, label string, lines ...plot.LinesSpec) plot.Panel {
	p := plot.Panel{
		Title: title, Lines: lines,
		X: plot.Axis{Param: names.ParamContext, Label: "tokens of the text, $n$", Log: true},
		Y: plot.Axis{Label: label, Log: true},
	}
	if lines[0].Curves.Quantity == names.AttentionOperations {
		p.Guides = crossingGuide
	}
	return p
}

// fixFirstModel fixes the first model whose costs are in the document.
func fixFirstModel(doc *result.Document) result.Params {
	products := costFilter(names.AttentionOperations, names.PartProducts)
	curves := selection.Curves(doc, products, names.ParamContext)
	if len(curves) == 0 {
		return nil
	}
	return result.Params{names.ParamPublished: curves[0].Params[names.ParamPublished]}
}

// crossingGuide returns the guide line at the crossing of two costs: the number of tokens for which
// scores and output take as many operations as the projections.
func crossingGuide(doc *result.Document, fixed result.Params) []plot.Guide {
	f := costFilter(names.AttentionCrossing, names.PartProducts).FixAll(fixed)
	for _, c := range selection.Curves(doc, f, names.ParamContext) {
		if len(c.X) > 0 && c.X[0].Present() && c.X[0] > 0 {
			tokens := float64(c.X[0])
			label := "scores cost what projections do: $n = " + digits.Short(tokens) + "$"
			return []plot.Guide{{Value: tokens, Label: label, Dash: plot.Dashed, IsVertical: true}}
		}
	}
	return nil
}
