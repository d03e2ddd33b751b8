package inspect

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/base/elementary"
	"mcsim/sim/simtest"
)

// sampleVectors returns rows of independent components.
func sampleVectors(r *rand.Rand, rows, d int, component func(*rand.Rand) float64) Vectors {
	v := Vectors{rows, d, make([]float64, rows*d)}
	for i := range v.Data {
		v.Data[i] = component(r)
	}
	return v
}

// TestCausalLargest checks MaxScore if the largest score belongs to a query whose softmax is not
// measured: query 1301, which is made 20 times as long as the others.
func TestCausalLargest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	q, k := sampleVectors(r, 1501, 16, normal), sampleVectors(r, 1400, 16, normal)
	for c := range 16 {
		q.Row(1301)[c] *= 20
	}
	want := math.Inf(-1)
	for i := range q.Rows {
		for j := range min(i+1, k.Rows) {
			want = max(want, elementary.Dot(q.Row(i), k.Row(j)))
		}
	}
	p, err := Measure(q, k, Options{Scale: 0.25, Causal: true, Workers: 2})
	simtest.Must(t, err)
	if math.Abs(p.MaxScore()/want-1) > 1e-6 {
		t.Errorf("the largest score is %v, want %v", p.MaxScore(), want)
	}
}

func normal(r *rand.Rand) float64 { return r.NormFloat64() }

// laplace samples a Laplace distribution with mean 0 and variance 1.
func laplace(r *rand.Rand) float64 {
	return math.Copysign(r.ExpFloat64()/math.Sqrt2, r.Float64()-0.5)
}

func measure(t *testing.T, q, k Vectors, o Options) HeadText {
	t.Helper()
	p, err := Measure(q, k, o)
	simtest.Must(t, err)
	return p
}

// TestCoverage simulates the intervals of one head in one text, with independent components of
// variance 1.
func TestCoverage(t *testing.T) {
	const draws = 600
	for _, c := range []struct {
		queries, keys, d int
		component        func(*rand.Rand) float64
		paired           bool
	}{
		{32, 32, 64, normal, false}, {64, 64, 16, normal, false}, {256, 256, 64, normal, false},
		{400, 8, 8, normal, false},
		{64, 64, 16, laplace, false}, {100, 100, 16, normal, true}, {400, 400, 64, laplace, true},
	} {
		name := fmt.Sprintf("%d × %d of %d, paired %v", c.queries, c.keys, c.d, c.paired)
		r := rand.New(rand.NewPCG(1, 2))
		covered, exponentCovered, mean, square := 0, 0, 0.0, 0.0
		for range draws {
			p := measure(t, sampleVectors(r, c.queries, c.d, c.component), sampleVectors(r, c.keys, c.d, c.component),
				Options{Scale: 1, Paired: c.paired, Workers: 1})
			s := Summarise([]HeadText{p}, 1, Options{Scale: 1, Paired: c.paired})
			if v := s.Overall.VarianceOverDK; v.Lo <= 1 && 1 <= v.Hi {
				covered++
			}
			if e := s.Overall.Exponent; e.Lo <= 0.5 && 0.5 <= e.Hi {
				exponentCovered++
			}
			mean += p.Variance / float64(c.d) / draws
			se := float64(s.Overall.VarianceOverDK.SE)
			square += se * se / draws
		}
		margin := 4 * math.Sqrt(0.95*0.05/draws)
		if proportion := float64(covered) / draws; math.Abs(proportion-0.95) > 0.01+margin {
			t.Errorf("%s: intervals of the variance contain 1 in a proportion %.3f of draws, want 0.95", name,
				proportion)
		}
		// For independent components, single queries and keys contribute nothing to the error of
		// the exponent. The standard error that Summarise gives is then too large, and the coverage
		// may exceed 0.95.
		if proportion := float64(exponentCovered) / draws; proportion < 0.94-margin {
			t.Errorf("%s: intervals of the exponent contain 0.5 in a proportion %.3f of draws, want 0.95 at least",
				name,
				proportion)
		}
		if se := math.Sqrt(square / draws); math.Abs(mean-1) > 4*se { // generous: se is not divided by √draws
			t.Errorf("%s: the mean of estimates is %v, want 1 ± 4·%v", name, mean, se)
		}
	}
}
