// Package attention computes scaled dot-product attention, softmax(QKᵀ·scale + mask)V,
// of given queries, keys and values (Forward), and what softmax makes of a row
// of scores that is drawn (Rows): its weights α, their entropy in nats, and the Jacobian
// J = diag(α) − ααᵀ through which every gradient passes.
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
// All three are proportional to the e of the runner-up as that goes to 0, so it
// is kept apart: no power of it underflows before it does, at a gap of 745.
package attention

import (
	"math"

	"mcsim/sim/kernel"
)

// Row says what softmax made of a row of scores.
type Row struct {
	Keys         int
	RestRatio    float64 // T, the weight of all other keys over that of the greatest
	MaxWeight    float64 // the greatest weight, 1/Z
	LogZ         float64 // ln Z
	Entropy      float64 // −Σα ln α, in nats
	Collision    float64 // Σα², the chance that two keys drawn by their weights are one
	Trace        float64 // 1 − Σα², the trace of the Jacobian
	JacobianNorm float64 // ‖J‖_F
}

// EffectiveKeys is 1/Σα²: n for n uniform weights, 1 for one that has all.
func (r *Row) EffectiveKeys() float64 { return 1 / r.Collision }

// RelativeTrace is R = (1 − Σα²)/(1 − 1/n), from 0 to 1: the trace of the Jacobian
// over what it is at uniform weights. For a single key, whose weight depends on
// nothing, it is 0.
func (r *Row) RelativeTrace() float64 {
	if r.Keys < 2 {
		return 0
	}
	// The sums are rounded, and would be a little off 1 at uniform weights.
	return min(1, r.Trace/(1-1/float64(r.Keys)))
}

// FillRows writes the rows whose sums kernel.Rows made of a number of keys.
func FillRows(sums *kernel.RowSums, keys int, rows *[kernel.Width]Row) {
	for lane := range rows {
		// T = eE, Q₂ = e²E₂ and Q₃ = e³E₃, e being the runner-up's.
		e, s, s2, s3 := sums.Runner[lane], sums.E[lane], sums.E2[lane], sums.E3[lane]
		ratio := float64(e * s)
		z := 1 + ratio
		weight := 1 / z
		square := float64(weight * weight)
		logZ := sums.LogZ[lane]
		e2 := float64(e * e)
		// −Σe ln e, of which ln e is −Gap and what it is relative to the runner-up
		spread := float64(e * (float64(sums.Gap[lane]*s) - float64(sums.ELog[lane]*math.Ln2)))
		// ‖J‖_F²Z⁴/e², never below E² since e ≤ 1 and E₃ ≤ E₂
		norm := float64(s*s) + float64(float64(z*z)*s2) - float64(2*float64(float64(z*e)*s3)) + 2*s2 +
			float64(e2*float64(s2*s2))
		// field by field: a whole Row would be made elsewhere and copied, which waits
		r := &rows[lane]
		r.Keys, r.RestRatio, r.MaxWeight, r.LogZ = keys, ratio, weight, logZ
		r.Entropy = logZ + float64(spread*weight)
		r.Collision = float64((1 + float64(e2*s2)) * square)
		r.Trace = float64(float64(e*(2*s+float64(e*(float64(s*s)-s2)))) * square)
		r.JacobianNorm = float64(float64(e*math.Sqrt(norm)) * square)
	}
}
