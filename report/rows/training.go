package rows

import (
	"maps"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Training names rows of a quantity of what was trained under a scale d_k^p alone: with
// neither a variant nor a gain, and not those of one rate of many.
func Training(quantity string) Filter {
	return Filter{Experiment: names.ExperimentTraining, Quantity: quantity, Has: []string{names.ParamExponent, names.ParamOptimiser, names.ParamTrained},
		Lacks: []string{names.ParamVariant, names.ParamGain, names.ParamOctave, names.ParamTests}}
}

// SmallerWeights names rows of a quantity of what was trained without a scale, from initial
// weights that are smaller by d_k^(1/4).
func SmallerWeights(quantity string) Filter {
	f := Training(quantity)
	f.Lacks = []string{names.ParamVariant, names.ParamOctave, names.ParamTests}
	return f.With(names.ParamExponent, 0.0).With(names.ParamGain, -0.25)
}

// TrainingGrid is which weights train, and in how many steps, in what a page shows first.
func TrainingGrid(doc *result.Document) result.Params {
	chosen := Estimates(doc, Training(names.LearningRate))
	if len(chosen) == 0 {
		return nil
	}
	grid := Commonest(chosen, []string{names.ParamSteps}, names.ParamDimension)
	grid[names.ParamTrained] = names.TrainedQueryKey
	return grid
}

// TrainingDimension is the d_k at which training is shown: that of the declared contrasts,
// or the greatest there is.
func TrainingDimension(doc *result.Document) float64 {
	all := Numbers(Estimates(doc, Training(names.LearningRate).Within(TrainingGrid(doc))), names.ParamDimension)
	most := 0.0
	for _, d := range all {
		if d == names.ContrastDimension {
			return d
		}
		most = max(most, d)
	}
	return most
}

// Bound says on which side of a ratio of steps runs were cut off at the last step.
type Bound int

// The bounds of a ratio.
const (
	AsMeasured Bound = iota
	AtLeast
	AtMost
)

// BoundOf tells whether the median run on one side of a ratio was cut off at the last step,
// so that the ratio is a bound.
func BoundOf(doc *result.Document, e result.Estimate) Bound {
	const half = 0.5 // of the seeds: the median run is between the two in the middle
	switch rule, root := Learnt(doc, e); {
	case rule <= half && root > half:
		return AtLeast
	case rule > half && root <= half:
		return AtMost
	}
	return AsMeasured
}

// IsBound reports whether a ratio of steps is a bound.
func IsBound(doc *result.Document, e result.Estimate) bool { return BoundOf(doc, e) != AsMeasured }

// Learnt are the shares of the seeds that learn under the rule of a ratio of steps and under
// the 1/√d_k that it is held against, each at its best rate; 0 where the document does not say.
func Learnt(doc *result.Document, ratio result.Estimate) (rule, root float64) {
	under := func(p result.Params) float64 {
		p[names.ParamChosen] = names.ChosenBest
		for e := range doc.Rows(names.ExperimentTraining, names.ReachedShare, p) {
			if len(e.Params) == len(p) {
				return float64(e.Value)
			}
		}
		return 0
	}
	own := maps.Clone(ratio.Params)
	delete(own, names.ParamTests)
	return under(own), under(comparedWith(own))
}

// comparedWith are the parameters of the rule that a rule is held against: that of the same
// task and model, or the plain one where the variant is the rule.
func comparedWith(rule result.Params) result.Params {
	p := maps.Clone(rule)
	p[names.ParamExponent] = 0.5
	delete(p, names.ParamGain)
	delete(p, names.ParamChosen)
	if variant, _ := p.Text(names.ParamVariant); variant != names.VariantCopying && variant != names.VariantTwoLayers {
		delete(p, names.ParamVariant)
	}
	return p
}
