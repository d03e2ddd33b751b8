package inspect

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/base/elementary"
	"mcsim/sim/simtest"
)

// drawn are rows of independent components.
func drawn(r *rand.Rand, rows, d int, component func(*rand.Rand) float64) Vectors {
	v := Vectors{rows, d, make([]float64, rows*d)}
	for i := range v.Data {
		v.Data[i] = component(r)
	}
	return v
}

// The greatest score under a mask is that of all queries, of which softmax sees some.
func TestCausalLargest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	q, k := drawn(r, 1501, 16, normal), drawn(r, 1400, 16, normal)
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
	if err != nil || math.Abs(p.Largest()/want-1) > 1e-6 {
		t.Errorf("%v, want %v: %v", p.Largest(), want, err)
	}
}

func normal(r *rand.Rand) float64 { return r.NormFloat64() }

func laplace(r *rand.Rand) float64 {
	return math.Copysign(r.ExpFloat64()/math.Sqrt2, r.Float64()-0.5)
}

func measured(t *testing.T, q, k Vectors, o Options) Part {
	t.Helper()
	p, err := Measure(q, k, o)
	simtest.Must(t, err)
	return p
}

// The intervals hold the truth as often as they say, of every query with every key and of
// pairs, of few rows and of skewed ones.
func TestCoverage(t *testing.T) {
	const draws = 600
	for _, c := range []struct {
		queries, keys, d int
		of               func(*rand.Rand) float64
		paired           bool
	}{
		{32, 32, 64, normal, false}, {64, 64, 16, normal, false}, {256, 256, 64, normal, false}, {400, 8, 8, normal, false},
		{64, 64, 16, laplace, false}, {100, 100, 16, normal, true}, {400, 400, 64, laplace, true},
	} {
		name := fmt.Sprintf("%d × %d of %d, paired %v", c.queries, c.keys, c.d, c.paired)
		r := rand.New(rand.NewPCG(1, 2))
		held, exponents, mean, square := 0, 0, 0.0, 0.0
		for range draws {
			p := measured(t, drawn(r, c.queries, c.d, c.of), drawn(r, c.keys, c.d, c.of),
				Options{Scale: 1, Paired: c.paired, Workers: 1})
			s := Summarise([]Part{p}, 1, Options{Scale: 1, Paired: c.paired})
			if v := s.All.Ratio; v.Lo <= 1 && 1 <= v.Hi {
				held++
			}
			if e := s.All.Exponent; e.Lo <= 0.5 && 0.5 <= e.Hi {
				exponents++
			}
			mean += p.Variance / float64(c.d) / draws
			se := float64(s.All.Ratio.SE)
			square += se * se / draws
		}
		half := 4 * math.Sqrt(0.95*0.05/draws)
		if share := float64(held) / draws; math.Abs(share-0.95) > 0.01+half {
			t.Errorf("%s: intervals of the variance hold the truth in %.3f of %d draws", name, share, draws)
		}
		// What queries and keys add apart is 0 here, so that the error is an upper bound.
		if share := float64(exponents) / draws; share < 0.94-half {
			t.Errorf("%s: intervals of the exponent hold the truth in %.3f of %d draws", name, share, draws)
		}
		if se := math.Sqrt(square / draws); math.Abs(mean-1) > 4*se {
			t.Errorf("%s: the mean estimate is %v ± %v", name, mean, se)
		}
	}
}
