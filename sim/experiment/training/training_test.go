package training

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/attention/training"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// cellAt returns a cell of few steps at those values.
func cellAt(t testing.TB, values ...string) experiment.Cell {
	t.Helper()
	at := map[string]string{names.ParamDimension: "16", names.ParamExponent: "1/2",
		names.ParamOptimiser: names.OptimiserDescent, names.ParamOctave: "0", names.ParamSteps: "10"}
	for i := 0; i < len(values); i += 2 {
		at[values[i]] = values[i+1]
	}
	return experimenttest.NewCell(t, Experiment, at)
}

// What the seeds begin with is the same under every rule, rate, optimiser and arm of one
// d_k, and another at another d_k.
func TestSeedsAreTheSameEverywhere(t *testing.T) {
	first := func(c experiment.Cell) []float64 { // the losses before the first step
		return each(recordsOf(experimenttest.SampleCell(c, 1)), func(r *training.Record) float64 { return r.Losses[0] })
	}
	want := first(cellAt(t))
	for _, c := range []experiment.Cell{
		cellAt(t, names.ParamOctave, "2"), cellAt(t, names.ParamOptimiser, names.OptimiserAdam),
		cellAt(t, names.ParamSteps, "20"),
	} {
		if got := first(c); !slices.Equal(got, want) {
			t.Errorf("%s begins with %v, another with %v", c.ID, got[:3], want[:3])
		}
	}
	for _, c := range []experiment.Cell{ // whose first losses are others
		cellAt(t, names.ParamExponent, "1"), cellAt(t, names.ParamTrained, names.TrainedAll),
		cellAt(t, names.ParamVariant, names.VariantAdditive),
	} {
		if got, want := c.StreamName(), cellAt(t).StreamName(); got != want {
			t.Errorf("%s has the stream %s, another %s", c.ID, got, want)
		}
	}
	if other := first(cellAt(t, names.ParamDimension, "32")); other[0] == want[0] {
		t.Error("another d_k begins with the same")
	}
	if seen := slices.Compact(slices.Sorted(slices.Values(want))); len(seen) != seeds {
		t.Errorf("%d of %d seeds differ", len(seen), seeds)
	}
}

// The chance that an interval between order statistics misses, by SciPy 1.10.1: 2·binom.cdf(k−1, n,
// 1/2).
func TestMissed(t *testing.T) {
	for _, c := range []struct {
		n, k int
		want float64
	}{{20, 6, 0.04138947}, {20, 5, 0.01181793}, {20, 7, 0.1153183}, {5, 1, 0.0625}, {19, 5, 0.01921082}} {
		if got := missed(c.n, c.k); math.Abs(got/c.want-1) > 1e-6 {
			t.Errorf("%d of %d: %v, by SciPy %v", c.k, c.n, got, c.want)
		}
	}
	if rank(20, 0.05) != 6 || rank(20, 0.05/4) != 5 || rank(5, 0.05) != 0 {
		t.Errorf("ranks are %d, %d and %d", rank(20, 0.05), rank(20, 0.05/4), rank(5, 0.05))
	}
	inf := math.Inf(1)
	r := addMedian(result.Estimate{}, []float64{3, 1, inf, 2, inf})
	if r.Value != 3 || r.Lo != 1 || r.Hi.Present() || r.Level != 0.9375 {
		t.Errorf("a median of some that are infinite: %+v", r)
	}
	if r := addMedian(result.Estimate{}, []float64{1, inf, inf, 2, inf}); r.Value.Present() || r.Lo != 1 {
		t.Errorf("an infinite median: %+v", r)
	}
}

// swept returns a sweep whose mean loss at each octave is given.
func swept(losses map[int]float64) *sweep {
	s := &sweep{}
	for octave, loss := range losses {
		tr := trial{octave: octave, records: make([]training.Record, seeds)}
		for i := range tr.records {
			tr.records[i].Mean = loss
		}
		s.trials = append(s.trials, tr)
	}
	slices.SortFunc(s.trials, func(a, b trial) int { return a.octave - b.octave })
	return s
}

