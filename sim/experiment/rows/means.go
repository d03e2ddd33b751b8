package rows

import (
	"math"

	"mcsim/sim/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/gate"
	"mcsim/sim/names"
	"mcsim/sim/theory"
)

// Checks are the gates on what scalings make of rows: the means that lie between bounds
// within the tolerance of theory, absolutely.
func Checks(c experiment.Cell, all []Scaling, of Theory) (checks []gate.Check) {
	for _, s := range all {
		t, known := of(c, s)
		for _, q := range Quantities {
			if known && q.bounded != nil {
				checks = append(checks, Check(c, names.ByQuadrature(q.Name), q.Name, q.Theory(t), q.bounded, s.Params()...))
			}
		}
	}
	return checks
}

// Check is the gate of that name that a bounded mean of rows is within the tolerance of what
// it should be.
func Check(c experiment.Cell, name, quantity string, want float64, of *BoundedMean, more ...any) gate.Check {
	k := c.Within(name, quantity, want, c.Tolerance, nil, more...)
	k.Bounded = &gate.Bounded{Cluster: MatrixRows(c), Mean: of.Mean, Back: of.Back}
	return k
}

// Quadrature is what quadrature knows of rows of queries and keys, false for a law whose
// scores are not normal given the query.
func Quadrature(c experiment.Cell, s Scaling) (theory.Softmax, bool) {
	if c.Law().Name() != names.LawNormal {
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
	Name     string
	column   int
	of       func(keys float64) (factor, shift float64) // value = factor·mean + shift; nil for the mean itself
	root     bool                                       // the root of the mean is reported
	Gradient bool                                       // does not exist in the limit of no temperature
	Theory   func(theory.Softmax) float64               // nil where there is none
	bounded  *BoundedMean                               // nil where it is not gated

	scale     func(keys float64) experiment.OnScale // of its histogram; nil where it has no quantiles
	histogram int
	falling   bool // the quantity falls while the place on the scale rises
}

// BoundedMean turns a quantity into the mean of numbers between 0 and 1, and back.
type BoundedMean struct{ Mean, Back func(float64) float64 }

// Identity is of a quantity that lies between 0 and 1 itself.
var Identity = &BoundedMean{func(x float64) float64 { return x }, func(x float64) float64 { return x }}

// halfSquare: ‖J‖_F² is at most ½, since the eigenvalues of J are and their sum
// is at most 1.
var halfSquare = &BoundedMean{func(x float64) float64 { return min(1, float64(2*float64(x*x))) }, func(x float64) float64 { return math.Sqrt(x / 2) }}

// Quantities lists the quantities of rows, in the order of their estimates.
var Quantities = []Quantity{
	{Name: names.MaxWeight, column: meanWeight, bounded: Identity, scale: ofShare, histogram: histWeight,
		Theory: func(t theory.Softmax) float64 { return t.MaxWeight }},
	{Name: names.Entropy, column: meanEntropy,
		Theory: func(t theory.Softmax) float64 { return t.Entropy }},
	{Name: names.EntropyRatio, column: meanEntropy, bounded: Identity, scale: ofShare, histogram: histEntropy,
		of:     func(n float64) (float64, float64) { return 1 / elementary.Log(n), 0 },
		Theory: theory.Softmax.EntropyRatio},
	{Name: names.Collision, column: meanSurvival, scale: ofCollision, histogram: histSurvival, falling: true,
		of:     func(n float64) (float64, float64) { return -(1 - 1/n), 1 },
		Theory: func(t theory.Softmax) float64 { return t.Collision }},
	{Name: names.EffectiveKeys, column: meanEffective, scale: ofEffective, histogram: histSurvival},
	{Name: "keys_above_1_percent", column: meanAbove1},
	{Name: "keys_above_5_percent", column: meanAbove5},
	{Name: names.GradientSurvival, column: meanSurvival, bounded: Identity, scale: ofShare, histogram: histSurvival,
		Theory: theory.Softmax.GradientSurvival},
	{Name: names.JacobianNorm, column: meanJacobian, root: true, bounded: halfSquare, scale: ofShare, histogram: histJacobian,
		Theory: func(t theory.Softmax) float64 { return math.Sqrt(t.JacobianSquare) }},
	{Name: names.OffPeakTrace, column: meanOffPeak, bounded: Identity, scale: ofShare, histogram: histOffPeak,
		Theory: theory.Softmax.OffMaximum},
	{Name: names.KeyGradient, column: meanKey, root: true, Gradient: true, scale: ofSize, histogram: histKey,
		Theory: func(t theory.Softmax) float64 { return math.Sqrt(t.KeySquare) }},
	{Name: names.QueryGradient, column: meanQuery, root: true, Gradient: true, scale: ofSize, histogram: histQuery,
		Theory: func(t theory.Softmax) float64 { return math.Sqrt(t.QuerySquare) }},
}
