// Package all lists the experiments in the order of a document. To add one, add its variable to
// Table; see [mcsim/sim/experiment].
package all

import (
	"slices"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/floor"
	"mcsim/sim/experiment/inits"
	"mcsim/sim/experiment/precision"
	"mcsim/sim/experiment/related"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/experiment/softmax"
	"mcsim/sim/experiment/training"
	"mcsim/sim/experiment/trust"
	"mcsim/sim/names"
)

// Table lists the experiments in the order of their estimates.
var Table = []*experiment.Experiment{
	scores.Variance,
	scores.Exponents,
	softmax.Experiment,
	softmax.Freezing,
	softmax.Ranks,
	softmax.Sinks,
	precision.Experiment,
	floor.Experiment,
	related.Mismatch,
	related.Alignment,
	related.Rules,
	inits.Depth,
	inits.Experiment,
	inits.Models,
	training.Experiment,
	trust.Health,
	trust.Controls,
	trust.Calibration,
}

// Lookup returns the experiment with the given name, or a [names.UnknownError].
func Lookup(name string) (*experiment.Experiment, error) {
	known := names.Map(Table, func(e *experiment.Experiment) string { return e.Name })
	if i := slices.Index(known, name); i >= 0 {
		return Table[i], nil
	}
	return nil, names.UnknownError{Kind: "experiment", Name: name, Names: known}
}
