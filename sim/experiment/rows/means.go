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

// NewChecks returns the gates on means of rows under the scalings. A mean must be within the
// tolerance of theory, relative to the distance of theory from the value for equal weights.
// Scalings with the same factor have one gate. Hard attention and uniform weights have none, since
// nothing changes them.
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
	RowSD          float64 // standard deviation of a row, from which the number of rows is planned
}

// NewCheck returns the check of the gate on a cell.
func (g MeanGate) NewCheck(c experiment.Cell) gate.Check {
	k := c.NewCheckWithin(g.Name, g.Quantity, g.Expected, g.HalfWidth, nil, g.Params)
	k.PlanningSE = func(n int64) float64 { return g.RowSD / math.Sqrt(float64(n)/float64(MatrixRows(c))) }
	return k
}

// hasGradients reports whether the cell has queries and keys, and so gradients.
func hasGradients(c experiment.Cell) bool {
	return c.Experiment.Axis(experiment.DimensionAxis.Name) != nil
}

// Quadrature is the [Theory] of rows of normal queries and keys, by quadrature. It returns false
// for distributions whose scores, given the query, are not normal.
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

// Quantity is a quantity of rows. Its mean is reported, and for some also quantiles.
type Quantity struct {
	Name      string
	column    int
	transform func(keys float64) (factor, shift float64) // value = factor·mean + shift; nil for the mean itself
	isRoot    bool                                       // the square root of the mean is reported
	Gradient  bool                                       // does not exist at temperature 0
	Theory    func(theory.Softmax) float64               // nil if there is none
	// relativeSD is the standard deviation of a row for planning, divided by the distance of the
	// mean from its value for equal weights; 0 if the quantity has no gate. No cell of a ready plan
	// has more than 0.85 of it.
	relativeSD float64
	uniform    func(keys float64) float64 // nil for 0

	transformOf func(keys float64) experiment.Transform // of its histogram; nil if it has no quantiles
	histogram   int
	isFalling   bool // the quantity decreases with the position on the scale
}

func entropyRatioIfUniform(float64) float64 { return 1 }
func weightIfUniform(keys float64) float64  { return 1 / keys }

// Quantities lists the quantities of rows, in the order of their estimates.
var Quantities = []Quantity{
	{Name: names.MaxWeight, column: meanWeight, relativeSD: 1, uniform: weightIfUniform,
		transformOf: newLogitTransform, histogram: histWeight,
		Theory: func(t theory.Softmax) float64 { return t.MaxWeight }},
	{Name: names.Entropy, column: meanEntropy,
		Theory: func(t theory.Softmax) float64 { return t.Entropy }},
	{Name: names.EntropyRatio, column: meanEntropy, relativeSD: 1.25, uniform: entropyRatioIfUniform,
		transformOf: newLogitTransform, histogram: histEntropy,
		transform: func(n float64) (float64, float64) { return 1 / elementary.Log(n), 0 },
		Theory:    theory.Softmax.EntropyRatio},
	{Name: names.Collision, column: meanTrace, transformOf: newCollisionTransform, histogram: histTrace,
		isFalling: true,
		transform: func(n float64) (float64, float64) { return -(1 - 1/n), 1 },
		Theory:    func(t theory.Softmax) float64 { return t.Collision }},
	{Name: names.Concentration, column: meanTrace,
		transform: func(n float64) (float64, float64) {
			limit := theory.ConcentrationLimit(int(n))
			return -(1 - 1/n) / limit, 1 / limit
		},
		Theory: func(t theory.Softmax) float64 { return t.Collision / theory.ConcentrationLimit(t.Keys) }},
	{Name: names.EffectiveKeys, column: meanEffective, transformOf: newEffectiveKeysTransform, histogram: histTrace},
	{Name: "keys_above_1_percent", column: meanAbove1},
	{Name: "keys_above_5_percent", column: meanAbove5},
	{Name: names.RelativeTrace, column: meanTrace, relativeSD: 1.25, uniform: entropyRatioIfUniform,
		transformOf: newLogitTransform, histogram: histTrace,
		Theory: theory.Softmax.RelativeTrace},
	{Name: names.JacobianNorm, column: meanJacobian, isRoot: true, transformOf: newLogitTransform,
		histogram: histJacobian,
		Theory:    func(t theory.Softmax) float64 { return math.Sqrt(t.JacobianSquare) }},
	{Name: names.KeyGradient, column: meanKey, isRoot: true, Gradient: true, relativeSD: 1.25,
		transformOf: newLogTransform,
		histogram:   histKey,
		Theory:      func(t theory.Softmax) float64 { return math.Sqrt(t.KeySquare) }},
	{Name: names.QueryGradient, column: meanQuery, isRoot: true, Gradient: true, relativeSD: 1.25,
		transformOf: newLogTransform,
		histogram:   histQuery,
		Theory:      func(t theory.Softmax) float64 { return math.Sqrt(t.QuerySquare) }},
	{Name: names.TargetGradient, column: meanTarget, Gradient: true, transformOf: newLogTransform,
		histogram: histTarget,
		Theory:    func(t theory.Softmax) float64 { return t.TargetSlope }},
}
