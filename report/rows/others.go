package rows

import (
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Init names rows of initialisations of W_Q and W_K.
func Init(quantity string) Filter {
	return Filter{Experiment: names.ExperimentInit, Quantity: quantity, Has: []string{names.ParamInit}}
}

// InitGrid returns the shape at which the most initialisations were drawn.
func InitGrid(doc *result.Document) result.Params {
	return Commonest(Estimates(doc, Init(names.LogitSD)), []string{names.ParamModel, names.ParamDimension}, names.ParamInit)
}

// Alignment names rows of one aligned key among independent ones.
func Alignment(quantity string) Filter {
	return Filter{Experiment: names.ExperimentAlignment, Quantity: quantity, Has: []string{names.ParamRho}}
}

// AlignmentGrid returns the law and the number of keys that the most d_k have.
func AlignmentGrid(doc *result.Document) result.Params {
	return ofOneLaw(doc, Alignment(names.ScoreMeanSquare), []string{names.ParamKeys}, names.ParamDimension)
}

// Rule names rows of rules that make a logit.
func Rule(quantity string) Filter {
	return Filter{Experiment: names.ExperimentRules, Quantity: quantity, Has: []string{names.ParamRule}}
}

// RuleGrid returns the law and the number of keys that the most d_k have.
func RuleGrid(doc *result.Document) result.Params {
	return ofOneLaw(doc, Rule(names.LogitVariance), []string{names.ParamKeys}, names.ParamDimension)
}

// Mismatch names rows of components that are not as assumed.
func Mismatch(quantity string) Filter {
	return Filter{Experiment: names.ExperimentMismatch, Quantity: quantity}
}

// MismatchGrid returns the law of which components are shown that are not as assumed.
func MismatchGrid(doc *result.Document) result.Params {
	return result.Params{names.ParamLaw: defaultAmong(Estimates(doc, Mismatch(names.ScaledVariance)))}
}
