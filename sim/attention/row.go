// Package attention computes what softmax makes of a row of scores: its
// weights α, their entropy in nats, and the Jacobian J = diag(α) − ααᵀ through
// which every gradient passes.
//
// Near saturation the weights themselves say nothing: in float32, 1 − Σα² is
// exactly 0 in 43 % of rows at d_k = 1024 and 8 keys. So a Row is made of sums
// over the keys other than the greatest (package kernel), from which what is
// left beside it follows without cancellation.
//
// With s₁ the greatest score and e_i = exp(scale·(s_i − s₁)), i over the other
// keys, T = Σe, Q₂ = Σe², Q₃ = Σe³ and Z = 1 + T, the weights are 1/Z and e_i/Z.
// Putting them into Σα², ‖J‖_F² = Σα² − 2Σα³ + (Σα²)² and −Σα ln α gives
//
//	1 − Σα²  = (2T + T² − Q₂)/Z²
//	‖J‖_F²   = (T² + Z²Q₂ − 2ZQ₃ + 2Q₂ + Q₂²)/Z⁴
//	entropy  = ln(1 + T) − Σe ln e/Z
//
// whose terms without a 1 have no difference of nearly equal numbers in them.
// All three are proportional to the e of the runner-up as that goes to 0, so a
// Row keeps it apart: no power of it underflows before it does, at a gap of 745.
package attention

import (
	"math"

	"mcsim/sim/elementary"
	"mcsim/sim/kernel"
)

// Row is the softmax of a row of scores.
type Row struct {
	Keys int

	// Gap is scale times what the runner-up is below the greatest score, 0 or
	// greater; Runner is exp(−Gap). For a single key all is 0.
	Gap, Runner float64

	// Sums over the keys other than the greatest, of e relative to the
	// runner-up, its square and third power, and e ln e.
	E, E2, E3, ELog float64
}

// RowOf is the row in a lane of sums that kernel.Rows made of a number of keys.
func RowOf(sums *kernel.RowSums, keys, lane int) Row {
	return Row{Keys: keys, Gap: sums.Gap[lane], Runner: sums.Runner[lane],
		E: sums.E[lane], E2: sums.E2[lane], E3: sums.E3[lane], ELog: float64(sums.ELog[lane] * math.Ln2)}
}

// Rest is T: the weight of all other keys together over that of the greatest.
func (r Row) Rest() float64 { return float64(r.Runner * r.E) }

// MaxWeight is the greatest weight, 1/Z.
func (r Row) MaxWeight() float64 { return 1 / (1 + r.Rest()) }

// Collision is Σα², the chance that two keys drawn by their weights are one.
func (r Row) Collision() float64 {
	z := 1 + r.Rest()
	return (1 + float64(float64(r.Runner*r.Runner)*r.E2)) / float64(z*z)
}

// EffectiveKeys is 1/Σα²: n for n equal weights, 1 for one that has all.
func (r Row) EffectiveKeys() float64 { return 1 / r.Collision() }

// Trace is 1 − Σα², the trace of the Jacobian.
func (r Row) Trace() float64 {
	z := 1 + r.Rest()
	// (2T + T² − Q₂)/Z², of which Q₂ ≤ T
	return float64(r.Runner*(2*r.E+float64(r.Runner*(float64(r.E*r.E)-r.E2)))) / float64(z*z)
}

// Survival is R = (1 − Σα²)/(1 − 1/n), from 0 to 1: the trace of the Jacobian
// over what it is at equal weights. For a single key, whose weight depends on
// nothing, it is 0.
func (r Row) Survival() float64 {
	if r.Keys < 2 {
		return 0
	}
	// The sums are rounded, and would be a little off 1 at equal weights.
	return min(1, r.Trace()/(1-1/float64(r.Keys)))
}

// JacobianNorm is ‖J‖_F.
func (r Row) JacobianNorm() float64 {
	z, e := 1+r.Rest(), r.Runner
	// the square over that of Runner
	square := float64(r.E*r.E) + float64(float64(z*z)*r.E2) - float64(float64(2*z*e)*r.E3) +
		2*r.E2 + float64(float64(e*e)*float64(r.E2*r.E2))
	return float64(e*math.Sqrt(max(0, square))) / float64(z*z)
}

// Entropy is −Σα ln α in nats.
func (r Row) Entropy() float64 {
	rest := r.Rest()
	// −Σe ln e, of which ln e is −Gap and what it is relative to the runner-up
	spread := r.Runner * (float64(r.Gap*r.E) - r.ELog)
	return elementary.Log1p(rest) + spread/(1+rest)
}
