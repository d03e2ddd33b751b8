package experiment

import (
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
)

// NewJointCheck returns the named gate on a quantity that several cells give together: it must be
// within their tolerance of its expected value. c is the aggregate of the cells. se predicts the
// standard error of the estimate for the given units of each cell.
func (c Cell) NewJointCheck(
	name, quantity string, expected float64, cells []Cell, se func(cells []Cell, units []int64) float64,
	extra ...result.Params,
) gate.Check {
	c.Tolerance = cells[0].Tolerance
	k := c.NewCheckWithin(name, quantity, expected, c.Tolerance, nil, extra...)
	k.Cells = names.Map(cells, func(joined Cell) string { return joined.ID })
	k.JoinedSE = func(units []int64) float64 { return se(cells, units) }
	return k
}

// NewCheckWithin returns the named gate that requires |estimate − expected| ≤ halfWidth. se is the
// exact standard error, or nil if only the estimate's own is known.
func (c Cell) NewCheckWithin(
	name, quantity string, expected, halfWidth float64, se func(n int64) float64, extra ...result.Params,
) gate.Check {
	k := c.NewCheck(name, quantity, extra...)
	k.Expected = gate.ExpectWithin(expected, halfWidth, se)
	return k
}

// NewVarianceCheck returns the named gate that requires a variance within the relative tolerance of
// its expected value. Its standard error is proportional to the variance.
func (c Cell) NewVarianceCheck(
	name, quantity string, expected, skew float64, se func(n int64) float64,
) gate.Check {
	k := c.NewCheckWithin(name, quantity, expected, c.Tolerance*expected, se)
	k.Skew, k.EdgeSERatio = skew, gate.VarianceEdgeSERatio(c.Tolerance)
	return k
}

// NewCheck begins the named gate that requires a quantity of the cell to be inside a band. The
// caller sets Expected, which gives the band.
func (c Cell) NewCheck(name, quantity string, extra ...result.Params) gate.Check {
	return gate.Check{Name: name, Expect: names.ExpectInside, Experiment: c.Experiment.Name, Cell: c.ID,
		Params: c.Params(extra...), Quantity: quantity, Tolerance: c.Tolerance, NumbersPerUnit: 1}
}