// Rates beyond the core count only where the best lies at its end, on that side, and no
// farther than four octaves; of equal ones the slowest is taken.
func TestSweepGoesOnWhereItEnds(t *testing.T) {
	at := func(best int, also ...int) map[int]float64 {
		losses := map[int]float64{}
		for k := -9; k <= 9; k++ {
			losses[k] = 2 + math.Abs(float64(k-best))
		}
		for _, k := range also {
			losses[k] = 0
		}
		return losses
	}
	for _, c := range []struct {
		losses map[int]float64
		want   int
	}{
		{at(1), 1}, {at(4), 4}, {at(6), 6}, {at(-7), -7}, {at(9), 8}, {at(-9), -8},
		{at(0, 7), 0}, {at(4, -6), 4}, {at(4, 9), 4}, {map[int]float64{0: 1, 1: 1, 2: 1}, 0},
	} {
		if got := swept(c.losses).best(tuned).octave; got != c.want {
			t.Errorf("the best of %v is %d, want %d", c.losses, got, c.want)
		}
	}
	if swept(map[int]float64{7: 1}).best(tuned) != nil {
		t.Error("a sweep without a core has a best rate")
	}
}

// runs returns those of seeds at one rate that reach the threshold in so many steps; 0 is never.
func runs(t *testing.T, steps []float64) *sweep {
	s := &sweep{Setting: training.Setting{Steps: 200}, point: cellAt(t)}
	s.trials = []trial{{records: make([]training.Record, tuning+judging)}}
	for i := range judging {
		s.trials[0].records[tuning+i].Steps = training.Never
		if steps != nil && steps[i] > 0 {
			s.trials[0].records[tuning+i].Steps = int(steps[i])
		}
	}
	return s
}

// Pairs of which neither run learns tell nothing, and a limit that rests on a run that was cut off
// is open.
func TestPairsThatTell(t *testing.T) {
	// d_k = 256, without a scale, gradient descent
	rule, root := runs(t, nil),
		runs(t, []float64{39, 65, 69, 0, 47, 46, 19, 0, 52, 0, 27, 49, 140, 49, 30, 24, 0, 0, 30, 52})
	c := contrastOf(rule, root)
	r := c.ratio(rule.point)
	// In 10⁶ sets that NumPy 1.24.2 drew, the percentiles of the median from 0.75 to 2.5 are
	// 200/52.
	if r.N != 15 || math.Abs(float64(r.Value)-200.0/47) > 1e-9 || math.Abs(float64(r.Lo)-200.0/52) > 1e-9 ||
		r.Hi.Present() {
		t.Errorf("%+v", r)
	}
	c.add(10, math.Inf(1), 200)
	if lower, upper := c.lower[len(c.lower)-1], c.upper[len(c.upper)-1]; lower != 0 || upper != 0.05 {
		t.Errorf("a run that alone learns: %v to %v", lower, upper)
	}
}

// A sweep with a hole, one without a rate of the core and one whose best rate is the last
// that was tried say so in one line; one that goes far beyond for the shared rate does not. The row
// of untried rates counts the octaves that the line names.
func TestSweepsWarn(t *testing.T) {
	for _, c := range []struct {
		octaves []int
		best    int
		want    string
		untried result.Number
	}{
		{[]int{-2, -1, 0, 1, 2}, 0, "", 0}, {[]int{0}, 0, "at octave -1 or 1", 2},
		{[]int{-8, -7, -6}, -7, "no rate within 4 octaves", 0},
		{[]int{-2, -1, 0, 1, 2}, 2, "at octave 3", 1}, {[]int{-1, 0, 1, 2, 3}, 2, "", 0},
		{[]int{-4, -3, -2, -1, 0}, -4, "at octave -5", 1},
		{[]int{-2, 0, 1, 3}, 0, "between others: -1, 2", 2},
		{[]int{-4, -3, -2, 0, 1}, 1, "between others: -1; the best rate is the last that was tried, and a better one " +
			"may lie beyond it, at octave 2", 2},
		{[]int{-4, -3, -2, -1, 0, 1, 2, 3, 4, 6}, 0, "", 0}, // 5 would not be chosen
		{[]int{-4, -3, -2, -1, 0, 1, 2, 3, 4, 6}, 6, "between others: 5; the best rate is the last that was tried, " +
			"and a better one may lie beyond it, at octave 7", 2},
		{[]int{-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10}, 8, "", 0},
	} {
		losses := map[int]float64{}
		for _, octave := range c.octaves {
			losses[octave] = math.Abs(float64(octave - c.best))
		}
		sweep := swept(losses)
		sweep.point = cellAt(t)
		found := sweep.warnings()
		if sweep.best(tuned) != nil {
			if r := sweep.untriedRates(); r.Value != c.untried || r.Lo != c.untried || r.Hi != c.untried {
				t.Errorf("octaves %v: %v rates untried, in [%v, %v], want %v", c.octaves, r.Value, r.Lo, r.Hi,
					c.untried)
			}
		}
		if c.want == "" && len(found) == 0 || c.want != "" && len(found) == 1 &&
			strings.Contains(found[0].Text, c.want) {
			continue
		}
		t.Errorf("octaves %v: %+v", c.octaves, found)
	}
}

