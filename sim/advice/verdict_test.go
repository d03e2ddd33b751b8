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

// The verdict is that of the rows that were asked for, whatever their logits, and two where
// an interval holds their border.
func TestVerdict(t *testing.T) {
	healthy, frozen, either := between(0.9, 1), between(0.2, 0.3), between(0.4, 0.6)
	for _, c := range []struct {
		median, weight Estimate
		keys           int
		want           []string
	}{
		{healthy, between(0.4, 0.5), 8, []string{names.LabelHealthy}},
		{healthy, between(0.5, 0.6), 1024, []string{names.LabelHealthy}},
		{healthy, between(1.4/1024, 1.5/1024), 1024, []string{names.LabelHealthy}},
		{healthy, between(1.1/8, 1.2/8), 8, []string{names.LabelTooSoft}},
		{healthy, between(0.55, 0.56), 2, []string{names.LabelTooSoft}},
		{either, between(0.7, 0.71), 8, []string{names.LabelSaturated, names.LabelHealthy}},
		{frozen, between(0.9, 0.92), 2, []string{names.LabelSaturated}},
		{between(0.01, 0.2), between(0.9, 0.92), 8, []string{names.LabelSaturated}},
		{healthy, between(1.2/8, 1.3/8), 8, []string{names.LabelTooSoft, names.LabelHealthy}},
	} {
		a := &Answer{Median: c.median, Weight: c.weight}
		if got := a.Verdict(c.keys); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", a, got, c.want)
		}
	}
	soft := &Answer{Median: between(0.99, 1), Weight: between(1.1/8, 1.2/8)}
	if got := soft.Labels(8); !slices.Equal(got, []string{names.LabelTooSoft}) {
		t.Errorf("even rows are %q", got)
	}
	border := &Answer{Median: between(0.99, 1), Weight: between(1.2/8, 1.3/8)}
	if got := border.Labels(8); !slices.Equal(got, []string{names.LabelTooSoft, names.LabelHealthy}) {
		t.Errorf("rows on the border are %q", got)
	}
}

// A gate passes, fails or stays undecided by its interval, and decides wrongly as seldom
// as it says: with the truth on an edge either decision is wrong, each at most at its rate.
func TestJudge(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	drawn := func() *Answer {
		var squares []float64
		for range LeastDraws {
			squares = append(squares, 4+0.2*random.NormFloat64())
		}
		return &Answer{Draws: LeastDraws, square: meanOf(squares)}
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
