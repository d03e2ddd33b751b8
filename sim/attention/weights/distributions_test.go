package weights

import (
	"math"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// Kurtoses of distributions. A normal distribution cut at ±2 has the variance V = 1 − 4φ(2)/(2Φ(2)
// − 1) and the fourth moment 3 − 28φ(2)/(2Φ(2) − 1), by parts.
const ofUniform, ofNormal = 1.8, 3.0

var ofTruncated = func() float64 {
	edge := math.Exp(-2) / math.Sqrt(2*math.Pi) / math.Erf(2/math.Sqrt2)
	variance := 1 - 4*edge
	return (3 - 28*edge) / (variance * variance)
}()

// entryDistributions are the kurtoses of entries by the sources of the schemes; orthogonal
// columns have none.
var entryDistributions = map[string]float64{
	"glorot-uniform": ofUniform, "glorot-normal": ofNormal, "glorot-fused": ofUniform, "torch-mha": ofUniform,
	"he-normal": ofNormal, "he-uniform": ofUniform, "he-fan-out": ofNormal, "lecun-normal": ofNormal,
	"torch-linear": ofUniform, "normal-0.02": ofNormal, "tf-truncated-0.02": ofTruncated, "torch-truncated-0.02": ofNormal,
	"t5": ofNormal, "mup": ofNormal, "mup-8": ofNormal, "mup-zero-query": ofNormal, "keras": ofUniform,
	"keras-before-2026": ofUniform,
	"flax":              ofTruncated, "haiku": ofTruncated, "neox-small": ofNormal,
	"qk-norm": ofNormal, "gemma2-27b": ofNormal,
}

// keyEntries are entries of W_K of many draws, over the standard deviation that the
// scheme says they have.
func keyEntries(h Head, draws int) []float64 {
	d := NewDrawer(h)
	cell := stream.Open(stream.ID{Seed: 5, Cell: h.Scheme.Name})
	var values []float64
	for i := range draws {
		var lanes stream.Lanes
		cell.Block(&lanes, uint64(i))
		d.Draw(&lanes)
		p, rows := &d.sides[1], h.Shape.Model // a single chunk, which is still there
		for c := range h.Shape.Key {
			for t := range rows {
				w := float64(p.w[c/kernel.Width*rows+t][c%kernel.Width])
				values = append(values, w*p.sd/math.Sqrt(h.Key.Variance))
			}
		}
	}
	return values
}

// The entries of every scheme have the variance and the kurtosis of the distribution that its
// source names, and the closed forms take that kurtosis.
func TestDistributionsOfEntries(t *testing.T) {
	if testing.Short() {
		t.Skip("draws 200 000 entries of each initialisation")
	}
	for _, s := range table {
		want, ok := entryDistributions[s.Name]
		if s.Orthogonal() {
			continue // which has none
		}
		if !ok { // nobody has read its source for this table
			want = s.Distribution.Kurtosis()
		}
		h := s.At(Shape{200, 20})
		m := moments.New(keyEntries(h, 50), moments.MaxOrder)
		n := float64(m.N) // 200 000; a kurtosis is known to √(24/n) at most, a variance to √(2/n)
		if v := m.Variance(); math.Abs(v-1) > 5*math.Sqrt(2/n) {
			t.Errorf("%s: the variance is %v of what it should be", s.Name, v)
		}
		if k := m.Standardised(4); math.Abs(k-want) > 5*math.Sqrt(24/n) || math.Abs(h.Key.Kurtosis-want) > 1e-9 {
			t.Errorf("%s: the kurtosis is %v, in theory %v, want %v", s.Name, k, h.Key.Kurtosis, want)
		}
	}
}
