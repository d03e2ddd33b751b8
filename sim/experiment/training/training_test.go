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

// newTrainingCell returns a cell with few steps and the given values, which are pairs of an axis
// and its value.
func newTrainingCell(t testing.TB, values ...string) experiment.Cell {
	t.Helper()
	axisValues := map[string]string{names.ParamDimension: "16", names.ParamExponent: "1/2",
		names.ParamOptimiser: names.OptimiserDescent, names.ParamOctave: "0", names.ParamSteps: "10"}
	for i := 0; i < len(values); i += 2 {
		axisValues[values[i]] = values[i+1]
	}
	return experimenttest.NewCell(t, Experiment, axisValues)
}

// TestSeedsAreTheSameEverywhere checks that the seeds start with the same data and weights under
// every rule, rate, optimiser and set of trained weights at one d_k, and with others at another
// d_k.
func TestSeedsAreTheSameEverywhere(t *testing.T) {
	firstLosses := func(c experiment.Cell) []float64 { // the losses before the first step
		records := readRecords(experimenttest.SampleCell(c, 1))
		return mapRecords(records, func(r *training.Record) float64 { return r.Losses[0] })
	}
	want := firstLosses(newTrainingCell(t))
	for _, c := range []experiment.Cell{
		newTrainingCell(t, names.ParamOctave, "2"), newTrainingCell(t, names.ParamOptimiser, names.OptimiserAdam),
		newTrainingCell(t, names.ParamSteps, "20"),
	} {
		if got := firstLosses(c); !slices.Equal(got, want) {
			t.Errorf("%s begins with %v, another with %v", c.ID, got[:3], want[:3])
		}
	}
	for _, c := range []experiment.Cell{ // cells with other first losses
		newTrainingCell(t, names.ParamExponent, "1"), newTrainingCell(t, names.ParamTrained, names.TrainedAll),
		newTrainingCell(t, names.ParamVariant, names.VariantAdditive),
	} {
		if got, want := c.StreamName(), newTrainingCell(t).StreamName(); got != want {
			t.Errorf("%s has the stream %s, another %s", c.ID, got, want)
		}
	}
	if otherLosses := firstLosses(newTrainingCell(t, names.ParamDimension, "32")); otherLosses[0] == want[0] {
		t.Error("another d_k begins with the same")
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(want))); len(distinct) != seedCount {
		t.Errorf("%d of %d seeds differ", len(distinct), seedCount)
	}
}

// TestMissed compares the probability that an interval between order statistics misses with SciPy
// 1.10.1: 2·binom.cdf(k−1, n, 1/2).
func TestMissed(t *testing.T) {
	for _, c := range []struct {
		n, k int
		want float64
	}{{20, 6, 0.04138947}, {20, 5, 0.01181793}, {20, 7, 0.1153183}, {5, 1, 0.0625}, {19, 5, 0.01921082}} {
		if got := missProbability(c.n, c.k); math.Abs(got/c.want-1) > 1e-6 {
			t.Errorf("%d of %d: %v, by SciPy %v", c.k, c.n, got, c.want)
		}
	}
	if maxRank(20, 0.05) != 6 || maxRank(20, 0.05/4) != 5 || maxRank(5, 0.05) != 0 {
		t.Errorf("ranks are %d, %d and %d", maxRank(20, 0.05), maxRank(20, 0.05/4), maxRank(5, 0.05))
	}
	inf := math.Inf(1)
	r := withMedian(result.Estimate{}, []float64{3, 1, inf, 2, inf})
	if r.Value != 3 || r.Lo != 1 || r.Hi.Present() || r.Level != 0.9375 {
		t.Errorf("a median of some that are infinite: %+v", r)
	}
	if r := withMedian(result.Estimate{}, []float64{1, inf, inf, 2, inf}); r.Value.Present() || r.Lo != 1 {
		t.Errorf("an infinite median: %+v", r)
	}
}

