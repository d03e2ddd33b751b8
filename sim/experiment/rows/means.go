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

// Checks returns the gates on what scalings make of rows: a mean is within the tolerance of theory,
// relatively to how far it is from what it would be if all weights were equal. Scalings by the
// same factor have one gate. Hard attention and uniform weights have none, since nothing moves them.
func Checks(c experiment.Cell, scalings []Scaling, theoryOf Theory) (checks []gate.Check) {
	seen := map[float64]bool{0: true, hardFactor: true}
	for _, s := range scalings {
		t, known := theoryOf(c, s)
		if seen[s.Factor] || !known {
			continue
		}
		seen[s.Factor] = true
		for _, q := range Quantities {
			if q.spread == 0 || q.Gradient && !hasGradients(c) {
				continue
			}
			none := 0.0
			if q.none != nil {
				none = q.none(float64(Keys(c)))
			}
			want := q.Theory(t)
			checks = append(checks, Check(c, names.ByQuadrature(q.Name), q.Name, want,
				float64(c.Tolerance*math.Abs(want-none)), float64(q.spread*math.Abs(want-none)), s.Params()))
		}
	}
	return checks
}

// Check returns the gate of that name that a mean of rows is within half of what it should be. Its
// standard error is the row's own; spread is what the deviation of a row is planned with.
func Check(c experiment.Cell, name, quantity string, want, half, spread float64, more ...result.Params) gate.Check {
	k := c.NewCheckWithin(name, quantity, want, half, nil, more...)
	k.PlanningSE = func(n int64) float64 { return spread / math.Sqrt(float64(n)/float64(MatrixRows(c))) }
	return k
}

// hasGradients reports whether the cell's rows are of queries and keys whose gradients' means
// have an error.
func hasGradients(c experiment.Cell) bool {
	return c.Experiment.Axis(experiment.DimensionAxis.Name) != nil
}

// Quadrature returns what quadrature knows of rows of queries and keys, false for a distribution whose
// scores are not normal given the query.
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

// Quantity is one of rows, of which the mean is reported, and for some the quantiles.
type Quantity struct {
	Name      string
	column    int
	transform func(keys float64) (factor, shift float64) // value = factor·mean + shift; nil for the mean itself
	root      bool                                       // the root of the mean is reported
	Gradient  bool                                       // does not exist in the limit of no temperature
	Theory    func(theory.Softmax) float64               // nil where there is none
	// spread is what the deviation of a row's number from its mean is planned with, over the
	// distance of the mean from none, its value where all weights are equal; 0 where it is not
	// gated. No row of any plan that comes with mcsim has more than .85 of it.
	spread float64
	none   func(keys float64) float64 // nil for 0

	scale     func(keys float64) experiment.Transform // of its histogram; nil where it has no quantiles
	histogram int
	falling   bool // the quantity falls while the place on the scale rises
}

func one(float64) float64       { return 1 }
func even(keys float64) float64 { return 1 / keys }

// Quantities lists the quantities of rows, in the order of their estimates.
var Quantities = []Quantity{
	{Name: names.MaxWeight, column: meanWeight, spread: 1, none: even, scale: ofShare, histogram: histWeight,
		Theory: func(t theory.Softmax) float64 { return t.MaxWeight }},
	{Name: names.Entropy, column: meanEntropy,
		Theory: func(t theory.Softmax) float64 { return t.Entropy }},
	{Name: names.EntropyRatio, column: meanEntropy, spread: 1.25, none: one, scale: ofShare, histogram: histEntropy,
		transform: func(n float64) (float64, float64) { return 1 / elementary.Log(n), 0 },
		Theory:    theory.Softmax.EntropyRatio},
	{Name: names.Collision, column: meanTrace, scale: ofCollision, histogram: histTrace, falling: true,
		transform: func(n float64) (float64, float64) { return -(1 - 1/n), 1 },
		Theory:    func(t theory.Softmax) float64 { return t.Collision }},
	{Name: names.Concentration, column: meanTrace,
		transform: func(n float64) (float64, float64) {
			limit := theory.ConcentrationLimit(int(n))
			return -(1 - 1/n) / limit, 1 / limit
		},
		Theory: func(t theory.Softmax) float64 { return t.Collision / theory.ConcentrationLimit(t.Keys) }},
	{Name: names.EffectiveKeys, column: meanEffective, scale: ofEffective, histogram: histTrace},
	{Name: "keys_above_1_percent", column: meanAbove1},
	{Name: "keys_above_5_percent", column: meanAbove5},
	{Name: names.RelativeTrace, column: meanTrace, spread: 1.25, none: one, scale: ofShare, histogram: histTrace,
		Theory: theory.Softmax.RelativeTrace},
	{Name: names.JacobianNorm, column: meanJacobian, root: true, scale: ofShare, histogram: histJacobian,
		Theory: func(t theory.Softmax) float64 { return math.Sqrt(t.JacobianSquare) }},
	{Name: names.KeyGradient, column: meanKey, root: true, Gradient: true, spread: 1.25, scale: ofSize,
		histogram: histKey,
		Theory:    func(t theory.Softmax) float64 { return math.Sqrt(t.KeySquare) }},
	{Name: names.QueryGradient, column: meanQuery, root: true, Gradient: true, spread: 1.25, scale: ofSize,
		histogram: histQuery,
		Theory:    func(t theory.Softmax) float64 { return math.Sqrt(t.QuerySquare) }},
	{Name: names.TargetGradient, column: meanTarget, Gradient: true, scale: ofSize, histogram: histTarget,
		Theory: func(t theory.Softmax) float64 { return t.TargetSlope }},
}
