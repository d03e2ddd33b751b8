package weights

import (
	"math"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// Kurtoses of distributions. By integration by parts, a normal distribution truncated at ±2 has the
// variance 1 − 4φ(2)/(2Φ(2)
// − 1) and the fourth moment 3 − 28φ(2)/(2Φ(2) − 1).
const uniformKurtosis, normalKurtosis = 1.8, 3.0

var truncatedKurtosis = func() float64 {
	edge := math.Exp(-2) / math.Sqrt(2*math.Pi) / math.Erf(2/math.Sqrt2)
	variance := 1 - 4*edge
	return (3 - 28*edge) / (variance * variance)
}()

// entryKurtoses has the kurtoses of entries according to the sources of the schemes, except for
// orthonormal columns.
var entryKurtoses = map[string]float64{
	"glorot-uniform": uniformKurtosis, "glorot-normal": normalKurtosis, "glorot-fused": uniformKurtosis,
	"torch-mha": uniformKurtosis,
	"he-normal": normalKurtosis, "he-uniform": uniformKurtosis, "he-fan-out": normalKurtosis,
	"lecun-normal": normalKurtosis,
	"torch-linear": uniformKurtosis, "normal-0.02": normalKurtosis, "tf-truncated-0.02": truncatedKurtosis,
	"torch-truncated-0.02": normalKurtosis,
	"t5":                   normalKurtosis, "mup": normalKurtosis, "mup-8": normalKurtosis,
	"mup-zero-query":    normalKurtosis,
	"keras":             uniformKurtosis,
	"keras-before-2026": uniformKurtosis,
	"flax":              truncatedKurtosis, "haiku": truncatedKurtosis, "neox-small": normalKurtosis,
	"qk-norm": normalKurtosis, "gemma2-27b": normalKurtosis,
}

// sampleKeyEntries returns entries of W_K of several samples, over the standard deviation that the
// scheme declares.
func sampleKeyEntries(h Head, samples int) []float64 {
	d := NewSampler(h)
	cell := stream.Open(stream.ID{Seed: 5, Cell: h.Scheme.Name})
	var values []float64
	for i := range samples {
		var lanes stream.Lanes
		cell.Block(&lanes, uint64(i))
		d.Sample(&lanes)
		p, rows := &d.projections[1], h.Shape.Model // there is only one chunk, which is still held
		for c := range h.Shape.Key {
			for t := range rows {
				w := float64(p.w[c/kernel.Width*rows+t][c%kernel.Width])
				values = append(values, w*p.sd/math.Sqrt(h.Key.Variance))
			}
		}
	}
	return values
}

// TestDistributionsOfEntries checks that the entries of every scheme have variance 1 and the
// kurtosis of the distribution that its source names, and that the closed forms use this
// kurtosis.
func TestDistributionsOfEntries(t *testing.T) {
	if testing.Short() {
		t.Skip("samples 200 000 entries of each initialisation")
	}
	for _, s := range table {
		want, ok := entryKurtoses[s.Name]
		if s.IsOrthogonal() {
			continue // entries are not independent
		}
		if !ok { // the source was not read for this table
			want = s.Distribution.Kurtosis()
		}
		h := s.Head(Shape{200, 20})
		m := moments.New(sampleKeyEntries(h, 50), moments.MaxOrder)
		n := float64(m.N) // 200 000; standard errors are at most √(24/n) for a kurtosis and √(2/n) for a variance
		if v := m.Variance(); math.Abs(v-1) > 5*math.Sqrt(2/n) {
			t.Errorf("%s: the variance is %v of what it should be", s.Name, v)
		}
		if k := m.Standardised(4); math.Abs(k-want) > 5*math.Sqrt(24/n) || math.Abs(h.Key.Kurtosis-want) > 1e-9 {
			t.Errorf("%s: the kurtosis is %v, in theory %v, want %v", s.Name, k, h.Key.Kurtosis, want)
		}
	}
}
