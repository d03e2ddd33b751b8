package rows

import (
	"mcsim/sim/names"
	"mcsim/sim/names/story"
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
	grid := Commonest(Estimates(doc, Training(names.LearningRate)), []string{names.ParamSteps}, names.ParamDimension)
	if grid == nil {
		return nil
	}
	grid[names.ParamTrained] = names.TrainedQueryKey
	return grid
}

// TrainingDimension is the d_k at which training is shown: that of the declared contrasts,
// or the greatest there is.
func TrainingDimension(doc *result.Document) float64 {
	all := Numbers(Estimates(doc, Training(names.LearningRate).Within(TrainingGrid(doc))), names.ParamDimension)
	most := 0.0
	for _, d := range all {
		if d == story.Dimension {
			return d
		}
		most = max(most, d)
	}
	return most
}
