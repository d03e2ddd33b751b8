package weights

import (
	"math"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

const uniformKurtosis, normalKurtosis = 1.8, 3.0

// truncatedKurtosis is the kurtosis of a standard normal distribution truncated at ±2. Integration
// by parts gives the variance 1 − 4h and the fourth moment 3 − 28h, with the density
// h = φ(2)/(2Φ(2) − 1) at the cut, the normal density φ and its distribution function Φ.
var truncatedKurtosis = func() float64 {
	density := math.Exp(-2) / math.Sqrt(2*math.Pi) / math.Erf(2/math.Sqrt2)
	variance := 1 - 4*density
	return (3 - 28*density) / (variance * variance)
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

// sampleKeyEntries returns the entries of W_K of several samples, divided by the standard deviation
// that the scheme computes.
func sampleKeyEntries(h Head, samples int) []float64 {
	sampler := NewSampler(h)
	cell := stream.Open(stream.ID{Seed: 5, Cell: h.Scheme.Name})
	var values []float64
	for i := range samples {
		var lanes stream.Lanes
		cell.Block(&lanes, uint64(i))
		sampler.Sample(&lanes)
		// The sampler stores only the last chunk. Here it has all rows.
		p, rows := &sampler.projections[1], h.Shape.Model
		for c := range h.Shape.Key {
			for t := range rows {
				w := float64(p.w[c/kernel.Width*rows+t][c%kernel.Width])
				values = append(values, w*p.sd/math.Sqrt(h.Key.Variance))
			}
		}
	}
	return values
}

// TestDistributionsOfEntries checks that sampled entries of every scheme have the computed variance
// and the kurtosis of the distribution that the scheme's source names, within 5 standard errors.
// The closed forms must use the same kurtosis.
func TestDistributionsOfEntries(t *testing.T) {
	if testing.Short() {
		t.Skip("samples 200 000 entries of each initialisation")
	}
	for _, s := range table {
		want, isKnown := entryKurtoses[s.Name]
		if s.IsOrthogonal() {
			continue // entries are not independent
		}
		if !isKnown { // the source was not read for this test
			want = s.Distribution.Kurtosis()
		}
		h := s.Head(Shape{200, 20})
		m := moments.New(sampleKeyEntries(h, 50), moments.MaxOrder)
		// No distribution here has larger standard errors than the normal one: √(2/n) for the
		// variance and √(24/n) for the kurtosis of n = 200 000 entries.
		n := float64(m.N)
		if v := m.Variance(); math.Abs(v-1) > 5*math.Sqrt(2/n) {
			t.Errorf("%s: the variance of sampled entries is %v times the computed variance, want 1", s.Name, v)
		}
		if k := m.Standardised(4); math.Abs(k-want) > 5*math.Sqrt(24/n) {
			t.Errorf("%s: the kurtosis of sampled entries is %v, want %v", s.Name, k, want)
		}
		if math.Abs(h.Key.Kurtosis-want) > 1e-9 {
			t.Errorf("%s: Head.Key.Kurtosis is %v, want %v", s.Name, h.Key.Kurtosis, want)
		}
	}
}
