package rows

import (
	"slices"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Cost names lines that count a part of an attention layer.
func Cost(quantity, part string) Filter {
	return Filter{Experiment: names.ExperimentCost, Quantity: quantity}.With(names.ParamPart, part)
}

// CostModels lists the models whose layers are counted: the parameters of their lines but
// for the part.
func CostModels(doc *result.Document) (models []result.Params) {
	var named []string
	for _, c := range doc.Curves {
		name, ok := c.Params.Text(names.ParamPublished)
		if c.Experiment != names.ExperimentCost || !ok || slices.Contains(named, name) {
			continue
		}
		named = append(named, name)
		model := result.Params{}
		for _, p := range []string{names.ParamPublished, names.ParamModel, names.ParamDimension, names.ParamHeads, names.ParamKeyHeads} {
			if v, ok := c.Params[p]; ok {
				model[p] = v
			}
		}
		models = append(models, model)
	}
	return models
}

// CostLine is the line of counts that f names.
func CostLine(doc *result.Document, f Filter) (result.Curve, bool) {
	for _, c := range Curves(doc, f, names.ParamContext) {
		if n := min(len(c.X), len(c.Y)); n > 0 {
			c.X, c.Y = c.X[:n], c.Y[:n]
			return c, true
		}
	}
	return result.Curve{}, false
}
