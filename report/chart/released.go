package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// releasedSD names the logits of released models.
var releasedSD = selection.Of(names.ExperimentModels, names.LogitSD, names.ParamPublished)

// atContext names those of models whose context is known.
var atContext = selection.Of(names.ExperimentModels, names.LogitSD, names.ParamPublished, names.ParamContext)

// freezingLine names the line above which rows are concentrated, over the keys of a row.
var freezingLine = selection.Of(names.ExperimentModels, names.FreezingSigma)

var logitsAtStart = plot.Axis{Label: `standard deviation $\sigma$ of a logit`, Log: true}

// concentrated is the name of a model whose rows begin concentrated, empty for others.
func concentrated(_ *result.Document, e result.Estimate) string {
	context, ok := e.Params.Number(names.ParamContext)
	if !ok || float64(e.Value) <= ConcentrationLimit(context) {
		return ""
	}
	name, _ := e.Params.Text(names.ParamPublished)
	return name
}

// released shows how large the logits of released models are at initialisation, by year, and
// beside the limit of concentration at the model's own context.
var released = figure.Chart{
	Name:    "released-models",
	Title:   `Standard deviation $\sigma$ of a logit of released models at initialisation`,
	Height:  92,
	Columns: 2,
	Panels: []plot.Panel{
		{
			Title: "by year", X: plot.Axis{Param: names.ParamYear, Label: "year of release"}, Y: logitsAtStart,
			Points: []plot.Points{{Rows: releasedSD, By: names.ParamEvidence, Bare: true}},
			Guides: plot.At(plot.Level{At: 1, Label: `$\sigma = 1$`}),
		},
		{
			Title: "at the model's own context",
			X:     plot.Axis{Param: names.ParamContext, Label: "tokens of a text, at most", Log: true}, Y: logitsAtStart,
			Points: []plot.Points{{Rows: atContext, By: names.ParamEvidence, Bare: true, Called: concentrated}},
			Lines:  []plot.Lines{{Curves: freezingLine, Label: `$\sqrt{2\,\ln n}$: concentrated above`}},
		},
	},
	Drawn:   "Each marker is one model; its error is smaller.",
	Caption: `We drew heads with the norms and the scale that the sources give. The colour shows the source of the initialisation; with a library default, who trained the model may have used another. A row with as many keys as the text has tokens is concentrated above the line. Models with an unknown context are in panel a only.`,
}
