package attention

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"mcsim/sim/kernel"
)

// anyScores are scores that a shift by a whole number below 2¹² leaves exact.
func anyScores(t *rapid.T, most int) []float32 {
	size := rapid.SampledFrom([]int{4, 1 << 8, 1 << 16}).Draw(t, "size")
	whole := rapid.SliceOfN(rapid.IntRange(-size, size), 1, most).Draw(t, "scores in 256ths")
	scores := make([]float32, len(whole))
	for i, s := range whole {
		scores[i] = float32(s) / 256
	}
	return scores
}

func anyScale(t *rapid.T) float64 { return rapid.Float64Range(0, 4).Draw(t, "scale") }

func quantities(r Row) map[string]float64 {
	return map[string]float64{
		"max weight": r.MaxWeight, "Σα²": r.Collision, "1 − Σα²": r.Trace, "R": r.Survival(),
		"‖J‖_F": r.JacobianNorm, "entropy": r.Entropy, "Σα(1−α) off the peak": r.OffPeak,
	}
}

// The weights, the entropy and the whole matrix J in float64 give the same.
func TestRowAgainstTheMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores, scale := anyScores(t, 40), anyScale(t)
		logits := make([]float64, len(scores))
		for i, s := range scores {
			logits[i] = scale * float64(s)
		}
		a := softmax(logits)
		j := jacobian(a)
		trace, most := 0.0, 0.0
		for i := range a {
			trace, most = trace+j[i][i], max(most, a[i])
		}
		off := trace - float64(most*(1-most))
		want := map[string]float64{"Σα(1−α) off the peak": off, "max weight": most, "Σα²": 1 - trace, "1 − Σα²": trace, "‖J‖_F": frobenius(j), "entropy": entropy(a)}
		if n := float64(len(a)); n > 1 {
			want["R"] = trace / (1 - 1/n)
		}
		got := quantities(rowOf(scores, scale))
		for name, w := range want {
			// 1 − α of the matrix has an error of 10⁻¹⁶ for each key.
			if math.Abs(got[name]-w) > rounding*w+1e-14 {
				t.Errorf("%s is %v, by the matrix %v", name, got[name], w)
			}
		}
	})
}

// A shift common to all scores changes not a bit, where it is exact.
func TestShift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores, scale := anyScores(t, 100), anyScale(t)
		shifted := make([]float32, len(scores))
		by := float32(rapid.IntRange(-4095, 4095).Draw(t, "shift"))
		for i, s := range scores {
			shifted[i] = s + by
		}
		if a, b := rowOf(scores, scale), rowOf(shifted, scale); a != b {
			t.Errorf("%+v, shifted by %v %+v", a, by, b)
		}
	})
}

// The order of the keys changes rounding alone, and sixteen rows do not mix.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores, scale := anyScores(t, 100), anyScale(t)
		rows := make([][kernel.Width]float32, len(scores))
		for lane := range kernel.Width {
			order := rapid.Permutation(scores).Draw(t, "order")
			for j := range rows {
				rows[j][lane] = order[j]
			}
		}
		one := rowOf(scores, scale)
		want := quantities(one)
		for lane, r := range lanesOf(rows, scale) {
			for name, got := range quantities(r) {
				if math.Abs(got-want[name]) > rounding*want[name] {
					t.Errorf("lane %d: %s is %v, in order %v", lane, name, got, want[name])
				}
			}
		}
	})
}

// What must hold for any row; entropy and effective keys of any weights lie
// between those of one key and of equal ones, exp(entropy) above 1/Σα².
func TestRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores, scale := anyScores(t, 300), anyScale(t)
		r, n := rowOf(scores, scale), float64(len(scores))
		if !(r.Rest >= 0 && r.Rest <= n-1 && r.Trace >= 0 && r.JacobianNorm >= 0) {
			t.Errorf("%+v", r)
		}
		if s := r.Survival(); !(s >= 0 && s <= 1) {
			t.Errorf("R = %v", s)
		}
		if h := r.Entropy; !(h >= 0 && h <= math.Log(n)+rounding) || math.Exp(h) < r.EffectiveKeys()*(1-2*rounding) {
			t.Errorf("entropy %v of %v keys, effective keys %v", h, n, r.EffectiveKeys())
		}
	})
}
