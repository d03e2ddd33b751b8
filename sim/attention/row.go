// Package attention computes scaled dot-product attention, softmax(QKᵀ·scale + mask)V, for given
// queries, keys and values (Forward). For sampled rows of scores it computes statistics of the
// softmax weights α (FillRows): their entropy in nats, and the Jacobian J = diag(α) − ααᵀ, by which
// every gradient is multiplied.
//
// Near saturation these cannot be computed from rounded weights: in float32, 1 − Σα² is exactly 0
// in 43 % of rows at d_k = 1024 and 8 keys. Therefore a Row is computed without cancellation from
// sums over the keys other than the one with the largest score (package kernel).
//
// With s₁ the largest score and e_i = exp(scale·(s_i − s₁)), i over the other
// keys, T = Σe, Q₂ = Σe², Q₃ = Σe³ and Z = 1 + T, the weights are 1/Z and e_i/Z.
// Inserting them into Σα², ‖J‖_F² = Σα² − 2Σα³ + (Σα²)² and −Σα ln α gives
//
//	1 − Σα²  = (2T + T² − Q₂)/Z²
//	‖J‖_F²   = (T² + Z²Q₂ − 2ZQ₃ + 2Q₂ + Q₂²)/Z⁴
//	entropy  = ln(1 + T) − Σe ln e/Z
//
// without differences of nearly equal numbers. All three are proportional to e₂, the e of the
// second largest score, as it goes to 0. Therefore e₂ is a separate factor: no power of it
// underflows before e₂ itself does, at a gap of 745.
package attention

import (
	"math"

	"mcsim/sim/kernel"
)

// Row holds statistics of the softmax weights of a row of scores.
type Row struct {
	Keys         int
	RestRatio    float64 // T, the weight of all other keys over the largest weight
	MaxWeight    float64 // largest weight, 1/Z
	LogZ         float64 // ln Z
	Entropy      float64 // −Σα ln α, in nats
	Collision    float64 // Σα², the probability that two keys sampled by their weights are the same
	Trace        float64 // 1 − Σα², the trace of the Jacobian
	JacobianNorm float64 // ‖J‖_F
}

// EffectiveKeys returns 1/Σα²: n for n uniform weights, 1 if one key has all the weight.
func (r *Row) EffectiveKeys() float64 { return 1 / r.Collision }

// RelativeTrace returns R = (1 − Σα²)/(1 − 1/n), from 0 to 1: the trace of the Jacobian over the
// trace for uniform weights. For a single key, whose weight is constant, it is 0.
func (r *Row) RelativeTrace() float64 {
	if r.Keys < 2 {
		return 0
	}
	// Because the sums are rounded, the ratio may exceed 1 a little for uniform weights.
	return min(1, r.Trace/(1-1/float64(r.Keys)))
}

// FillRows computes the rows of all lanes from the sums of kernel.Rows over the given number of
// keys.
func FillRows(sums *kernel.RowSums, keys int, rows *[kernel.Width]Row) {
	for lane := range rows {
		// T = eE, Q₂ = e²E₂ and Q₃ = e³E₃ with the e of the second largest score.
		e, s, s2, s3 := sums.Runner[lane], sums.E[lane], sums.E2[lane], sums.E3[lane]
		ratio := float64(e * s)
		z := 1 + ratio
		weight := 1 / z
		square := float64(weight * weight)
		logZ := sums.LogZ[lane]
		e2 := float64(e * e)
		// −Σe ln e; ln e is −Gap plus the logarithm relative to the second largest score
		spread := float64(e * (float64(sums.Gap[lane]*s) - float64(sums.ELog[lane]*math.Ln2)))
		// ‖J‖_F²Z⁴/e², at least E² since e ≤ 1 and E₃ ≤ E₂
		norm := float64(s*s) + float64(float64(z*z)*s2) - float64(2*float64(float64(z*e)*s3)) + 2*s2 +
			float64(e2*float64(s2*s2))
		// Assigning a whole Row would make the compiler build and copy a temporary one, which is
		// slower.
		r := &rows[lane]
		r.Keys, r.RestRatio, r.MaxWeight, r.LogZ = keys, ratio, weight, logZ
		r.Entropy = logZ + float64(spread*weight)
		r.Collision = float64((1 + float64(e2*s2)) * square)
		r.Trace = float64(float64(e*(2*s+float64(e*(float64(s*s)-s2)))) * square)
		r.JacobianNorm = float64(float64(e*math.Sqrt(norm)) * square)
	}
}
