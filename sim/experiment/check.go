package experiment

import (
	"mcsim/sim/gate"
	"mcsim/sim/names"
)

// Joined is the gate of that name on a quantity that the cell, a point, says of many
// together: within their tolerance of what it should be. Its standard error is the row's
// own; se is what it will be for so many units of each.
func (c Cell) Joined(name, quantity string, want float64, of []Cell, se func(of []Cell, n []int64) float64, more ...any) gate.Check {
	c.Tolerance = of[0].Tolerance
	k := c.Check(name, quantity, more...)
	for _, joined := range of {
		k.Of = append(k.Of, joined.ID)
	}
	k.JoinedSE = func(n []int64) float64 { return se(of, n) }
	k.At = gate.Near(want, k.Tolerance, nil)
	return k
}

// Check begins the gate of that name on a quantity of the cell, at its point with
// further params: an estimate inside the band, on all of the cell's units. What the
// band is, At, the caller adds.
func (c Cell) Check(name, quantity string, more ...any) gate.Check {
	return gate.Check{Name: name, Expect: names.ExpectInside, Experiment: c.Experiment.Name, Cell: c.ID,
		Params: c.Params(more...), Quantity: quantity, Tolerance: c.Tolerance, Share: 1}
}
