package experiment

import (
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
)

// Joined returns the gate of that name on a quantity of the cell, an aggregate, that several cells give
// together: within their tolerance of its expected value. Its standard error is that of the
// estimate; se returns what it will be for the given units of each.
func (c Cell) Joined(
	name, quantity string, expected float64, cells []Cell, se func(cells []Cell, units []int64) float64,
	more ...result.Params,
) gate.Check {
	c.Tolerance = cells[0].Tolerance
	k := c.Within(name, quantity, expected, c.Tolerance, nil, more...)
	k.Cells = names.Map(cells, func(joined Cell) string { return joined.ID })
	k.JoinedSE = func(units []int64) float64 { return se(cells, units) }
	return k
}

// Within returns the gate of that name that requires |estimate − expected| ≤ halfWidth. The exact
// standard error is se, or nil if only the estimate's own is known.
func (c Cell) Within(
	name, quantity string, expected, halfWidth float64, se func(n int64) float64, more ...result.Params,
) gate.Check {
	k := c.Check(name, quantity, more...)
	k.Expected = gate.ExpectWithin(expected, halfWidth, se)
	return k
}

// VarianceWithin returns the gate of that name that requires a variance within the relative tolerance
// of its expected value. Its error grows in proportion to it.
func (c Cell) VarianceWithin(
	name, quantity string, expected, skew float64, se func(n int64) float64,
) gate.Check {
	k := c.Within(name, quantity, expected, c.Tolerance*expected, se)
	k.Skew, k.EdgeSERatio = skew, gate.VarianceEdgeSERatio(c.Tolerance)
	return k
}

// Check begins the gate of that name on a quantity of the cell, with further parameters: the estimate
// must be inside the band, on all units of the cell. The caller adds the band, At.
func (c Cell) Check(name, quantity string, more ...result.Params) gate.Check {
	return gate.Check{Name: name, Expect: names.ExpectInside, Experiment: c.Experiment.Name, Cell: c.ID,
		Params: c.Params(more...), Quantity: quantity, Tolerance: c.Tolerance, NumbersPerUnit: 1}
}
