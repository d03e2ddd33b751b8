package inspect

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/base/elementary"
)

// Texts whose rows have something in common, and heads that see the same tokens: the estimate is
// that of one score on average, and its error is how it scatters. Where a quarter of the variance
// is between twelve texts, it is so skewed that intervals of 95 % hold the truth in 90 %.
func TestJoined(t *testing.T) {
	const draws = 400
	type world func(r *rand.Rand) []Part
	texts := func(r *rand.Rand) (parts []Part) {
		for range 12 {
			var sides [2]Vectors
			for i := range sides {
				common := drawn(r, 1, 32, normal)
				sides[i] = drawn(r, 20, 32, normal)
				for j, x := range sides[i].Data {
					sides[i].Data[j] = (x + common.Data[j%32]) / math.Sqrt2
				}
			}
			parts = append(parts, measured(t, sides[0], sides[1], Options{Scale: 1, Workers: 1}))
		}
		return parts
	}
	heads := func(count int) world {
		return func(r *rand.Rand) (parts []Part) {
			const rows, model, d = 30, 64, 16
			x := drawn(r, rows, model, normal)
			project := func() Vectors {
				w, v := drawn(r, d, model, normal), Vectors{rows, d, make([]float64, rows*d)}
				for i := range rows {
					for c := range d {
						v.Row(i)[c] = elementary.Dot(x.Row(i), w.Row(c)) / math.Sqrt(model)
					}
				}
				return v
			}
			for range count {
				parts = append(parts, measured(t, project(), project(), Options{Scale: 1, Workers: 1}))
			}
			return parts
		}
	}
	for name, c := range map[string]struct {
		of    world
		heads int
		least float64
	}{"texts": {texts, 1, 0.85}, "12 heads": {heads(12), 12, 0.9}, "4 heads": {heads(4), 4, 0.9}} {
		r := rand.New(rand.NewPCG(13, 14))
		held, mean, square, seen := 0, 0.0, 0.0, []float64{}
		for range draws {
			v := Summarise(c.of(r), c.heads, Options{Scale: 1}).All.Ratio
			if v.Lo <= 1 && 1 <= v.Hi {
				held++
			}
			mean += float64(v.Value) / draws
			seen = append(seen, float64(v.Value))
			square += float64(v.SE*v.SE) / draws
		}
		if z := (mean - 1) / math.Sqrt(square/draws); math.Abs(z) > 4.5 {
			t.Errorf("%s: %v on average, by %.1f standard errors", name, mean, z)
		}
		if share := float64(held) / draws; share < c.least {
			t.Errorf("%s: the interval holds the truth in %.3f of %d draws", name, share, draws)
		}
		if ratio := math.Sqrt(variance(seen) / square); ratio > 1.15 {
			t.Errorf("%s: estimates scatter %.2f times what their errors say", name, ratio)
		}
		t.Logf("%s: held %d of %d, mean %.4f, se %.4f, scatter %.4f", name, held, draws, mean,
			math.Sqrt(square), math.Sqrt(variance(seen)))
	}
}

// Two pairs, and few, never decide: their error is no less than that of normal numbers.
func TestFewPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 300 {
		o := Options{Scale: 1.0 / 8, Paired: true}
		s := Summarise([]Part{measured(t, drawn(r, 2, 64, normal), drawn(r, 2, 64, normal), o)}, 1, o)
		if j := s.Judge(Gate{Tolerance: 0.3, Alpha: 1e-3, Beta: 1e-3}, nil); j.Verdict != "undecided" {
			t.Fatalf("two pairs: %+v", j)
		}
	}
}