// newSweep returns a sweep with the given mean loss at each octave.
func newSweep(losses map[int]float64) *sweep {
	s := &sweep{}
	for octave, loss := range losses {
		tr := trial{octave: octave, records: make([]training.Record, seedCount)}
		for i := range tr.records {
			tr.records[i].Mean = loss
		}
		s.trials = append(s.trials, tr)
	}
	slices.SortFunc(s.trials, func(a, b trial) int { return a.octave - b.octave })
	return s
}

// TestSweepGoesOnWhereItEnds checks that rates beyond the core count only if the best rate is at
// the end of the core, on the same side, and at most four octaves away. Of equal losses the lowest
// rate is chosen.
func TestSweepGoesOnWhereItEnds(t *testing.T) {
	newLosses := func(best int, zeroAt ...int) map[int]float64 {
		losses := map[int]float64{}
		for k := -9; k <= 9; k++ {
			losses[k] = 2 + math.Abs(float64(k-best))
		}
		for _, k := range zeroAt {
			losses[k] = 0
		}
		return losses
	}
	for _, c := range []struct {
		losses map[int]float64
		want   int
	}{
		{newLosses(1), 1}, {newLosses(4), 4}, {newLosses(6), 6}, {newLosses(-7), -7}, {newLosses(9), 8},
		{newLosses(-9), -8},
		{newLosses(0, 7), 0}, {newLosses(4, -6), 4}, {newLosses(4, 9), 4}, {map[int]float64{0: 1, 1: 1, 2: 1}, 0},
	} {
		if got := newSweep(c.losses).best(tuningLoss).octave; got != c.want {
			t.Errorf("the best of %v is %d, want %d", c.losses, got, c.want)
		}
	}
	if newSweep(map[int]float64{7: 1}).best(tuningLoss) != nil {
		t.Error("a sweep without a core has a best rate")
	}
}

// newRuns returns a sweep with one rate, at which the judging seeds reach the threshold after the
// given steps; 0 means never.
func newRuns(t *testing.T, steps []float64) *sweep {
	s := &sweep{Setting: training.Setting{Steps: 200}, aggregate: newTrainingCell(t)}
	s.trials = []trial{{records: make([]training.Record, tuningSeeds+judgingSeeds)}}
	for i := range judgingSeeds {
		s.trials[0].records[tuningSeeds+i].Steps = training.Never
		if steps != nil && steps[i] > 0 {
			s.trials[0].records[tuningSeeds+i].Steps = int(steps[i])
		}
	}
	return s
}

// TestPairsThatTell checks that seeds of which neither run learns have no ratio, and that a limit
// that depends on a truncated run is open.
func TestPairsThatTell(t *testing.T) {
	// d_k = 256, without a scale, gradient descent
	rule, root := newRuns(t, nil),
		newRuns(t, []float64{39, 65, 69, 0, 47, 46, 19, 0, 52, 0, 27, 49, 140, 49, 30, 24, 0, 0, 30, 52})
	c := newContrast(rule, root)
	r := c.ratioEstimate(rule.aggregate)
	// In 10⁶ sets sampled by NumPy 1.24.2, the percentiles of the median from 0.75 to 2.5 are
	// 200/52.
	if r.N != 15 || math.Abs(float64(r.Value)-200.0/47) > 1e-9 || math.Abs(float64(r.Lo)-200.0/52) > 1e-9 ||
		r.Hi.Present() {
		t.Errorf("%+v", r)
	}
	c.add(10, math.Inf(1), 200)
	if lower, upper := c.lower[len(c.lower)-1], c.upper[len(c.upper)-1]; lower != 0 || upper != 0.05 {
		t.Errorf("only the rule learns: %v to %v", lower, upper)
	}
}

