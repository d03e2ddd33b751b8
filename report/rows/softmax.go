package rows

import (
	"cmp"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Softmax names rows of what softmax makes of scores, each query with keys of
// its own.
func Softmax(quantity string) Filter {
	return Filter{Experiment: names.ExperimentSoftmax, Quantity: quantity, Lacks: []string{names.ParamSharedKeys}}
}

// SoftmaxGrid returns the law and the number of keys that stand for all where
// one grid over d_k and the exponents must be chosen: normal, or else the first
// law, and the keys that the most d_k have.
func SoftmaxGrid(doc *result.Document) result.Params {
	return ofOneLaw(doc, scaledBy(names.ParamExponent), []string{names.ParamKeys}, names.ParamDimension)
}

// TemperatureGrid returns the law, the d_k and the number of keys that the most
// temperatures have.
func TemperatureGrid(doc *result.Document) result.Params {
	return ofOneLaw(doc, scaledBy(names.ParamTemperature), []string{names.ParamDimension, names.ParamKeys}, names.ParamTemperature)
}

// scaledBy names the rows of softmax that have a scale of that kind.
func scaledBy(param string) Filter {
	return Filter{Experiment: names.ExperimentSoftmax, Quantity: names.MaxWeight, Has: []string{names.ParamLaw, param}, Lacks: []string{names.ParamSharedKeys}}
}

// ofOneLaw fixes the law that stands for all and the named parameters: of all
// their values those with the most values along another one.
func ofOneLaw(doc *result.Document, f Filter, params []string, along string) result.Params {
	law := defaultAmong(Estimates(doc, f))
	fixed := Commonest(Estimates(doc, f.With(names.ParamLaw, law)), params, along)
	fixed[names.ParamLaw] = law
	return fixed
}

// Commonest returns the values of the named parameters, three at most, that
// stand with the most values of another one; of equals the first.
func Commonest(es []result.Estimate, params []string, along string) result.Params {
	type values [3]any
	of := func(e result.Estimate) (v values) {
		for i, name := range params {
			v[i] = e.Params[name]
		}
		return v
	}
	met := map[values]map[any]bool{}
	for _, e := range es {
		if met[of(e)] == nil {
			met[of(e)] = map[any]bool{}
		}
		met[of(e)][e.Params[along]] = true
	}
	var best values
	for _, e := range es {
		if v := of(e); len(met[v]) > len(met[best]) {
			best = v
		}
	}
	fixed := result.Params{}
	for i, name := range params {
		fixed[name] = best[i]
	}
	return fixed
}

// defaultAmong is the law that stands for all of the rows: normal, or else the first that they have.
func defaultAmong(es []result.Estimate) string {
	first := ""
	for _, e := range es {
		law, _ := e.Params.Text(names.ParamLaw)
		if law == names.LawNormal {
			return law
		}
		first = cmp.Or(first, law)
	}
	return cmp.Or(first, names.LawNormal)
}
