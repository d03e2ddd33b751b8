// Package attention computes scaled dot-product attention, softmax(QKᵀ·scale + mask)V, for given
// queries, keys and values (Forward). For sampled rows of scores it computes statistics of the
// softmax weights α (FillRows): their entropy in nats, and the size of the Jacobian
// J = diag(α) − ααᵀ, by which every gradient is multiplied.
//
// Near saturation these statistics cannot be computed from rounded weights: in float32, 1 − Σα² is
// exactly 0 in 43 % of rows for d_k = 1024 and 8 keys. Therefore a Row is computed without
// cancellation from sums over all keys except the one with the largest score (package kernel).
//
// Let s₁ be the largest score, and e_i = exp(scale·(s_i − s₁)) for the other keys i. With T = Σe,
// Q₂ = Σe², Q₃ = Σe³ and Z = 1 + T, the weights are 1/Z and e_i/Z. Inserting them into Σα²,
// ‖J‖_F² = Σα² − 2Σα³ + (Σα²)² and −Σα ln α gives
//
//	1 − Σα²  = (2T + T² − Q₂)/Z²
//	‖J‖_F²   = (T² + Z²Q₂ − 2ZQ₃ + 2Q₂ + Q₂²)/Z⁴
//	entropy  = ln(1 + T) − Σe ln e/Z
//
// without differences of nearly equal numbers. Let e₂ be the e_i of the second largest score. As e₂
// goes to 0, 1 − Σα² and ‖J‖_F are proportional to it. Therefore FillRows computes with sums that
// are divided by powers of e₂ and multiplies by e₂ at the end. Otherwise the powers of e₂ would
// underflow before e₂ does, at a difference of logits of 745.
package attention

import (
	"math"

	"mcsim/sim/kernel"
)

// Row holds statistics of the softmax weights of a row of scores.
type Row struct {
	Keys         int
	RestRatio    float64 // T, the sum of all other weights divided by the largest weight
	MaxWeight    float64 // largest weight, 1/Z
	LogZ         float64 // ln Z
	Entropy      float64 // −Σα ln α, in nats
	Collision    float64 // Σα², the probability that two keys sampled with the weights as probabilities are equal
	Trace        float64 // 1 − Σα², the trace of the Jacobian
	JacobianNorm float64 // ‖J‖_F
}

// EffectiveKeys returns 1/Σα². It is n for n uniform weights, and 1 if one key has all the weight.
func (r *Row) EffectiveKeys() float64 { return 1 / r.Collision }

// RelativeTrace returns R = (1 − Σα²)/(1 − 1/n) for n keys, the ratio of the Jacobian's trace to
// its trace for uniform weights. R is in 0..1. It is 0 for a single key, whose weight is constant.
func (r *Row) RelativeTrace() float64 {
	if r.Keys < 2 {
		return 0
	}
	// For nearly uniform weights, rounding of the sums can make the ratio exceed 1.
	return min(1, r.Trace/(1-1/float64(r.Keys)))
}

// FillRows sets rows to the statistics of each lane, from the sums of kernel.SumRows over the given
// number of keys.
func FillRows(sums *kernel.RowSums, keys int, rows *[kernel.Width]Row) {
	for lane := range rows {
		// With e = e₂ and the sums s, s2 and s3, T is e·s, Q₂ is e²·s2 and Q₃ is e³·s3.
		e, s, s2, s3 := sums.Runner[lane], sums.E[lane], sums.E2[lane], sums.E3[lane]
		ratio := float64(e * s)
		z := 1 + ratio
		weight := 1 / z
		square := float64(weight * weight)
		logZ := sums.LogZ[lane]
		e2 := float64(e * e)
		// spread is −Σe_i ln e_i, with ln e_i = −Gap + ln(e_i/e) and ELog = Σ(e_i/e) log₂(e_i/e).
		spread := float64(e * (float64(sums.Gap[lane]*s) - float64(sums.ELog[lane]*math.Ln2)))
		// norm is ‖J‖_F²Z⁴/e². It is at least s² since e ≤ 1 and s3 ≤ s2.
		norm := float64(s*s) + float64(float64(z*z)*s2) - float64(2*float64(float64(z*e)*s3)) + 2*s2 +
			float64(e2*float64(s2*s2))
		// Assigning the fields is faster than assigning a Row, of which the compiler makes a copy.
		r := &rows[lane]
		r.Keys, r.RestRatio, r.MaxWeight, r.LogZ = keys, ratio, weight, logZ
		r.Entropy = logZ + float64(spread*weight)
		r.Collision = float64((1 + float64(e2*s2)) * square)
		r.Trace = float64(float64(e*(2*s+float64(e*(float64(s*s)-s2)))) * square)
		r.JacobianNorm = float64(float64(e*math.Sqrt(norm)) * square)
	}
}