// TestSweepsWarn checks the warnings about sweeps with a hole, without a rate of the core, or
// whose best rate is the last that was tried; a sweep that continues far enough has none. The
// estimate of untried rates counts the octaves that the warning names.
func TestSweepsWarn(t *testing.T) {
	for _, c := range []struct {
		octaves      []int
		best         int
		want         string
		untriedRates result.Number
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
		sweep := newSweep(losses)
		sweep.aggregate = newTrainingCell(t)
		warnings := sweep.warnings()
		if sweep.best(tuningLoss) != nil {
			if r := sweep.untriedRates(); r.Value != c.untriedRates || r.Lo != c.untriedRates ||
				r.Hi != c.untriedRates {
				t.Errorf("octaves %v: %v rates untried, in [%v, %v], want %v", c.octaves, r.Value, r.Lo, r.Hi,
					c.untriedRates)
			}
		}
		if c.want == "" && len(warnings) == 0 || c.want != "" && len(warnings) == 1 &&
			strings.Contains(warnings[0].Text, c.want) {
			continue
		}
		t.Errorf("octaves %v: %+v", c.octaves, warnings)
	}
}

// TestAcross checks that every rule is compared with p = 1/2 at its best rate, that the document
// has an estimate of each quantity, and that the ratios of steps agree with the records.
func TestAcross(t *testing.T) {
	var cells []experiment.Cell
	for _, exponent := range []string{"0", "1/2"} {
		for _, octave := range []string{"-1", "0", "1"} {
			for _, d := range []string{"16", "32"} {
				cells = append(cells, newTrainingCell(t, names.ParamExponent, exponent, names.ParamOctave, octave,
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
		trials = append(trials, trial{c, cellOctave(c), readRecords(nodes[i])})
	}
	sweeps := groupSweeps(trials)
	if len(sweeps) != 4 {
		t.Fatalf("%d sweeps", len(sweeps))
	}
	counts := map[string]int{}
	for _, r := range doc.Estimates {
		counts[r.Quantity]++
		if !strings.Contains(r.Cell, "octave=*") {
			t.Errorf("an estimate of %s", r.Cell)
		}
		if r.Quantity == names.StepsRatio && r.Params[names.ParamDimension] == 16.0 {
			judges := make([]int, judgingSeeds)
			for i := range judges {
				judges[i] = i
			}
			rule, root := sweeps[0].best(tuningLoss), sweeps[2].best(tuningLoss)
			want := elementary.Median(newRatios(rule.stepsToThreshold(), root.stepsToThreshold(), 40, judges).lower)
			if float64(r.Value) != want || r.Params[names.ParamExponent] != 0.0 {
				t.Errorf("the ratio is %v, of the records %v", r.Value, want)
			}
		}
	}
	for quantity, want := range map[string]int{names.StepsRatio: 2, "rate_slope": 2, names.LearningRate: 4,
		names.RelativeLoss: 4 * (training.Checkpoints + 1)} {
		if counts[quantity] != want {
			t.Errorf("%d rows of %s, want %d", counts[quantity], quantity, want)
		}
	}
}

// TestExpectedRatesWantAllRates checks that the expected slope of the best rate is given only for
// sweeps of all rates. The rates of a narrow sweep are near a reference that has the expected
// slope, so it could find nothing else.
func TestExpectedRatesWantAllRates(t *testing.T) {
	newLine := func(maxOctave, steps int) (line []*sweep) {
		for _, d := range []int{16, 64} {
			losses := map[int]float64{}
			for octave := -maxOctave; octave <= maxOctave; octave++ {
				losses[octave] = math.Abs(float64(octave))
			}
			s := newSweep(losses)
			s.Setting = training.Setting{Rule: training.Rule{Exponent: 0.5}, Dimension: d, Adam: true, Steps: steps}
			line = append(line, s)
		}
		return line
	}
	if r := newRateSlope(newTrainingCell(t), newLine(maxOctaves, names.ContrastSteps)); r.Theory != -0.5 ||
		r.Value != -0.5 {
		t.Errorf("a slope of %v, and %v expected", r.Value, r.Theory)
	}
	for name, line := range map[string][]*sweep{
		"a narrow sweep": newLine(maxOctaves-1, names.ContrastSteps),
		"a short run":    newLine(maxOctaves, names.ContrastSteps/2),
	} {
		if r := newRateSlope(newTrainingCell(t), line); r.Theory.Present() {
			t.Errorf("%s is compared with %v", name, r.Theory)
		}
	}
}
