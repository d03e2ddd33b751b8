package theory

import (
	"math"
	"testing"
)

// TestAlignedSoftmaxOfTwoKeys compares AlignedSoftmax for two keys with sums over |q| and over the
// difference of the logits, which is normal given |q|. For more keys it compares FirstProbability
// at ρ = 1, which is E Φ(|q|)^{n−1}, with a sum over |q|. The tolerance is 1e-7.
func TestAlignedSoftmaxOfTwoKeys(t *testing.T) {
	normal := func(z float64) float64 { return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }
	normalCDF := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
	check := func(name string, d int, rho, p, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-7 {
			t.Errorf("d = %d, ρ = %v, p = %v: %s is %v, want %v", d, rho, p, name, got, want)
		}
	}
	for _, d := range []int{1, 2, 4, 8, 13, 20, 32, 100, 512} {
		// averageOverLengths integrates f over ln |q| with the density of the χ distribution.
		averageOverLengths := func(f func(r float64) [4]float64) (sum [4]float64) {
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
				want := averageOverLengths(func(r float64) (row [4]float64) {
					mean, sd := rho*scale*r*r, scale*r*math.Sqrt(2-rho*rho)
					row[3] = normalCDF(mean / sd)
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
				check("Weight", d, rho, p, got.Weight, want[0])
				check("WeightSquare", d, rho, p, got.WeightSquare, want[1])
				check("RelativeTrace", d, rho, p, got.RelativeTrace, want[2])
				check("FirstProbability", d, rho, p, got.FirstProbability, want[3])
			}
		}
		for _, keys := range []int{8, 512, 4096} {
			want := averageOverLengths(func(r float64) [4]float64 {
				return [4]float64{math.Pow(normalCDF(r), float64(keys-1))}
			})
			check("FirstProbability", d, 1, 1, AlignedSoftmax(keys, d, 1, 1/float64(d)).FirstProbability, want[0])
		}
	}
}
