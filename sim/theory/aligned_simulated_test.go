package theory

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The mean square of an aligned score by another program, for what the page on alignment
// says of it: independent components of a law of heavy tails, the sphere, and another key
// of the same correlation, which is not k = ρq + √(1−ρ²)z and has another variance. With
// three comparisons at 4.5 standard errors one seed in 49,000 fails by chance.
func TestAlignedConstruction(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 3))
	laplace := func(v []float64) {
		for i := range v {
			v[i] = rnd.ExpFloat64() / math.Sqrt2
			if rnd.IntN(2) == 0 {
				v[i] = -v[i]
			}
		}
	}
	sphere := func(v []float64) {
		var square float64
		for i := range v {
			v[i] = rnd.NormFloat64()
			square += v[i] * v[i]
		}
		for i := range v {
			v[i] *= math.Sqrt(float64(len(v)) / square)
		}
	}
	const rho = 0.37
	along := func(q, k []float64) {
		for i := range k {
			k[i] = rho*q[i] + math.Sqrt(1-rho*rho)*k[i]
		}
	}
	copied := func(q, k []float64) {
		for i := range k {
			if rnd.Float64() < rho {
				k[i] = q[i]
			}
		}
	}
	for _, c := range []struct {
		name string
		d    int
		draw func([]float64)
		make func(q, k []float64)
		want func(d float64) float64 // the variance
	}{
		{"laplace", 5, laplace, along, func(float64) float64 { return Aligned{5, rho}.VarianceRate(lawOf(t, "laplace")) * 5 }},
		{"sphere", 5, sphere, along, func(float64) float64 { return Aligned{5, rho}.VarianceRate(lawOf(t, "sphere")) * 5 }},
		{"laplace, components copied by chance", 5, laplace, copied, func(d float64) float64 { return d * (1 + rho*(6-1) - rho*rho) }},
	} {
		const n = 200_000
		d := float64(c.d)
		q, k := make([]float64, c.d), make([]float64, c.d)
		var square, fourth float64
		for range n {
			c.draw(q)
			c.draw(k)
			c.make(q, k)
			var s float64
			for i := range q {
				s += q[i] * k[i]
			}
			s -= rho * d // the mean is known
			square += s * s / n
			fourth += s * s * s * s / n
		}
		se := math.Sqrt((fourth - square*square) / n)
		if z := (square - c.want(d)) / se; !(math.Abs(z) < 4.5) {
			t.Errorf("%s: variance %v ± %v, want %v", c.name, square, se, c.want(d))
		}
	}
}
