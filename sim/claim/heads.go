package claim

import (
	"math"

	"mcsim/sim/attention"
	"mcsim/sim/attention/weights"
	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
)

// headFunctions are those of a head: its initialisation, and attention itself on vectors of
// a few tokens.
var headFunctions = []function{
	{name: "variance_of_component", args: shapeOf, of: func(a Args) []Interval { return []Interval{point(head(a).QueryVariance()).within(sumError)} }},
	{name: "unscaled_logit_sd", args: shapeOf, of: func(a Args) []Interval {
		h := head(a)
		return []Interval{point(h.QueryVariance() * h.KeyVariance() * a.one(names.ParamDimension, 1).Lo).within(sumError).root()}
	}},
	{name: "attention_shapes", args: tokensOf, of: attentionShapes},
	{name: "attention_difference", args: tokensOf, of: attentionDifference},
	{name: "asymmetry", args: []parameter{tokens, fewDimensions, yesOrNo("same_vectors")}, of: asymmetry},
	{name: "least_weight", args: []parameter{tokens, fewDimensions, yesOrNo("causal")}, of: leastWeight},
	{name: "score_defined", args: []parameter{{name: "d_q", lo: 1, hi: 64, whole: true}, fewDimensions}, of: scoreDefined},
}

// sumError is more than what sums of a few products are off.
const sumError = 1e-12

// Parameters of heads.
var (
	shapeOf = []parameter{{name: names.ParamInit, named: isInit}, {name: names.ParamModel, lo: 1, hi: mostDimension, whole: true}, oneDimension}
	tokens  = parameter{name: names.ParamContext, lo: 2, hi: 64, whole: true}

	fewDimensions = parameter{name: names.ParamDimension, lo: 1, hi: 512, whole: true}
	tokensOf      = []parameter{tokens, fewDimensions, {name: names.ParamValueDimension, lo: 1, hi: 512, whole: true}}
)

// isInit wants the name of an initialisation.
func isInit(text string) error {
	if _, ok := weights.Lookup(text); !ok {
		return names.UnknownError{Kind: "initialisation", Name: text, Names: weights.Names()}
	}
	return nil
}

// head is that of an initialisation.
func head(a Args) weights.Head {
	s, _ := weights.Lookup(a.name(names.ParamInit))
	return s.At(weights.Shape{Model: a.whole(names.ParamModel), Key: a.whole(names.ParamDimension)})
}

// vectors are numbers that differ from each other in no simple way: sines of whole numbers
// would, but for their bits; these are fractional parts of multiples of the golden ratio.
func vectors(rows, columns int, from float64) attention.Tensor {
	t := attention.NewTensor(1, 1, rows, columns)
	for i := range t.Data {
		x := float64((float64(i) + from) * (math.Sqrt(5) - 1) / 2)
		t.Data[i] = float64(2*(x-math.Floor(x))) - 1
	}
	return t
}

// input are queries, keys and values of some tokens.
func input(a Args) attention.Input {
	n, d, dv := a.whole(names.ParamContext), a.whole(names.ParamDimension), max(a.whole(names.ParamValueDimension), 1)
	return attention.Input{Q: vectors(n, d, 1), K: vectors(n, d, 1000), V: vectors(n, dv, 2000), Scale: 1 / math.Sqrt(float64(d))}
}

// forward computes attention of what is known to go together.
func forward(in attention.Input) attention.Output {
	out, err := attention.Forward(in)
	if err != nil {
		panic("claim: " + err.Error())
	}
	return out
}

// attentionShapes are rows and columns of the weights and of the blends.
func attentionShapes(a Args) []Interval {
	out := forward(input(a))
	return []Interval{point(float64(out.Weights.Rows)), point(float64(out.Weights.Columns)), point(float64(out.Blend.Rows)), point(float64(out.Blend.Columns))}
}

// attentionDifference holds attention against the formula, written out entry by entry.
func attentionDifference(a Args) []Interval {
	in := input(a)
	out, worst := forward(in), 0.0
	for i := range in.Q.Rows {
		terms, total := make([]float64, in.K.Rows), 0.0
		for j := range terms {
			s := 0.0
			for c, q := range in.Q.Row(0, 0, i) {
				s += float64(q * in.K.Row(0, 0, j)[c])
			}
			worst = max(worst, math.Abs(s-out.Scores.Row(0, 0, i)[j]))
			terms[j] = elementary.Exp(float64(s * in.Scale))
			total += terms[j]
		}
		for c, z := range out.Blend.Row(0, 0, i) {
			s := 0.0
			for j, t := range terms {
				s += float64(t / total * in.V.Row(0, 0, j)[c])
			}
			worst = max(worst, math.Abs(s-z))
		}
	}
	return []Interval{point(worst)}
}

// asymmetry is how far scores are from their transpose, with one set of vectors as queries
// and keys or with two.
func asymmetry(a Args) []Interval {
	in := input(a)
	if a.yes("same_vectors") {
		in.K = in.Q
	}
	scores, worst := forward(in).Scores, 0.0
	for i := range scores.Rows {
		for j := range scores.Columns {
			worst = max(worst, math.Abs(scores.Row(0, 0, i)[j]-scores.Row(0, 0, j)[i]))
		}
	}
	return []Interval{point(worst)}
}

// leastWeight is the smallest of all weights.
func leastWeight(a Args) []Interval {
	in, smallest := input(a), 1.0
	in.Mask.Causal = a.yes("causal")
	for _, w := range forward(in).Weights.Data {
		smallest = min(smallest, w)
	}
	return []Interval{point(smallest)}
}

// scoreDefined says whether attention takes queries and keys of these lengths.
func scoreDefined(a Args) []Interval {
	in := attention.Input{Q: vectors(2, a.whole("d_q"), 1), K: vectors(2, a.whole(names.ParamDimension), 1), V: vectors(2, 1, 1), Scale: 1}
	if _, err := attention.Forward(in); err != nil {
		return []Interval{point(0)}
	}
	return []Interval{point(1)}
}