// Over several cells: every rule is held against p = 1/2 at its best rate, and the document
// has a row of each quantity; ratios of steps agree with the records.
func TestAcross(t *testing.T) {
	var cells []experiment.Cell
	for _, exponent := range []string{"0", "1/2"} {
		for _, octave := range []string{"-1", "0", "1"} {
			for _, d := range []string{"16", "32"} {
				cells = append(cells, cellAt(t, names.ParamExponent, exponent, names.ParamOctave, octave,
					names.ParamDimension, d, names.ParamSteps, "40"))
			}
		}
	}
	doc := &result.Document{}
	nodes := make([]moments.Node, len(cells))
	for i, c := range cells {
		nodes[i] = experimenttest.SampleCell(c, 1)
	}
	sampled := experiment.SampledCells{Cells: cells, Node: func(i int) (moments.Node, error) { return nodes[i], nil }}
	experimenttest.Finish(t, finish, sampled, doc)
	var trials []trial
	for i, c := range cells {
		trials = append(trials, trial{c, octaveOf(c), recordsOf(nodes[i])})
	}
	sweeps := sweepsOf(trials)
	if len(sweeps) != 4 {
		t.Fatalf("%d sweeps", len(sweeps))
	}
	found := map[string]int{}
	for _, r := range doc.Estimates {
		found[r.Quantity]++
		if !strings.Contains(r.Cell, "octave=*") {
			t.Errorf("a row of %s", r.Cell)
		}
		if r.Quantity == names.StepsRatio && r.Params[names.ParamDimension] == 16.0 {
			judges := make([]int, judging)
			for i := range judges {
				judges[i] = i
			}
			want := elementary.Median(ratiosOf(sweeps[0].best(tuned).until(), sweeps[2].best(tuned).until(), 40,
				judges).lower)
			if float64(r.Value) != want || r.Params[names.ParamExponent] != 0.0 {
				t.Errorf("the ratio is %v, of the records %v", r.Value, want)
			}
		}
	}
	for quantity, want := range map[string]int{names.StepsRatio: 2, "rate_slope": 2, names.LearningRate: 4,
		names.RelativeLoss: 4 * (training.Checkpoints + 1)} {
		if found[quantity] != want {
			t.Errorf("%d rows of %s, want %d", found[quantity], quantity, want)
		}
	}
}

// What is expected of the best rate is held against a sweep of all rates alone: a narrow one
// stands about a reference that goes as expected, and could find nothing else.
func TestExpectedRatesWantAllRates(t *testing.T) {
	line := func(most, steps int) (line []*sweep) {
		for _, d := range []int{16, 64} {
			losses := map[int]float64{}
			for octave := -most; octave <= most; octave++ {
				losses[octave] = math.Abs(float64(octave))
			}
			s := swept(losses)
			s.Setting = training.Setting{Rule: training.Rule{Exponent: 0.5}, Dimension: d, Adam: true, Steps: steps}
			line = append(line, s)
		}
		return line
	}
	if r := rateSlope(cellAt(t), line(maxOctaves, names.ContrastSteps)); r.Theory != -0.5 || r.Value != -0.5 {
		t.Errorf("a slope of %v, and %v expected", r.Value, r.Theory)
	}
	for what, line := range map[string][]*sweep{"a narrow sweep": line(maxOctaves-1, names.ContrastSteps),
		"a short run": line(maxOctaves, names.ContrastSteps/2)} {
		if r := rateSlope(cellAt(t), line); r.Theory.Present() {
			t.Errorf("%s is held against %v", what, r.Theory)
		}
	}
}
