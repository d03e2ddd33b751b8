package rows

import (
	"slices"

	"mcsim/sim/result"
)

// Softmax names rows of what softmax makes of scores, each query with keys of
// its own.
func Softmax(quantity string) Filter {
	return Filter{Experiment: "softmax", Quantity: quantity, Lacks: []string{"shared_keys"}}
}

// SoftmaxGrid returns the law and the number of keys that stand for all where
// one grid over d_k and the exponents must be chosen: normal, or else the first
// law, and the keys that the most d_k have.
func SoftmaxGrid(doc *result.Document) result.Params {
	return chosen(doc, "exponent", []string{"keys"}, "d_k")
}

// TemperatureGrid returns the law, the d_k and the number of keys that the most
// temperatures have.
func TemperatureGrid(doc *result.Document) result.Params {
	return chosen(doc, "temperature", []string{"d_k", "keys"}, "temperature")
}

// chosen fixes the law and the named parameters of softmax's rows that have
// the given scale: of all their values those with the most values along the
// parameter, the first of equals.
func chosen(doc *result.Document, scale string, names []string, along string) result.Params {
	f := Softmax("max_weight")
	f.Has = []string{"law", scale}
	es := Estimates(doc, f)
	fixed := result.Params{"law": leading(Names(es, "law"))}
	es = Estimates(doc, f.With("law", fixed["law"]))
	most := 0
	best := result.Params{}
	for _, e := range es {
		at := f.With("law", fixed["law"])
		values := result.Params{}
		for _, name := range names {
			values[name] = e.Params[name]
			at = at.With(name, e.Params[name])
		}
		if n := different(Estimates(doc, at), along); n > most {
			most, best = n, values
		}
	}
	for _, name := range names {
		fixed[name] = best[name]
	}
	return fixed
}

// different counts the values of a parameter, numbers or names.
func different(es []result.Estimate, name string) int {
	return len(Numbers(es, name)) + len(Names(es, name))
}

// leading is the law that stands for all of those.
func leading(laws []string) string {
	if len(laws) == 0 || slices.Contains(laws, "normal") {
		return "normal"
	}
	return laws[0]
}
