package rows

import (
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Way is how the layers of a stack are built.
type Way struct{ Residual, Norm bool }

// Ways are all of them, the usual one first.
var Ways = []Way{{true, true}, {true, false}, {false, true}, {false, false}}

// Depth names rows of stacks of attention layers that are built in a way. A
// question that is answered by no is no parameter of the row.
func (w Way) Depth(quantity string) Filter {
	f := Filter{Experiment: names.ExperimentDepth, Quantity: quantity, Has: []string{names.ParamLayer, names.ParamScale}}
	for _, q := range []struct {
		name string
		yes  bool
	}{{names.ParamResidual, w.Residual}, {names.ParamNorm, w.Norm}} {
		if q.yes {
			f = f.With(q.name, names.Yes)
		} else {
			f.Lacks = append(f.Lacks, q.name)
		}
	}
	return f
}

// DepthGrid returns the size of the stacks of which the most rows are shown.
func DepthGrid(doc *result.Document) result.Params {
	return Commonest(Estimates(doc, Filter{Experiment: names.ExperimentDepth, Quantity: names.GradientSurvival}), []string{names.ParamTokens, names.ParamWidth, names.ParamLayers}, names.ParamLayer)
}
