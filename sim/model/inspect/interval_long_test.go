//go:build long

package inspect

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/result"
)

// TestIntervalsLong simulates the coverage of intervals for independent and for dependent tokens,
// in one text and in several, of equal and of unequal heads.
func TestIntervalsLong(t *testing.T) {
	worlds := []world{
		{texts: 1, heads: 1, rows: 256, d: 64}, {texts: 1, heads: 12, rows: 64, d: 16, tokens: 32},
		{texts: 1, heads: 1, rows: 256, d: 64, phi: 0.5}, {texts: 1, heads: 1, rows: 256, d: 64, phi: 0.9},
		{texts: 1, heads: 12, rows: 64, d: 16, phi: 0.5}, {texts: 1, heads: 12, rows: 64, d: 16, phi: 0.9, absent: true},
		{texts: 1, heads: 1, rows: 256, d: 16, phi: 0.99, absent: true},
		{texts: 1, heads: 4, rows: 256, d: 16, phi: 0.9, causal: true}, {texts: 1, heads: 4, rows: 128, d: 16, causal: true},
		{texts: 1, heads: 2, rows: 256, d: 16, paired: true}, {texts: 1, heads: 2, rows: 256, d: 16, phi: 0.9, paired: true},
		{texts: 1, heads: 8, keyHeads: 2, rows: 64, d: 16, tokens: 64}, {texts: 1, heads: 12, rows: 64, d: 16, headSD: 1},
		{texts: 2, heads: 4, rows: 32, d: 16}, {texts: 7, heads: 4, rows: 32, d: 16},
		{texts: 4, heads: 4, rows: 32, d: 16, phi: 0.9, tokens: 64}, {texts: 4, heads: 1, rows: 64, d: 16, textSD: 0.5},
		{texts: 16, heads: 1, rows: 32, d: 16, textSD: 0.5}, {texts: 16, heads: 2, rows: 32, d: 16, phi: 0.9, paired: true},
		{texts: 7, heads: 4, rows: 32, d: 16, phi: 0.99},
	}
	for _, heads := range []int{1, 7, 8, 12} {
		worlds = append(worlds, world{texts: 1, heads: heads, rows: 256, d: 8, phi: 0.9, tokens: 96})
	}
	for _, texts := range []int{8, 16, 64} {
		for _, phi := range []float64{0.9, 0.99} {
			worlds = append(worlds, world{texts: texts, heads: 1, rows: 32, d: 16, phi: phi})
		}
	}
	simulateAll(t, 500, worlds)
}

// TestEffectsLong simulates the coverage of intervals of what softmax makes of rows, around the
// mean of all draws. In one text the part of the keys is taken to be about that of the queries, so
// that it is only near 95 %: between 90 and 99 %.
func TestEffectsLong(t *testing.T) {
	const draws = 400
	for _, w := range []world{
		{texts: 1, heads: 2, rows: 64, d: 16}, {texts: 1, heads: 2, rows: 64, d: 16, headSD: 3},
		{texts: 1, heads: 2, rows: 256, d: 16, phi: 0.9}, {texts: 1, heads: 2, rows: 128, d: 16, causal: true},
		{texts: 1, heads: 2, rows: 64, d: 16, tokens: 32}, {texts: 4, heads: 2, rows: 32, d: 16},
	} {
		r := rand.New(rand.NewPCG(73, 74))
		l := w.fix(r)
		effects := make([][]Effect, w.heads+1)
		for range draws {
			s := l.draw(t, r)
			for h, head := range append(s.Heads, Head{Numbers: s.All}) {
				effects[h] = append(effects[h], head.Effects[0])
			}
		}
		for h, of := range effects {
			for name, get := range map[string]func(Effect) Estimate{
				"logit_sd":      func(e Effect) Estimate { return e.LogitSD },
				"entropy_ratio": func(e Effect) Estimate { return e.Entropy },
				"1/effective_keys": func(e Effect) Estimate {
					return e.Effective.decreasing(func(x float64) float64 { return 1 / x })
				},
			} {
				mean, c := 0.0, covered{}
				for _, e := range of {
					mean += float64(get(e).Value) / draws
				}
				for _, e := range of {
					c.count(get(e), mean)
				}
				room := spread * math.Sqrt(0.9*0.1/draws)
				if share := c.held / draws; share < 0.9-room || share > 0.99+spread*math.Sqrt(0.99*0.01/draws) {
					t.Errorf("%+v, head %d: intervals of %s hold the mean in %.3f", w, h, name, share)
				}
			}
		}
	}
}

// TestPlanLong draws files as large as a pilot says: if the truth is 1, the check passes as often
// as it should, in every head and the mean.
func TestPlanLong(t *testing.T) {
	const draws = 200
	r := rand.New(rand.NewPCG(71, 72))
	gate := Gate{Tolerance: 0.2, Alpha: 0.05, Beta: 0.05}
	passes, half := 0.0, 0.0
	for range draws {
		w := world{texts: 16, heads: 3, rows: 32, d: 16, phi: 0.5}
		planned := w.fix(r).draw(t, r).Plan(gate)
		w.texts = int(math.Ceil(float64(planned.Heads) * 16))
		if w.fix(r).draw(t, r).Judge(gate, nil).Verdict == result.Pass {
			passes += 1.0 / draws
		}
		w.texts /= 2
		if w.fix(r).draw(t, r).Judge(gate, nil).Verdict == result.Pass {
			half += 1.0 / draws
		}
	}
	if passes < 0.85 || half > 0.85 { // the pilot's own error costs some of 95 %
		t.Errorf("of planned files %.3f pass, of half of them %.3f", passes, half)
	}
}
