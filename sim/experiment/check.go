package experiment

import (
	"mcsim/sim/gate"
	"mcsim/sim/names"
)

// Check begins the gate of that name on a quantity of the cell, at its point with
// further params: an estimate inside the band, on all of the cell's units. What the
// band is, At, the caller adds.
func (c Cell) Check(name, quantity string, more ...any) gate.Check {
	return gate.Check{Name: name, Expect: names.ExpectInside, Experiment: c.Experiment.Name, Cell: c.ID,
		Params: c.Params(more...), Quantity: quantity, Tolerance: c.Tolerance, Share: 1}
}
