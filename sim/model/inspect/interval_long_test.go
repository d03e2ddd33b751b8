//go:build long

package inspect

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/result"
)

// TestIntervalsLong simulates the coverage of intervals for independent and for dependent tokens,
// for one text and for several texts, and for equal and for unequal heads.
func TestIntervalsLong(t *testing.T) {
	worlds := []world{
		{texts: 1, heads: 1, rows: 256, d: 64}, {texts: 1, heads: 12, rows: 64, d: 16, tokens: 32},
		{texts: 1, heads: 1, rows: 256, d: 64, phi: 0.5}, {texts: 1, heads: 1, rows: 256, d: 64, phi: 0.9},
		{texts: 1, heads: 12, rows: 64, d: 16, phi: 0.5},
		{texts: 1, heads: 12, rows: 64, d: 16, phi: 0.9, withoutIntervals: true},
		{texts: 1, heads: 1, rows: 256, d: 16, phi: 0.99, withoutIntervals: true},
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

// TestScaleEstimatesLong simulates how often intervals of softmax statistics contain the mean over
// all draws. For one text, the error due to keys is assumed to equal the error due to queries,
// which is only approximately true. So a coverage between 90 and 99 % is accepted.
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
				maxCoverage := 0.99 + maxDeviations*math.Sqrt(0.99*0.01/draws)
				if proportion := c.covering / draws; proportion < 0.9-margin || proportion > maxCoverage {
					t.Errorf("%+v, head %d: intervals of %s contain the mean in a proportion %.3f of draws, want %.3f to %.3f",
						w, h, name, proportion, 0.9-margin, maxCoverage)
				}
			}
		}
	}
}

// TestPlanLong samples files of the size that is planned from a pilot. The true value is 1. The
// files should pass with probability 0.95, and files of half that size less often.
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
	const limit = 0.85 // below 0.95, since the errors of the pilot are only estimates
	if passes < limit {
		t.Errorf("files of the planned size pass with frequency %.3f, want %v at least", passes, limit)
	}
	if halfPasses > limit {
		t.Errorf("files of half the planned size pass with frequency %.3f, want %v at most", halfPasses, limit)
	}
}
