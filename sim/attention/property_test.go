package attention

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"mcsim/sim/kernel"
)

// genScores generates scores to which an integer below 2¹² can be added without rounding.
func genScores(t *rapid.T, maxKeys int) []float32 {
	size := rapid.SampledFrom([]int{4, 1 << 8, 1 << 16}).Draw(t, "size")
	integers := rapid.SliceOfN(rapid.IntRange(-size, size), 1, maxKeys).Draw(t, "scores in 256ths")
	scores := make([]float32, len(integers))
	for i, s := range integers {
		scores[i] = float32(s) / 256
	}
	return scores
}

func genScale(t *rapid.T) float64 { return rapid.Float64Range(0, 4).Draw(t, "scale") }

func quantitiesOf(r Row) map[string]float64 {
	return map[string]float64{
		"max weight": r.MaxWeight, "Σα²": r.Collision, "1 − Σα²": r.Trace, "R": r.RelativeTrace(),
		"‖J‖_F": r.JacobianNorm, "entropy": r.Entropy,
	}
}

// TestOrder checks that the order of the keys changes results only by rounding. Each of the sixteen
// lanes has another order.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores, scale := genScores(t, 100), genScale(t)
		rows := make([][kernel.Width]float32, len(scores))
		for lane := range kernel.Width {
			order := rapid.Permutation(scores).Draw(t, "order")
			for j := range rows {
				rows[j][lane] = order[j]
			}
		}
		want := quantitiesOf(computeRow(scores, scale))
		for lane, r := range computeRows(rows, scale) {
			for name, got := range quantitiesOf(r) {
				if math.Abs(got-want[name]) > rounding*want[name] {
					t.Errorf("lane %d: %s is %v, want %v of the original order", lane, name, got, want[name])
				}
			}
		}
	})
}
