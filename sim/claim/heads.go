package claim

import (
	"mcsim/sim/attention"
	"mcsim/sim/attention/weights"
	"mcsim/sim/names"
)

// headFunctions are the functions of a head: its initialisation and the shapes of attention.
var headFunctions = []function{
	{name: "unscaled_logit_sd", args: shapeParameters, compute: func(a Args) []Interval {
		h := initialHead(a)
		variance := h.QueryVariance() * h.KeyVariance() * a.first(names.ParamDimension, 1).Lo
		return []Interval{point(variance).within(sumError).root()}
	}},
	{name: "attention_shapes", args: tokensOf, compute: attentionShapes},
}

// sumError exceeds the rounding error of sums of a few products.
const sumError = 1e-12

// Parameters of heads.
var (
	shapeParameters = []parameter{{name: names.ParamInit, named: checkInit},
		{name: names.ParamModel, lo: 1, hi: maxDimension, whole: true}, oneDimension}
	tokens = parameter{name: names.ParamContext, lo: 2, hi: 64, whole: true}

	fewDimensions = parameter{name: names.ParamDimension, lo: 1, hi: 512, whole: true}
	tokensOf      = []parameter{tokens, fewDimensions, {name: names.ParamValueDimension, lo: 1, hi: 512, whole: true}}
)

// checkInit refuses a text that is not the name of an initialisation.
func checkInit(text string) error {
	if _, ok := weights.Lookup(text); !ok {
		return names.UnknownError{Kind: "initialisation", Name: text, Names: weights.Names()}
	}
	return nil
}

// initialHead returns the head of the initialisation that the arguments name.
func initialHead(a Args) weights.Head {
	s, _ := weights.Lookup(a.name(names.ParamInit))
	return s.Head(weights.Shape{Model: a.whole(names.ParamModel), Key: a.whole(names.ParamDimension)})
}

// attentionShapes returns the rows and columns of the weights and of the blends.
func attentionShapes(a Args) []Interval {
	n, d, valueWidth := a.whole(names.ParamContext), a.whole(names.ParamDimension), a.whole(names.ParamValueDimension)
	queries, values := attention.NewTensor(1, 1, n, d), attention.NewTensor(1, 1, n, max(valueWidth, 1))
	out, err := attention.Forward(attention.Input{Q: queries, K: queries, V: values, Scale: 1})
	if err != nil {
		panic("claim: " + err.Error())
	}
	var shape []Interval
	for _, size := range []int{out.Weights.Rows, out.Weights.Columns, out.Blend.Rows, out.Blend.Columns} {
		shape = append(shape, point(float64(size)))
	}
	return shape
}
