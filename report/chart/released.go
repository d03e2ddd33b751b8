package chart

import (
	"math"

	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// releasedSD names the logits of released models.
var releasedSD = rows.Of(names.ExperimentModels, names.LogitSD, names.ParamPublished)

// atContext names those of models whose context is known.
var atContext = rows.Of(names.ExperimentModels, names.LogitSD, names.ParamPublished, names.ParamContext)

// edge names an edge of what is healthy, over the keys of a row.
func edge(quantity string) rows.Filter { return rows.Of(names.ExperimentModels, quantity) }

var logitsAtStart = plot.Axis{Label: `standard deviation $\sigma$ of a logit`, Log: true}

// outside is the name of a model whose rows do not begin healthy.
func outside(doc *result.Document, e result.Estimate) string {
	context, _ := e.Params.Number(names.ParamContext)
	for quantity, sign := range map[string]float64{names.HealthyFromSD: 1, names.HealthyToSD: -1} {
		for _, c := range rows.Curves(doc, edge(quantity), names.ParamContext) {
			for i := 1; i < len(c.X); i++ {
				from, to := float64(c.X[i-1]), float64(c.X[i])
				part := math.Log(context/from) / math.Log(to/from)
				if limit := float64(c.Y[i-1]) * math.Pow(float64(c.Y[i]/c.Y[i-1]), part); from <= context && context < to && sign*float64(e.Value) < sign*limit {
					name, _ := e.Params.Text(names.ParamPublished)
					return name
				}
			}
		}
	}
	return ""
}

// released shows how large the logits of released models are at initialisation, by year, and
// beside what is healthy at the model's own context.
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
			Points: []plot.Points{{Rows: atContext, By: names.ParamEvidence, Bare: true, Called: outside}},
			Lines: []plot.Lines{{Curves: edge(names.HealthyFromSD), Label: "healthy in between"},
				{Curves: edge(names.HealthyToSD), Label: "healthy in between"}},
		},
	},
	Drawn:   "Each marker is one model; its error is smaller.",
	Caption: `We drew heads with the norms and the scale that the sources give. The colour shows the source of the initialisation; with a library default, who trained the model may have used another. A row with as many keys as the text has tokens is healthy between the two lines. Models with an unknown context are in panel a only.`,
}
