package experiment

import (
	"mcsim/sim/gate"
	"mcsim/sim/names"
)

func (c Cell) Check(name, quantity string, more ...any) gate.Check {
	return gate.Check{Name: name, Expect: names.ExpectInside, Experiment: c.Experiment.Name, Cell: c.ID,
		Params: c.Params(more...), Quantity: quantity, Tolerance: c.Tolerance, Share: 1}
}
