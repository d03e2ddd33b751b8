package experiment

import (
	"math"
	"strings"

	"mcsim/sim/elementary"
	"mcsim/sim/gate"
	"mcsim/sim/names"
	"mcsim/sim/theory"
)

// meanChecks are the gates on what one scaling makes of rows.
func (c Cell) meanChecks(s scaling, t theory.Softmax, matrix int64) []gate.Check {
	var checks []gate.Check
	for _, q := range meanQuantities {
		if q.bounded == nil {
			continue
		}
		k := c.check(strings.ReplaceAll(q.name, "_", " ")+" by quadrature", q.name, s.params()...)
		k.Bounded = &gate.Bounded{Cluster: matrix, Mean: q.bounded.mean, Back: q.bounded.back}
		want := q.theory(t)
		k.At = func(int64) (float64, float64, [2]float64) { return want, math.NaN(), gate.Around(want, c.Tolerance) }
		checks = append(checks, k)
	}
	return checks
}

// rowTheory finds the theory of a mean.
type rowTheory func(theory.Softmax) float64

// meanQuantity is a mean over rows that is reported.
type meanQuantity struct {
	name     string
	column   int
	of       func(keys float64) (factor, shift float64) // value = factor·mean + shift; nil for the mean itself
	root     bool                                       // the root of the mean is reported
	gradient bool                                       // does not exist in the limit of no temperature
	theory   rowTheory                                  // nil where there is none
	bounded  *boundedMean                               // nil where it is not gated
}

// boundedMean turns a quantity into the mean of numbers between 0 and 1, and back.
type boundedMean struct{ mean, back func(float64) float64 }

var itself = &boundedMean{func(x float64) float64 { return x }, func(x float64) float64 { return x }}

// halfSquare: ‖J‖_F² is at most ½, since the eigenvalues of J are and their sum
// is at most 1.
var halfSquare = &boundedMean{func(x float64) float64 { return min(1, float64(2*float64(x*x))) }, func(x float64) float64 { return math.Sqrt(x / 2) }}

var meanQuantities = []meanQuantity{
	{name: names.MaxWeight, column: meanWeight, bounded: itself,
		theory: func(t theory.Softmax) float64 { return t.MaxWeight }},
	{name: names.Entropy, column: meanEntropy,
		theory: func(t theory.Softmax) float64 { return t.Entropy }},
	{name: names.EntropyRatio, column: meanEntropy, bounded: itself,
		of:     func(n float64) (float64, float64) { return 1 / elementary.Log(n), 0 },
		theory: theory.Softmax.EntropyRatio},
	{name: names.Collision, column: meanSurvival,
		of:     func(n float64) (float64, float64) { return -(1 - 1/n), 1 },
		theory: func(t theory.Softmax) float64 { return t.Collision }},
	{name: names.EffectiveKeys, column: meanEffective},
	{name: names.KeysAbove1Percent, column: meanAbove1},
	{name: names.KeysAbove5Percent, column: meanAbove5},
	{name: names.GradientSurvival, column: meanSurvival, bounded: itself,
		theory: theory.Softmax.GradientSurvival},
	{name: names.JacobianNorm, column: meanJacobian, root: true, bounded: halfSquare,
		theory: func(t theory.Softmax) float64 { return math.Sqrt(t.JacobianSquare) }},
	{name: names.OffPeakTrace, column: meanOffPeak, bounded: itself,
		theory: theory.Softmax.OffMaximum},
	{name: names.KeyGradient, column: meanKey, root: true, gradient: true,
		theory: func(t theory.Softmax) float64 { return math.Sqrt(t.KeySquare) }},
	{name: names.QueryGradient, column: meanQuery, root: true, gradient: true,
		theory: func(t theory.Softmax) float64 { return math.Sqrt(t.QuerySquare) }},
}
