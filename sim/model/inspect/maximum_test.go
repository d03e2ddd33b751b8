package inspect

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/result"
)

// TestLargestLogitIntervals simulates how often the expected largest logit is below or above the
// interval. It is the mean over all draws. A tail may have at most its nominal probability of 2.5
// %, by a margin of four standard errors.
func TestLargestLogitIntervals(t *testing.T) {
	const draws = 400
	for _, w := range []world{
		{texts: 1, heads: 1, rows: 64, d: 64},
		{texts: 1, heads: 1, rows: 256, d: 16, causal: true},
		{texts: 1, heads: 1, rows: 256, d: 16, phi: 0.5},
		{texts: 8, heads: 1, rows: 32, d: 16},
		{texts: 4, heads: 2, rows: 32, d: 16, textSD: 0.5},
	} {
		r := rand.New(rand.NewPCG(91, 92))
		l := w.sampleWeights(r)
		var estimates []Estimate
		mean := 0.0
		for range draws {
			e := l.sampleSummary(t, r).Heads[0].MaxLogit
			estimates = append(estimates, e)
			mean += float64(e.Value) / draws
		}
		below, above := 0.0, 0.0 // proportions of intervals below and above the mean
		for _, e := range estimates {
			if float64(e.Hi) < mean {
				below += 1.0 / draws
			}
			if float64(e.Lo) > mean {
				above += 1.0 / draws
			}
		}
		const tail = (1 - coverage) / 2
		limit := tail + 4*math.Sqrt(tail*(1-tail)/draws)
		if below > limit || above > limit {
			t.Errorf("%+v: intervals are below the mean in %.3f of draws and above in %.3f, want at most %.3f", w,
				below,
				above, limit)
		}
	}
}

// TestMaximumAndEntropyGates simulates gates on the largest logit and on the entropy ratio. If the
// true value is on an edge of the band, a file must pass with a probability of at most β and fail
// with a probability of at most α/2, by a margin of four standard errors. Files with a value far
// inside pass, and files with a value far outside fail.
func TestMaximumAndEntropyGates(t *testing.T) {
	const draws, rate = 300, 0.1
	limit := rate + 4*math.Sqrt(rate*(1-rate)/draws)
	w := world{texts: 12, heads: 1, rows: 48, d: 16}
	r := rand.New(rand.NewPCG(93, 94))
	l := w.sampleWeights(r)
	var summaries []Summary
	maxLogit, entropy := 0.0, 0.0 // means over all draws
	for range draws {
		s := l.sampleSummary(t, r)
		summaries = append(summaries, s)
		maxLogit += float64(s.Heads[0].MaxLogit.Value) / draws
		entropy += float64(s.Heads[0].FirstScale().EntropyRatio.Value) / draws
	}
	for name, c := range map[string]struct {
		gate               Gate
		minPasses, minFail float64
	}{
		"largest logit on the limit":    {Gate{MaxLogit: maxLogit}, 0, 0},
		"largest logit below the limit": {Gate{MaxLogit: 4 * maxLogit}, 1, 0},
		"largest logit above the limit": {Gate{MaxLogit: maxLogit / 20}, 0, 0.9},
		"entropy on the lower edge":     {Gate{EntropyLo: entropy, EntropyHi: 1}, 0, 0},
		"entropy on the upper edge":     {Gate{EntropyLo: 0.1, EntropyHi: entropy}, 0, 0},
		"entropy inside":                {Gate{EntropyLo: 0.5, EntropyHi: 0.99}, 1, 0},
		"entropy outside":               {Gate{EntropyLo: 0.1, EntropyHi: 0.5}, 0, 1},
	} {
		c.gate.Alpha, c.gate.Beta = 2*rate, rate
		passes, failures := 0.0, 0.0 // proportions of draws
		for _, s := range summaries {
			switch s.Judge(c.gate, nil).Verdict {
			case result.Pass:
				passes += 1.0 / draws
			case result.Fail:
				failures += 1.0 / draws
			}
		}
		if passes < c.minPasses-1e-9 || c.minPasses == 0 && passes > limit {
			t.Errorf("%s: a proportion %.3f of files passes, want at least %v, and at most %.3f on an edge", name,
				passes,
				c.minPasses, limit)
		}
		if failures < c.minFail-1e-9 || c.minFail == 0 && failures > limit {
			t.Errorf("%s: a proportion %.3f of files fails, want at least %v, and at most %.3f on an edge", name,
				failures,
				c.minFail, limit)
		}
	}
}
