package rows

import "mcsim/sim/result"

// Init names rows of initialisations of W_Q and W_K.
func Init(quantity string) Filter {
	return Filter{Experiment: "init", Quantity: quantity, Has: []string{"init"}}
}

// InitGrid returns the shape at which the most initialisations were drawn.
func InitGrid(doc *result.Document) result.Params {
	return commonest(Estimates(doc, Init("logit_sd")), []string{"d_model", "d_k"}, "init")
}

// InitShapes returns the shapes at which initialisations were drawn, the
// narrowest model first.
func InitShapes(doc *result.Document) []result.Params {
	var shapes []result.Params
	es := Estimates(doc, Init("logit_sd"))
	for _, model := range Numbers(es, "d_model") {
		of := Init("logit_sd").With("d_model", model)
		for _, key := range Numbers(Estimates(doc, of), "d_k") {
			shapes = append(shapes, result.Params{"d_model": model, "d_k": key})
		}
	}
	return shapes
}

// Alignment names rows of one aligned key among independent ones.
func Alignment(quantity string) Filter {
	return Filter{Experiment: "alignment", Quantity: quantity, Has: []string{"rho"}}
}

// AlignmentGrid returns the law and the number of keys that the most d_k have.
func AlignmentGrid(doc *result.Document) result.Params {
	return overDimensions(doc, Alignment("score_mean_square"))
}

// AlignmentEnds returns, at the largest d_k where there are several correlations,
// the rows of the smallest and of the largest.
func AlignmentEnds(doc *result.Document, f Filter) (low, high result.Estimate, ok bool) {
	dims := Numbers(Estimates(doc, f), "d_k")
	for i := len(dims) - 1; i >= 0; i-- {
		at := f.With("d_k", dims[i])
		rhos := Numbers(Estimates(doc, at), "rho")
		if len(rhos) < 2 {
			continue
		}
		low, _ = One(doc, at.With("rho", rhos[0]))
		high, _ = One(doc, at.With("rho", rhos[len(rhos)-1]))
		return low, high, true
	}
	return low, high, false
}

// MostAligned returns the row of the largest correlation below 1 at the
// largest d_k: a key that is like its query, and not the same.
func MostAligned(doc *result.Document, f Filter) (e result.Estimate, ok bool) {
	es := Estimates(doc, f)
	rhos := Numbers(es, "rho")
	for len(rhos) > 0 && rhos[len(rhos)-1] >= 1 {
		rhos = rhos[:len(rhos)-1]
	}
	if len(rhos) == 0 || rhos[len(rhos)-1] <= 0 {
		return e, false
	}
	f = f.With("rho", rhos[len(rhos)-1])
	dims := Numbers(Estimates(doc, f), "d_k")
	return One(doc, f.With("d_k", dims[len(dims)-1]))
}

// Rule names rows of rules that make a logit.
func Rule(quantity string) Filter {
	return Filter{Experiment: "rules", Quantity: quantity, Has: []string{"rule"}}
}

// RuleGrid returns the law and the number of keys that the most d_k have.
func RuleGrid(doc *result.Document) result.Params {
	return overDimensions(doc, Rule("logit_variance"))
}

// overDimensions fixes the law that stands for all and the number of keys that
// stands with the most d_k.
func overDimensions(doc *result.Document, f Filter) result.Params {
	law := defaultAmong(Names(Estimates(doc, f), "law"))
	fixed := commonest(Estimates(doc, f.With("law", law)), []string{"keys"}, "d_k")
	fixed["law"] = law
	return fixed
}

// Scheme returns what a name of an experiment's parameter stands for.
func Scheme(doc *result.Document, experiment, name string) (result.Scheme, bool) {
	for _, s := range doc.Schemes {
		if s.Experiment == experiment && s.Name == name {
			return s, true
		}
	}
	return result.Scheme{}, false
}
