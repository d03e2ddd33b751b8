//go:build long

package theory

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSoftmaxByDrawing draws logits and takes softmax by hand, over rows that
// share a query or not.
func TestSoftmaxByDrawing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct {
		keys, d int // d = 0: independent logits of deviation scale
		scale   float64
	}{{2, 0, 1}, {3, 0, 2.5}, {8, 0, 1}, {8, 0, 8}, {64, 0, 2}, {512, 0, 5}, {8, 8, 1}, {64, 64, 0.125}, {64, 16, 1}} {
		rows := 40_000_000 / c.keys / max(1, c.d/4)
		logit := make([]float64, c.keys)
		sum, squares := map[string]float64{}, map[string]float64{}
		for range rows {
			sigma := c.scale
			if c.d > 0 {
				norm := 0.0
				for range c.d {
					x := r.NormFloat64()
					norm += x * x
				}
				sigma *= math.Sqrt(norm)
			}
			for i := range logit {
				logit[i] = sigma * r.NormFloat64()
			}
			for name, x := range columns(softmaxOfRow(logit)) {
				sum[name] += x
				squares[name] += x * x
			}
		}
		theory := SoftmaxOf(c.keys, c.scale)
		if c.d > 0 {
			theory = SharedQuerySoftmax(c.keys, c.d, c.scale)
		}
		n := float64(rows)
		for name, want := range columns(theory) {
			mean := sum[name] / n
			se := math.Sqrt((squares[name]/n - mean*mean) / n)
			if z := (mean - want) / se; !(math.Abs(z) < 5) {
				t.Errorf("%+v: %s is %v ± %.2g, want %v: %.1f standard errors", c, name, mean, se, want, z)
			}
		}
	}
}

// softmaxOfRow are the quantities of a single row.
func softmaxOfRow(logit []float64) Softmax {
	top := math.Inf(-1)
	for _, s := range logit {
		top = max(top, s)
	}
	z := 0.0
	for _, s := range logit {
		z += math.Exp(s - top)
	}
	out := Softmax{Keys: len(logit), MaxWeight: 1 / z, MaxSquare: 1 / (z * z), LogSum: top + math.Log(z)}
	out.Entropy = out.LogSum
	for _, s := range logit {
		a := math.Exp(s-top) / z
		out.Collision += a * a
		out.Cube += a * a * a
		out.Fourth += a * a * a * a
		out.Entropy -= a * s
	}
	out.CollisionSquare = out.Collision * out.Collision
	out.JacobianSquare = out.Collision - 2*out.Cube + out.CollisionSquare
	out.Trace = 1 - out.Collision
	return out
}
