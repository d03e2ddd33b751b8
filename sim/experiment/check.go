package experiment

import (
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
)

// NewJointCheck returns the named gate on a quantity that is estimated from several cells together.
// It requires |estimate − expected| ≤ the tolerance of the cells. c is the aggregate of the cells.
// se predicts the standard error of the estimate if cells[i] has units[i] units.
func (c Cell) NewJointCheck(
	name, quantity string, expected float64, cells []Cell, se func(cells []Cell, units []int64) float64,
	extra ...result.Params,
) gate.Check {
	c.Tolerance = cells[0].Tolerance
	check := c.NewCheckWithin(name, quantity, expected, c.Tolerance, nil, extra...)
	check.Cells = names.Map(cells, func(cell Cell) string { return cell.ID })
	check.JoinedSE = func(units []int64) float64 { return se(cells, units) }
	return check
}

// NewCheckWithin returns the named gate that requires |estimate − expected| ≤ halfWidth. se returns
// the exact standard error of an estimate from n units. If se is nil, the gate uses the standard
// error of the estimate.
func (c Cell) NewCheckWithin(
	name, quantity string, expected, halfWidth float64, se func(n int64) float64, extra ...result.Params,
) gate.Check {
	check := c.NewCheck(name, quantity, extra...)
	check.Expected = gate.ExpectWithin(expected, halfWidth, se)
	return check
}

// NewVarianceCheck returns the named gate that requires |estimate/expected − 1| ≤ the tolerance of
// the cell. se is as in NewCheckWithin, and skew becomes [gate.Check.Skew]. The gate
// assumes that the standard error of an estimate is proportional to the true variance.
func (c Cell) NewVarianceCheck(
	name, quantity string, expected, skew float64, se func(n int64) float64,
) gate.Check {
	check := c.NewCheckWithin(name, quantity, expected, c.Tolerance*expected, se)
	check.Skew, check.EdgeSERatio = skew, gate.VarianceEdgeSERatio(c.Tolerance)
	return check
}

// NewCheck returns the named gate that requires a quantity of the cell to be inside a band. The
// caller must set Expected, which defines the band.
func (c Cell) NewCheck(name, quantity string, extra ...result.Params) gate.Check {
	return gate.Check{Name: name, Expect: names.ExpectInside, Experiment: c.Experiment.Name, Cell: c.ID,
		Params: c.Params(extra...), Quantity: quantity, Tolerance: c.Tolerance, NumbersPerUnit: 1}
}
