package claim

import (
	"mcsim/sim/attention"
	"mcsim/sim/attention/weights"
	"mcsim/sim/names"
)

// headFunctions compute properties of a head: the standard deviation of its logits at
// initialisation, and the shapes of its matrices.
var headFunctions = []function{
	{name: "unscaled_logit_sd", parameters: initParameters, compute: func(a Args) []Interval {
		h := initialHead(a)
		variance := h.QueryVariance() * h.KeyVariance() * a.number(names.ParamDimension, 1).Lo
		return []Interval{point(variance).widenRelative(sumError).sqrt()}
	}},
	{name: "attention_shapes", parameters: attentionParameters, compute: attentionShapes},
}

// sumError is an upper bound of the relative rounding error of sums of a few products.
const sumError = 1e-12

// Parameters of heads.
var (
	initParameters = []parameter{{name: names.ParamInit, checkName: checkInit},
		{name: names.ParamModel, minValue: 1, maxValue: maxDimension, isInteger: true}, dimensionParameter}
	contextParameter = parameter{name: names.ParamContext, minValue: 2, maxValue: 64, isInteger: true}

	smallDimension      = parameter{name: names.ParamDimension, minValue: 1, maxValue: 512, isInteger: true}
	attentionParameters = []parameter{contextParameter, smallDimension,
		{name: names.ParamValueDimension, minValue: 1, maxValue: 512, isInteger: true}}
)

// checkInit refuses a text that is not the name of an initialisation.
func checkInit(text string) error {
	if _, ok := weights.Lookup(text); !ok {
		return names.UnknownError{Kind: "initialisation", Name: text, Names: weights.Names()}
	}
	return nil
}

func initialHead(a Args) weights.Head {
	scheme, _ := weights.Lookup(a.text(names.ParamInit))
	return scheme.Head(weights.Shape{Model: a.integer(names.ParamModel), Key: a.integer(names.ParamDimension)})
}

// attentionShapes returns the rows and columns of the weights and of the blends.
func attentionShapes(a Args) []Interval {
	n, d, valueWidth := a.integer(names.ParamContext), a.integer(names.ParamDimension),
		a.integer(names.ParamValueDimension)
	queries, values := attention.NewTensor(1, 1, n, d), attention.NewTensor(1, 1, n, max(valueWidth, 1))
	output, err := attention.Forward(attention.Input{Q: queries, K: queries, V: values, Scale: 1})
	if err != nil {
		panic("claim: " + err.Error())
	}
	var shape []Interval
	for _, size := range []int{output.Weights.Rows, output.Weights.Columns, output.Blend.Rows, output.Blend.Columns} {
		shape = append(shape, point(float64(size)))
	}
	return shape
}
