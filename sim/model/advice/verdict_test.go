package advice

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// newEstimate returns an estimate in the middle of the interval [lo, hi].
func newEstimate(lo, hi float64) Estimate { return Estimate{(lo + hi) / 2, (hi - lo) / 4, lo, hi} }

// TestLabels checks labels for means of Σα² close to the limits, which are 0.4365 for 8 keys and
// 0.2355 for 1024 keys: E Σα² for n keys and normal logits with σ = √(2 ln n), by mpmath 1.2.1.
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
			t.Errorf("Σα² %+v, dead rows %+v, %d keys: the labels are %q, want %q", c.collision, c.dead, c.keys, got,
				c.want)
		}
	}
}

// TestJudge checks verdicts for a true value of 2. It also checks the rates of passes and failures
// if the true value is on an edge of the band: both count as wrong decisions there.
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
		t.Errorf("the band 1 to 3 gets %+v, want pass", g)
	}
	for _, band := range [][2]float64{{2.5, 3}, {0, 1.5}} {
		if g := sampleAnswer().Judge(band[0], band[1]); g.Verdict != result.Fail {
			t.Errorf("the band %v gets %+v, want fail", band, g)
		}
	}
	const runs = 20_000
	counts := map[result.Verdict]int{}
	for range runs {
		counts[sampleAnswer().Judge(0, 2).Verdict]++
	}
	const want = runs * GateRate
	tolerance := 4.5 * math.Sqrt(want) // in standard deviations of a Poisson variable
	for _, v := range []result.Verdict{result.Pass, result.Fail} {
		if n := float64(counts[v]); math.Abs(n-want) > tolerance {
			t.Errorf("true value on an edge: got %s in %v of %d runs, want %v ± %.0f", v, n, runs, want, tolerance)
		}
	}
}
