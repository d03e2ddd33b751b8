package advice

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// between is an estimate that is in the middle of its interval.
func between(lo, hi float64) Estimate { return Estimate{(lo + hi) / 2, (hi - lo) / 4, lo, hi} }

// A label goes by the mean of Σα² against the limit, which is 0.4365 for 8 keys and 0.2355 for 1024
// (E Σα² of normal logits with σ = √(2 ln n) by mpmath 1.2.1, see the test of the limit), and by
// the share of dead rows. There are several if an interval leaves them open.
func TestLabels(t *testing.T) {
	const spread, concentrated, dead = names.LabelSpread, names.LabelConcentrated, names.LabelDead
	none, some, most := between(0, 0.01), between(0.45, 0.55), between(0.6, 0.7)
	for _, c := range []struct {
		collision, dead Estimate
		keys            int
		want            []string
	}{
		{between(0.2, 0.25), none, 8, []string{spread}},
		{between(0.126, 0.127), none, 8, []string{spread}},
		{between(0.43, 0.436), none, 8, []string{spread}},
		{between(0.437, 0.44), none, 8, []string{concentrated}},
		{between(0.43, 0.44), none, 8, []string{spread, concentrated}},
		{between(0.23, 0.2353), none, 1024, []string{spread}},
		{between(0.2358, 0.24), none, 1024, []string{concentrated}},
		{between(0.9, 0.95), some, 8, []string{concentrated, dead}},
		{between(0.9, 0.95), most, 8, []string{dead}},
	} {
		a := &Answer{Collision: c.collision, Dead: c.dead}
		if got := a.Labels(c.keys); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", a, got, c.want)
		}
	}
}

// A gate passes, fails or stays undecided by its interval, and decides wrongly as seldom
// as it says: with the truth on an edge either decision is wrong, each at most at its rate.
func TestJudge(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	drawn := func() *Answer {
		var squares []float64
		for range MinDraws {
			squares = append(squares, 4+0.2*random.NormFloat64())
		}
		return &Answer{Draws: MinDraws, square: newMean(squares)}
	}
	if g := drawn().Judge(1, 3); g.Verdict != result.Pass {
		t.Errorf("2 in 1..3: %+v", g)
	}
	for _, band := range [][2]float64{{2.5, 3}, {0, 1.5}} {
		if g := drawn().Judge(band[0], band[1]); g.Verdict != result.Fail {
			t.Errorf("2 in %v: %+v", band, g)
		}
	}
	const runs = 20_000
	found := map[result.Verdict]int{}
	for range runs {
		found[drawn().Judge(0, 2).Verdict]++
	}
	limit := runs*GateRate + 4.5*math.Sqrt(runs*GateRate)
	for _, v := range []result.Verdict{result.Pass, result.Fail} {
		if n := float64(found[v]); n > limit || n < 2*runs*GateRate-limit {
			t.Errorf("with the truth on the edge %s %v of %d times, declared is a rate of %v", v, n, runs, GateRate)
		}
	}
}
