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

// AlignmentEnds returns, at the largest d_k where there are several correlations,
// the rows of the smallest and of the largest.
func AlignmentEnds(doc *result.Document, f Filter) (low, high result.Estimate, ok bool) {
	dims := Numbers(Estimates(doc, f), names.ParamDimension)
	for i := len(dims) - 1; i >= 0; i-- {
		at := f.With(names.ParamDimension, dims[i])
		rhos := Numbers(Estimates(doc, at), names.ParamRho)
		if len(rhos) < 2 {
			continue
		}
		low, _ = One(doc, at.With(names.ParamRho, rhos[0]))
		high, _ = One(doc, at.With(names.ParamRho, rhos[len(rhos)-1]))
		return low, high, true
	}
	return low, high, false
}

// MostAligned returns the row of the largest correlation below 1 at the
// largest d_k: a key that is like its query, and not the same.
func MostAligned(doc *result.Document, f Filter) (e result.Estimate, ok bool) {
	es := Estimates(doc, f)
	rhos := Numbers(es, names.ParamRho)
	for len(rhos) > 0 && rhos[len(rhos)-1] >= 1 {
		rhos = rhos[:len(rhos)-1]
	}
	if len(rhos) == 0 || rhos[len(rhos)-1] <= 0 {
		return e, false
	}
	f = f.With(names.ParamRho, rhos[len(rhos)-1])
	dims := Numbers(Estimates(doc, f), names.ParamDimension)
	return One(doc, f.With(names.ParamDimension, dims[len(dims)-1]))
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
	return result.Params{names.ParamLaw: defaultAmong(Names(Estimates(doc, Mismatch(names.ScaledVariance)), names.ParamLaw))}
}
