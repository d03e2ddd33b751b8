package theory

import (
	"math"
	"testing"
)

// TestAlignedNewSoftmaxTwoKeys holds AlignedSoftmax for two keys, whose logits differ by a
// normal number given |q|, against plain sums over |q| and that number; and the chance to be
// first for any number of keys at ρ = 1, E Φ(|q|)^{n−1}, against one over |q|.
func TestAlignedNewSoftmaxTwoKeys(t *testing.T) {
	normal := func(z float64) float64 { return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }
	below := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
	near := func(name string, d int, rho, p, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-7 {
			t.Errorf("%s at d = %d, ρ = %v, p = %v: %v, want %v", name, d, rho, p, got, want)
		}
	}
	for _, d := range []int{1, 2, 4, 8, 13, 20, 32, 100, 512} {
		// lengths sums f over |q| with the density of the χ distribution in ln |q|.
		lengths := func(f func(r float64) [4]float64) (sum [4]float64) {
			half := float64(d) / 2
			logGamma, _ := math.Lgamma(half)
			const step = 1.0 / 512
			for v := -36.0; v < 6; v += step {
				r := math.Exp(v)
				weight := 2 * step * math.Exp(half*(2*v-math.Ln2)-r*r/2-logGamma)
				if weight < 1e-16 {
					continue
				}
				for i, x := range f(r) {
					sum[i] += weight * x
				}
			}
			return sum
		}
		for _, rho := range []float64{-0.9, 0, 0.1, 0.5, 0.9, 1} {
			for _, p := range []float64{0, 0.5, 0.85, 1} {
				scale := math.Pow(float64(d), -p)
				want := lengths(func(r float64) (row [4]float64) {
					mean, sd := rho*scale*r*r, scale*r*math.Sqrt(2-rho*rho)
					row[3] = below(mean / sd)
					step := min(0.1, 0.25/sd)
					for z := -8.0; z < 8; z += step {
						a := 1 / (1 + math.Exp(-mean-sd*z))
						weight := step * normal(z)
						row[0] += weight * a
						row[1] += weight * a * a
						row[2] += weight * 4 * a * (1 - a)
					}
					return row
				})
				got := AlignedSoftmax(2, d, rho, scale)
				near("weight", d, rho, p, got.Weight, want[0])
				near("square", d, rho, p, got.WeightSquare, want[1])
				near("R", d, rho, p, got.RelativeTrace, want[2])
				near("first", d, rho, p, got.FirstProbability, want[3])
			}
		}
		for _, keys := range []int{8, 512, 4096} {
			want := lengths(func(r float64) [4]float64 { return [4]float64{math.Pow(below(r), float64(keys-1))} })
			near("first", d, 1, 1, AlignedSoftmax(keys, d, 1, 1/float64(d)).FirstProbability, want[0])
		}
	}
}
