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
		{texts: 1, heads: 12, rows: 64, d: 16, phi: 0.5},
		{texts: 1, heads: 12, rows: 64, d: 16, phi: 0.9, withoutErrors: true},
		{texts: 1, heads: 1, rows: 256, d: 16, phi: 0.99, withoutErrors: true},
		{texts: 1, heads: 4, rows: 256, d: 16, phi: 0.9, causal: true},
		{texts: 1, heads: 4, rows: 128, d: 16, causal: true},
		{texts: 1, heads: 2, rows: 256, d: 16, paired: true},
		{texts: 1, heads: 2, rows: 256, d: 16, phi: 0.9, paired: true},
		{texts: 1, heads: 8, keyHeads: 2, rows: 64, d: 16, tokens: 64},
		{texts: 1, heads: 12, rows: 64, d: 16, headSD: 1},
		{texts: 2, heads: 4, rows: 32, d: 16}, {texts: 7, heads: 4, rows: 32, d: 16},
		{texts: 4, heads: 4, rows: 32, d: 16, phi: 0.9, tokens: 64}, {texts: 4, heads: 1, rows: 64, d: 16, textSD: 0.5},
		{texts: 16, heads: 1, rows: 32, d: 16, textSD: 0.5},
		{texts: 16, heads: 2, rows: 32, d: 16, phi: 0.9, paired: true},
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

// TestScaleEstimatesLong simulates the coverage of intervals of softmax statistics for the mean of all
// draws. For one text the error of the keys is assumed to be about that of the queries, so the
// coverage is only between 90 and 99 %.
func TestScaleEstimatesLong(t *testing.T) {
	const draws = 400
	for _, w := range []world{
		{texts: 1, heads: 2, rows: 64, d: 16}, {texts: 1, heads: 2, rows: 64, d: 16, headSD: 3},
		{texts: 1, heads: 2, rows: 256, d: 16, phi: 0.9}, {texts: 1, heads: 2, rows: 128, d: 16, causal: true},
		{texts: 1, heads: 2, rows: 64, d: 16, tokens: 32}, {texts: 4, heads: 2, rows: 32, d: 16},
	} {
		r := rand.New(rand.NewPCG(73, 74))
		l := w.sampleWeights(r)
		effects := make([][]ScaleEstimates, w.heads+1)
		for range draws {
			s := l.sampleSummary(t, r)
			for h, head := range append(s.Heads, Head{Estimates: s.Overall}) {
				effects[h] = append(effects[h], head.ByScale[0])
			}
		}
		for h, estimates := range effects {
			for name, get := range map[string]func(ScaleEstimates) Estimate{
				"logit_sd":      func(e ScaleEstimates) Estimate { return e.LogitSD },
				"entropy_ratio": func(e ScaleEstimates) Estimate { return e.EntropyRatio },
				"1/effective_keys": func(e ScaleEstimates) Estimate {
					return e.EffectiveKeys.applyDecreasing(func(x float64) float64 { return 1 / x })
				},
			} {
				mean, c := 0.0, coverageCount{}
				for _, e := range estimates {
					mean += float64(get(e).Value) / draws
				}
				for _, e := range estimates {
					c.count(get(e), mean)
				}
				margin := maxDeviations * math.Sqrt(0.9*0.1/draws)
				if proportion := c.covering / draws; proportion < 0.9-margin ||
					proportion > 0.99+maxDeviations*math.Sqrt(0.99*0.01/draws) {
					t.Errorf("%+v, head %d: intervals of %s hold the mean in %.3f", w, h, name, proportion)
				}
			}
		}
	}
}

// TestPlanLong samples files of the size that a pilot plans and checks that they pass as often as they
// should if the true value is 1.
func TestPlanLong(t *testing.T) {
	const draws = 200
	r := rand.New(rand.NewPCG(71, 72))
	gate := Gate{Tolerance: 0.2, Alpha: 0.05, Beta: 0.05}
	passes, halfPasses := 0.0, 0.0
	for range draws {
		w := world{texts: 16, heads: 3, rows: 32, d: 16, phi: 0.5}
		planned := w.sampleWeights(r).sampleSummary(t, r).Plan(gate)
		w.texts = int(math.Ceil(float64(planned.Heads) * 16))
		if w.sampleWeights(r).sampleSummary(t, r).Judge(gate, nil).Verdict == result.Pass {
			passes += 1.0 / draws
		}
		w.texts /= 2
		if w.sampleWeights(r).sampleSummary(t, r).Judge(gate, nil).Verdict == result.Pass {
			halfPasses += 1.0 / draws
		}
	}
	if passes < 0.85 || halfPasses > 0.85 { // below 95 % because of the error of the pilot
		t.Errorf("of planned files %.3f pass, of half of them %.3f", passes, halfPasses)
	}
}
