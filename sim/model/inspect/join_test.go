package inspect

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/base/elementary"
)

// TestJoined checks the bias, the standard errors and the coverage of Summarise, for texts whose
// rows have a common part, and for heads that see the same tokens. For twelve texts, a quarter of
// the variance is between texts. The estimate is then skewed, and 95 % intervals have a coverage of
// only 90 %.
func TestJoined(t *testing.T) {
	const draws = 400
	type sampler func(r *rand.Rand) []HeadText
	sampleTexts := func(r *rand.Rand) (parts []HeadText) {
		for range 12 {
			var sides [2]Vectors
			for i := range sides {
				common := sampleVectors(r, 1, 32, normal)
				sides[i] = sampleVectors(r, 20, 32, normal)
				for j, x := range sides[i].Data {
					sides[i].Data[j] = (x + common.Data[j%32]) / math.Sqrt2
				}
			}
			parts = append(parts, measure(t, sides[0], sides[1], Options{Scale: 1, Workers: 1}))
		}
		return parts
	}
	newHeadSampler := func(count int) sampler {
		return func(r *rand.Rand) (parts []HeadText) {
			const rows, model, d = 30, 64, 16
			x := sampleVectors(r, rows, model, normal)
			project := func() Vectors {
				w, v := sampleVectors(r, d, model, normal), Vectors{rows, d, make([]float64, rows*d)}
				for i := range rows {
					for c := range d {
						v.Row(i)[c] = elementary.Dot(x.Row(i), w.Row(c)) / math.Sqrt(model)
					}
				}
				return v
			}
			for range count {
				parts = append(parts, measure(t, project(), project(), Options{Scale: 1, Workers: 1}))
			}
			return parts
		}
	}
	for name, c := range map[string]struct {
		sample      sampler
		heads       int
		minCoverage float64
	}{
		"12 texts": {sampleTexts, 1, 0.85},
		"12 heads": {newHeadSampler(12), 12, 0.9},
		"4 heads":  {newHeadSampler(4), 4, 0.9},
	} {
		r := rand.New(rand.NewPCG(13, 14))
		covering, mean, square, estimates := 0, 0.0, 0.0, []float64{}
		for range draws {
			v := Summarise(c.sample(r), c.heads, Options{Scale: 1}).Overall.VarianceOverDK
			if v.Lo <= 1 && 1 <= v.Hi {
				covering++
			}
			mean += float64(v.Value) / draws
			estimates = append(estimates, float64(v.Value))
			square += float64(v.SE*v.SE) / draws
		}
		if z := (mean - 1) / math.Sqrt(square/draws); math.Abs(z) > 4.5 {
			t.Errorf("%s: the mean estimate is %v, %.1f standard errors from 1", name, mean, z)
		}
		if proportion := float64(covering) / draws; proportion < c.minCoverage {
			t.Errorf("%s: intervals contain the truth in a proportion %.3f of draws, want %v at least", name,
				proportion,
				c.minCoverage)
		}
		if ratio := math.Sqrt(variance(estimates) / square); ratio > 1.15 {
			t.Errorf("%s: the standard deviation of estimates is %.2f times their standard error, want 1.15 at most",
				name, ratio)
		}
		t.Logf("%s: coverage %d of %d, mean %.4f, standard error %.4f, standard deviation %.4f", name, covering, draws,
			mean, math.Sqrt(square), math.Sqrt(variance(estimates)))
	}
}

// TestFewPairs checks that the verdict on two pairs is undecided: their error is at least the error
// of normal scores.
func TestFewPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 300 {
		o := Options{Scale: 1.0 / 8, Paired: true}
		s := Summarise([]HeadText{measure(t, sampleVectors(r, 2, 64, normal), sampleVectors(r, 2, 64, normal), o)}, 1,
			o)
		if j := s.Judge(Gate{Tolerance: 0.3, Alpha: 1e-3, Beta: 1e-3}, nil); j.Verdict != "undecided" {
			t.Fatalf("the verdict on two pairs is %s, want undecided: %+v", j.Verdict, j)
		}
	}
}
