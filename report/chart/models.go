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

// Rows of the logits of initialisations and of released models, and the line above which rows are
// concentrated, over the keys of a row.
var (
	logitSD      = selection.Of(names.ExperimentInit, names.LogitSD, names.ParamInit)
	releasedSD   = selection.Of(names.ExperimentModels, names.LogitSD, names.ParamPublished)
	concentrated = selection.Of(names.ExperimentModels, names.FreezingSigma)

	ofLogits = plot.Axis{Label: `standard deviation $\sigma$ of a logit`, Log: true}
	sigmaOne = plot.Level{Value: 1, Label: `$\sigma = 1$`}
)

// initialisations shows the logits that the initialisations of one shape give,
// from the largest to the smallest.
var initialisations = figure.Chart{
	Name:   "initialisations",
	Height: 124,
	Fixed:  selection.Commonest(logitSD, names.ParamInit, names.ParamModel, names.ParamDimension),
	Panels: []plot.Panel{{
		X:     ofLogits,
		Y:     plot.Axis{Param: names.ParamInit, Names: true},
		Order: func(a, b result.Estimate) int { return cmp.Compare(b.Theory, a.Theory) },
		Points: []plot.Points{
			{Rows: logitSD, Label: measuredSeries, Convert: positive},
			{Rows: logitSD, Label: measuredSeries, Theory: true, Convert: positive},
		},
		Guides: plot.Levels(sigmaOne, concentrationLevel(8, plot.Dashed), concentrationLevel(1024, plot.LongDashed)),
	}},
}

// concentrationLevel is the line at the limit of concentration.
func concentrationLevel(keys float64, dash []vg.Length) plot.Level {
	label := fmt.Sprintf("concentrated beyond: %.0f keys", keys)
	return plot.Level{Value: ConcentrationLimit(keys), Label: label, Dash: dash}
}

// positive drops rows that a logarithmic axis cannot show: of queries that begin at zero.
func positive(e result.Estimate) (result.Estimate, bool) { return e, e.Value > 0 }

// released shows how large the logits of released models are at initialisation, by year, and
// next to the limit of concentration at the model's own context.
var released = figure.Chart{
	Name:    "released-models",
	Height:  92,
	Columns: 2,
	Panels: []plot.Panel{
		{
			Title:  "by year",
			X:      plot.Axis{Param: names.ParamYear, Label: "year of release"},
			Y:      ofLogits,
			Points: []plot.Points{{Rows: releasedSD, By: names.ParamEvidence, Bare: true}},
			Guides: plot.Levels(sigmaOne),
		},
		{
			Title: "at the model's own context",
			X:     plot.Axis{Param: names.ParamContext, Label: "tokens of a text, at most", Log: true},
			Y:     ofLogits,
			Points: []plot.Points{{
				Rows: releasedSD.Having(names.ParamContext), By: names.ParamEvidence, Bare: true,
				Name: ifConcentrated,
			}},
			Lines: []plot.Lines{{Curves: concentrated, Label: `$\sqrt{2\,\ln n}$: concentrated above`}},
		},
	},
}

// ifConcentrated returns the name of a model whose rows begin concentrated, and nothing for others.
func ifConcentrated(_ *result.Document, e result.Estimate) string {
	context, ok := e.Params.Number(names.ParamContext)
	if !ok || float64(e.Value) <= ConcentrationLimit(context) {
		return ""
	}
	name, _ := e.Params.Text(names.ParamPublished)
	return name
}

// counted selects lines of the costs of a part of an attention layer.
func counted(quantity, part string) selection.Filter {
	return selection.Of(names.ExperimentCost, quantity).With(names.ParamPart, part)
}

// cost shows the operations and bytes of the parts of one layer of attention, over the length of a
// text.
var cost = figure.Chart{
	Name:   "cost",
	Height: 132,
	Fixed:  firstModel,
	Panels: []plot.Panel{
		costPanel("operations", "floating-point operations",
			plot.Lines{Curves: counted(names.AttentionOperations, names.PartProducts), Label: "scores and output"},
			plot.Lines{Curves: counted(names.AttentionOperations, names.PartProjections), Label: names.PartProjections},
			plot.Lines{Curves: counted(names.AttentionOperations, names.PartSoftmax), Label: names.PartSoftmax}),
		costPanel("memory", "bytes",
			plot.Lines{Curves: counted(names.AttentionBytes, names.PartScoreMatrix), Label: "all scores"},
			plot.Lines{Curves: counted(names.AttentionBytes, names.PartCache), Label: "keys and values"},
			plot.Lines{Curves: counted(names.AttentionBytes, names.PartScoreTiles), Label: "tiles of scores"}),
	},
}

// costPanel shows lines of costs; the first panel has the crossing of operations.
func costPanel(title, label string, lines ...plot.Lines) plot.Panel {
	p := plot.Panel{
		Title: title, Lines: lines,
		X: plot.Axis{Param: names.ParamContext, Label: "tokens of the text, $n$", Log: true},
		Y: plot.Axis{Label: label, Log: true},
	}
	if lines[0].Curves.Quantity == names.AttentionOperations {
		p.Guides = crossing
	}
	return p
}

// firstModel fixes the first of the models whose layers are counted.
func firstModel(doc *result.Document) result.Params {
	products := counted(names.AttentionOperations, names.PartProducts)
	for _, c := range selection.Curves(doc, products, names.ParamContext) {
		return result.Params{names.ParamPublished: c.Params[names.ParamPublished]}
	}
	return nil
}

// crossing is the number of tokens at which scores and output take as many operations as the
// projections.
func crossing(doc *result.Document, fixed result.Params) []plot.Level {
	f := counted(names.AttentionCrossing, names.PartProducts).Within(fixed)
	for _, c := range selection.Curves(doc, f, names.ParamContext) {
		if len(c.X) > 0 && c.X[0].Present() && c.X[0] > 0 {
			tokens := float64(c.X[0])
			label := "scores cost what projections do: $n = " + digits.Short(tokens) + "$"
			return []plot.Level{{Value: tokens, Label: label, Dash: plot.Dashed, Upright: true}}
		}
	}
	return nil
}
