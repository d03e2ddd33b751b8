package experiment

import (
	"mcsim/sim/names"
	"mcsim/sim/statistics/gate"
)

// Joined is the gate of that name on a quantity that the cell, a point, says of many
// together: within their tolerance of what it should be. Its standard error is the row's
// own; se is what it will be for so many units of each.
func (c Cell) Joined(name, quantity string, want float64, of []Cell, se func(of []Cell, n []int64) float64, more ...any) gate.Check {
	c.Tolerance = of[0].Tolerance
	k := c.Within(name, quantity, want, c.Tolerance, nil, more...)
	k.Of = names.Each(of, func(joined Cell) string { return joined.ID })
	k.JoinedSE = func(n []int64) float64 { return se(of, n) }
	return k
}

// Within is the gate of that name that a quantity of the cell is within half of what it should
// be; se is its exact standard error, nil where only the row's own is known.
func (c Cell) Within(name, quantity string, want, half float64, se func(n int64) float64, more ...any) gate.Check {
	k := c.Check(name, quantity, more...)
	k.At = gate.Near(want, half, se)
	return k
}

// VarianceWithin is the gate of that name that a variance is within the tolerance, relatively,
// of what it should be. Its error grows in proportion to it.
func (c Cell) VarianceWithin(name, quantity string, want, skew float64, se func(n int64) float64) gate.Check {
	k := c.Within(name, quantity, want, c.Tolerance*want, se)
	k.Skew, k.Edge = skew, gate.EdgeOfVariance(c.Tolerance)
	return k
}

// Check begins the gate of that name on a quantity of the cell, at its point with
// further params: an estimate inside the band, on all of the cell's units. What the
// band is, At, the caller adds.
func (c Cell) Check(name, quantity string, more ...any) gate.Check {
	return gate.Check{Name: name, Expect: names.ExpectInside, Experiment: c.Experiment.Name, Cell: c.ID,
		Params: c.Params(more...), Quantity: quantity, Tolerance: c.Tolerance, Share: 1}
}
