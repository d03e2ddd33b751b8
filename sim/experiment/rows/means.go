package rows

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// NewChecks returns the gates on means of rows under the scalings. A gate requires that the
// difference between the mean and theory is at most the tolerance of the cell times the distance of
// theory from the value for equal weights. Only the first of several scalings with the same factor
// has gates. Hard attention and uniform weights do not have gates, since their means are the same
// for all variances of the scores.
func NewChecks(c experiment.Cell, scalings []Scaling, theoryOf Theory) (checks []gate.Check) {
	seen := map[float64]bool{0: true, hardFactor: true}
	for _, s := range scalings {
		t, known := theoryOf(c, s)
		if seen[s.Factor] || !known {
			continue
		}
		seen[s.Factor] = true
		for _, q := range Quantities {
			isMissing := q.Gradient && !hasGradients(c)
			if q.relativeSD == 0 || isMissing {
				continue
			}
			uniform := 0.0
			if q.uniform != nil {
				uniform = q.uniform(float64(Keys(c)))
			}
			expected := q.Theory(t)
			distance := math.Abs(expected - uniform)
			checks = append(checks, MeanGate{
				Name:      names.QuadratureGateName(q.Name),
				Quantity:  q.Name,
				Params:    s.Params(),
				Expected:  expected,
				HalfWidth: float64(c.Tolerance * distance),
				RowSD:     float64(q.relativeSD * distance),
			}.NewCheck(c))
		}
	}
	return checks
}

// MeanGate describes a gate on a mean of rows: the mean must be within HalfWidth of its expected
// value. The gate uses the standard error of the sample.
type MeanGate struct {
	Name, Quantity string
	Params         result.Params // of the estimate, in addition to those of the cell
	Expected       float64
	HalfWidth      float64
	RowSD          float64 // standard deviation of the rows, from which their number is planned
}

// NewCheck returns the check of the gate on a cell.
func (g MeanGate) NewCheck(c experiment.Cell) gate.Check {
	check := c.NewCheckWithin(g.Name, g.Quantity, g.Expected, g.HalfWidth, nil, g.Params)
	check.PlanningSE = func(n int64) float64 { return g.RowSD / math.Sqrt(float64(n)/float64(MatrixRows(c))) }
	return check
}

// hasGradients reports whether the rows have gradients, which requires queries and keys.
func hasGradients(c experiment.Cell) bool {
	return c.Experiment.Axis(experiment.DimensionAxis.Name) != nil
}

// Quadrature implements [Theory] of rows of normal queries and keys, by quadrature. It returns
// false for other distributions, whose scores are not normal for a given query.
func Quadrature(c experiment.Cell, s Scaling) (theory.Softmax, bool) {
	if c.Distribution().Name() != names.DistributionNormal {
		return theory.Softmax{}, false
	}
	factor := s.Factor
	if s.Hard() {
		factor = math.Inf(1)
	}
	return theory.SharedQuerySoftmax(Keys(c), c.Dimension(), factor), true
}

// Quantity is a quantity of rows whose mean is reported, and also its quantiles if it has a
// quantileScale.
type Quantity struct {
	Name   string
	column int // the column of its mean in a Tally
	// transform returns the factor and the shift with which the value is factor·mean + shift. Nil
	// means that the value is the mean.
	transform func(keys float64) (factor, shift float64)
	isRoot    bool                         // the value is the square root of the mean
	Gradient  bool                         // the quantity does not exist at temperature 0
	Theory    func(theory.Softmax) float64 // nil if theory is not known
	// relativeSD is the standard deviation of the rows for planning, divided by the distance of the
	// mean from its value for equal weights. It is 0 if the quantity has no gate. In each cell of
	// the ready plans the true ratio is at most 0.85·relativeSD.
	relativeSD float64
	uniform    func(keys float64) float64 // the value for equal weights; nil for 0

	// quantileScale returns the transform from a position on the scale of the histogram to the
	// quantity. Nil means that the quantity has no quantiles.
	quantileScale func(keys float64) experiment.Transform
	histogram     int
	isFalling     bool // the quantity decreases as the position on the scale increases
}

func uniformRatio(float64) float64       { return 1 } // of entropy ratio and relative trace
func uniformWeight(keys float64) float64 { return 1 / keys }

// Quantities lists the quantities of rows, in the order of their estimates.
var Quantities = []Quantity{
	{Name: names.MaxWeight, column: meanWeight, relativeSD: 1, uniform: uniformWeight,
		quantileScale: newLogitTransform, histogram: histWeight,
		Theory: func(t theory.Softmax) float64 { return t.MaxWeight }},
	{Name: names.Entropy, column: meanEntropy,
		Theory: func(t theory.Softmax) float64 { return t.Entropy }},
	{Name: names.EntropyRatio, column: meanEntropy, relativeSD: 1.25, uniform: uniformRatio,
		quantileScale: newLogitTransform, histogram: histEntropy,
		transform: func(n float64) (float64, float64) { return 1 / elementary.Log(n), 0 },
		Theory:    theory.Softmax.EntropyRatio},
	{Name: names.Collision, column: meanTrace, quantileScale: newCollisionTransform, histogram: histTrace,
		isFalling: true,
		transform: func(n float64) (float64, float64) { return -(1 - 1/n), 1 },
		Theory:    func(t theory.Softmax) float64 { return t.Collision }},
	{Name: names.Concentration, column: meanTrace,
		transform: func(n float64) (float64, float64) {
			limit := theory.ConcentrationLimit(int(n))
			return -(1 - 1/n) / limit, 1 / limit
		},
		Theory: func(t theory.Softmax) float64 { return t.Collision / theory.ConcentrationLimit(t.Keys) }},
	{Name: names.EffectiveKeys, column: meanEffective, quantileScale: newEffectiveKeysTransform, histogram: histTrace},
	{Name: "keys_above_1_percent", column: meanAbove1},
	{Name: "keys_above_5_percent", column: meanAbove5},
	{Name: names.RelativeTrace, column: meanTrace, relativeSD: 1.25, uniform: uniformRatio,
		quantileScale: newLogitTransform, histogram: histTrace,
		Theory: theory.Softmax.RelativeTrace},
	{Name: names.JacobianNorm, column: meanJacobian, isRoot: true, quantileScale: newLogitTransform,
		histogram: histJacobian,
		Theory:    func(t theory.Softmax) float64 { return math.Sqrt(t.JacobianSquare) }},
	{Name: names.KeyGradient, column: meanKey, isRoot: true, Gradient: true, relativeSD: 1.25,
		quantileScale: newLogTransform,
		histogram:     histKey,
		Theory:        func(t theory.Softmax) float64 { return math.Sqrt(t.KeySquare) }},
	{Name: names.QueryGradient, column: meanQuery, isRoot: true, Gradient: true, relativeSD: 1.25,
		quantileScale: newLogTransform,
		histogram:     histQuery,
		Theory:        func(t theory.Softmax) float64 { return math.Sqrt(t.QuerySquare) }},
	{Name: names.TargetGradient, column: meanTarget, Gradient: true, quantileScale: newLogTransform,
		histogram: histTarget,
		Theory:    func(t theory.Softmax) float64 { return t.TargetSlope }},
}
