package chart

import (
	"cmp"
	"fmt"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/report/theme"
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
	Name: "initialisations", Height: 124,
	Fixed: selection.FixMostCommon(logitSD, names.ParamInit, names.ParamModel, names.ParamDimension),
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
	label := fmt.Sprintf("%.0f keys", keys)
	return plot.Guide{Value: ConcentrationLimit(keys), Label: label, Dash: dash}
}

// keepPositive returns an estimate and whether it is positive. Initialisations with zero queries
// have a standard deviation of 0, which a logarithmic axis cannot show.
func keepPositive(e result.Estimate) (result.Estimate, bool) { return e, e.Value > 0 }

// released shows the standard deviation of the logits of released models at initialisation, and
// compares it with ConcentrationLimit for the context of the model.
var released = figure.Chart{
	Name: "released-models", Height: 104,
	Panels: []plot.Panel{{
		X: plot.Axis{Param: names.ParamContext, Label: "context: tokens of a text, at most", Log: true},
		Y: logitAxis,
		Points: []plot.PointsSpec{{
			Filter: releasedSD.Require(names.ParamContext), Colour: theme.NeutralColour(3), HasNoErrors: true,
			IsHollow: isLibraryDefault, Name: famousName,
		}},
		Lines: []plot.LinesSpec{{Curves: concentrated, Label: `$\sqrt{2\,\ln n}$`,
			BelowLabel: "spread"}},
		Guides: plot.FixedGuides(sigmaOne),
	}},
}

// isLibraryDefault reports whether the initialisation of a model is the default of a library, since
// those who trained the model did not publish theirs.
func isLibraryDefault(_ *result.Document, e result.Estimate) bool {
	evidence, _ := e.Params.Text(names.ParamEvidence)
	return evidence == names.EvidenceLibrary
}

// famousModels maps the models that the chart names to their labels.
var famousModels = map[string]string{
	"bert-base": "BERT", "t5-base": "T5", "gpt-2-small": "GPT-2", "gpt-3": "GPT-3", "gpt-j-6b": "GPT-J",
	"opt-125m": "OPT-125M", "bloom-1b3": "BLOOM-1.3B", "clip-text": "CLIP", "swin-b-stage-1": "Swin",
	"llama-2-70b": "Llama-2 70B", "llama-3-8b": "Llama-3 8B", "llama-3.1-405b": "Llama-3.1 405B",
	"mistral-large-2407": "Mistral Large", "gemma-3n-e4b": "Gemma-3n", "gemma-4-31b": "Gemma-4",
	"granite-3.1-2b": "Granite-3.1", "gpt-oss-120b": "gpt-oss", "deepseek-v4-flash": "DeepSeek-V4",
	"qwen3-8b": "Qwen3", "gemma-3-27b": "Gemma-3 27B", "glm-4.5": "GLM-4.5",
	"llama-4-scout-nope-layers": "Llama-4 Scout",
}

func famousName(_ *result.Document, e result.Estimate) string {
	name, _ := e.Params.Text(names.ParamPublished)
	return famousModels[name]
}

// reachModels maps models that only the chart of the reach names to their labels.
var reachModels = map[string]string{
	"nanochat-2026-07": "nanochat", "llama-4-scout-rope-layers": "Llama-4 Scout", "apertus-8b": "Apertus",
	"gemma-3-4b": "Gemma-3 4B", "qwen3.5-397b-a17b": "Qwen3-Next, Qwen3.5",
}

func nameInReach(doc *result.Document, e result.Estimate) string {
	name, _ := e.Params.Text(names.ParamPublished)
	return cmp.Or(reachModels[name], famousName(doc, e))
}

// reachFilter selects the reach of released models, and curves of the reach over the number of
// keys.
var reachFilter = selection.NewFilter(names.ExperimentModels, names.Reach, names.ParamPublished)

// reachOfModels shows how much weight a key in the direction of the query gets if a norm bounds its
// logit, at the context of released models.
var reachOfModels = figure.Chart{
	Name: "reach", Height: 110,
	Panels: []plot.Panel{{
		X: plot.Axis{Param: names.ParamContext, Label: "keys of the row, $n$", Log: true},
		Y: plot.Axis{Label: "mean weight of the aligned key", MinUpperEnd: 1},
		Points: []plot.PointsSpec{{
			Filter: reachFilter, SeriesParam: names.ParamDimension, HasNoErrors: true, IsTheory: true,
			Name: nameInReach,
		}},
		Lines: []plot.LinesSpec{{Curves: selection.NewFilter(names.ExperimentModels, names.Reach, names.ParamDimension),
			SeriesParam: names.ParamDimension}},
		Guides: plot.FixedGuides(plot.Guide{Value: 0.5, Dash: plot.Dashed,
			Label: "below: needs a larger scale, or $\\ln n$"}),
	}},
}

// costFilter selects curves of the costs of a part of an attention layer.
func costFilter(quantity, part string) selection.Filter {
	return selection.NewFilter(names.ExperimentCost, quantity).Fix(names.ParamPart, part)
}

// cost shows the operations and bytes of the parts of an attention layer over the number of tokens.
var cost = figure.Chart{
	Name: "cost", Height: 132, Fixed: fixFirstModel,
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
