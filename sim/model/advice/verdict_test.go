package advice

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// newEstimate returns an estimate in the middle of its interval.
func newEstimate(lo, hi float64) Estimate { return Estimate{(lo + hi) / 2, (hi - lo) / 4, lo, hi} }

// TestLabels uses means of Σα² next to the limits, 0.4365 for 8 keys and 0.2355 for 1024 (E Σα² of
// normal logits with σ = √(2 ln n) by mpmath 1.2.1, see the test of the limit).
func TestLabels(t *testing.T) {
	const spread, concentrated, dead = names.LabelSpread, names.LabelConcentrated, names.LabelDead
	fewDead, halfDead, mostlyDead := newEstimate(0, 0.01), newEstimate(0.45, 0.55), newEstimate(0.6, 0.7)
	for _, c := range []struct {
		collision, dead Estimate
		keys            int
		want            []string
	}{
		{newEstimate(0.2, 0.25), fewDead, 8, []string{spread}},
		{newEstimate(0.126, 0.127), fewDead, 8, []string{spread}},
		{newEstimate(0.43, 0.436), fewDead, 8, []string{spread}},
		{newEstimate(0.437, 0.44), fewDead, 8, []string{concentrated}},
		{newEstimate(0.43, 0.44), fewDead, 8, []string{spread, concentrated}},
		{newEstimate(0.23, 0.2353), fewDead, 1024, []string{spread}},
		{newEstimate(0.2358, 0.24), fewDead, 1024, []string{concentrated}},
		{newEstimate(0.9, 0.95), halfDead, 8, []string{concentrated, dead}},
		{newEstimate(0.9, 0.95), mostlyDead, 8, []string{dead}},
	} {
		a := &Answer{Collision: c.collision, DeadProportion: c.dead}
		if got := a.Labels(c.keys); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", a, got, c.want)
		}
	}
}

// TestJudge checks verdicts, and their error rates for a true value on an edge of the band, where
// either decision is wrong.
func TestJudge(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	sampleAnswer := func() *Answer {
		var squares []float64
		for range MinDraws {
			squares = append(squares, 4+0.2*random.NormFloat64())
		}
		return &Answer{Draws: MinDraws, meanSquare: newMean(squares)}
	}
	if g := sampleAnswer().Judge(1, 3); g.Verdict != result.Pass {
		t.Errorf("2 in 1..3: %+v", g)
	}
	for _, band := range [][2]float64{{2.5, 3}, {0, 1.5}} {
		if g := sampleAnswer().Judge(band[0], band[1]); g.Verdict != result.Fail {
			t.Errorf("2 in %v: %+v", band, g)
		}
	}
	const runs = 20_000
	counts := map[result.Verdict]int{}
	for range runs {
		counts[sampleAnswer().Judge(0, 2).Verdict]++
	}
	limit := runs*GateRate + 4.5*math.Sqrt(runs*GateRate)
	for _, v := range []result.Verdict{result.Pass, result.Fail} {
		if n := float64(counts[v]); n > limit || n < 2*runs*GateRate-limit {
			t.Errorf("true value on the edge: %s %v of %d times, want a rate of at most %v", v, n, runs, GateRate)
		}
	}
}
