package training

import (
	"maps"
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

// newTrainingCell returns a cell with few steps. The arguments replace values of axes; they are
// pairs of an axis and its value.
func newTrainingCell(t testing.TB, values ...string) experiment.Cell {
	t.Helper()
	axisValues := map[string]string{names.ParamDimension: "16", names.ParamExponent: "1/2",
		names.ParamOptimiser: names.OptimiserDescent, names.ParamOctave: "0", names.ParamSteps: "10"}
	for i := 0; i < len(values); i += 2 {
		axisValues[values[i]] = values[i+1]
	}
	return experimenttest.NewCell(t, Experiment, axisValues)
}

// TestSeedsAreTheSameEverywhere checks that the seeds have the same stream, and so the same data
// and initial weights, under every rule, rate, optimiser and set of trained weights at one d_k. If
// the rule and the trained weights are the same too, the losses before the first step must be
// equal. At another d_k, and for different seeds, they must differ.
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
			t.Errorf("%s: first losses before training: got %v, want %v as in other cells", c.ID, got[:3], want[:3])
		}
	}
	for _, c := range []experiment.Cell{ // their first losses differ, since rules or trained weights do
		newTrainingCell(t, names.ParamExponent, "1"), newTrainingCell(t, names.ParamTrained, names.TrainedAll),
		newTrainingCell(t, names.ParamVariant, names.VariantAdditive),
	} {
		if got, want := c.StreamName(), newTrainingCell(t).StreamName(); got != want {
			t.Errorf("%s: stream name: got %s, want %s as in other cells", c.ID, got, want)
		}
	}
	if otherLosses := firstLosses(newTrainingCell(t, names.ParamDimension, "32")); otherLosses[0] == want[0] {
		t.Error("the first loss at d_k = 32 is equal to the first loss at d_k = 16")
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(want))); len(distinct) != seedCount {
		t.Errorf("got %d distinct first losses, want %d", len(distinct), seedCount)
	}
}

// TestMissProbability compares missProbability with 2·binom.cdf(k−1, n, 1/2) of SciPy 1.10.1. It is
// the probability that the interval from the k-th smallest to the k-th largest of n values misses
// the median.
func TestMissProbability(t *testing.T) {
	for _, c := range []struct {
		n, k int
		want float64
	}{{20, 6, 0.04138947}, {20, 5, 0.01181793}, {20, 7, 0.1153183}, {5, 1, 0.0625}, {19, 5, 0.01921082}} {
		if got := missProbability(c.n, c.k); math.Abs(got/c.want-1) > 1e-6 {
			t.Errorf("missProbability(%d, %d) = %v, want %v by SciPy", c.n, c.k, got, c.want)
		}
	}
}

func TestMaxRank(t *testing.T) {
	for _, c := range []struct {
		n       int
		maxMiss float64
		want    int
	}{{20, 0.05, 6}, {20, 0.05 / 4, 5}, {5, 0.05, 0}} {
		if got := maxRank(c.n, c.maxMiss); got != c.want {
			t.Errorf("maxRank(%d, %v) = %d, want %d", c.n, c.maxMiss, got, c.want)
		}
	}
}

// TestInfiniteValues checks estimates of a median if some values are infinite: the median and each
// limit of its interval must be present if they are finite, and absent otherwise.
func TestInfiniteValues(t *testing.T) {
	inf := math.Inf(1)
	r := withMedian(result.Estimate{}, []float64{3, 1, inf, 2, inf})
	if r.Value != 3 || r.Lo != 1 || r.Hi.Present() || r.Level != 0.9375 {
		t.Errorf("two of five values are infinite: got %v in [%v, %v] at level %v, want 3 in [1, absent] at level "+
			"0.9375", r.Value, r.Lo, r.Hi, r.Level)
	}
	r = withMedian(result.Estimate{}, []float64{1, inf, inf, 2, inf})
	if r.Value.Present() || r.Lo != 1 {
		t.Errorf("three of five values are infinite: got the value %v and the lower limit %v, want no value and 1",
			r.Value, r.Lo)
	}
}

// newSweep returns a sweep in which all seeds have the given mean loss at each octave.
func newSweep(losses map[int]float64) *sweep {
	s := &sweep{}
	for octave, loss := range losses {
		records := make([]training.Record, seedCount)
		for i := range records {
			records[i].Mean = loss
		}
		s.trials = append(s.trials, trial{octave: octave, records: records})
	}
	slices.SortFunc(s.trials, func(a, b trial) int { return a.octave - b.octave })
	return s
}

// TestBestRateBeyondTheCore checks that a rate beyond the core, the octaves −4 to 4, is chosen only
// if the best rate of the core is at the end on the same side, and if it is at most four octaves
// beyond this end. If losses are equal, the lowest rate must be chosen.
func TestBestRateBeyondTheCore(t *testing.T) {
	// newLosses returns losses for octaves −9 to 9, which increase with the distance from best, but
	// are 0 at the octaves of zeroAt.
	newLosses := func(best int, zeroAt ...int) map[int]float64 {
		losses := map[int]float64{}
		for octave := -9; octave <= 9; octave++ {
			losses[octave] = 2 + math.Abs(float64(octave-best))
		}
		for _, octave := range zeroAt {
			losses[octave] = 0
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
			t.Errorf("best octave for the losses %v: got %d, want %d", c.losses, got, c.want)
		}
	}
	if got := newSweep(map[int]float64{7: 1}).best(tuningLoss); got != nil {
		t.Errorf("best octave of a sweep without a core: got %d, want none", got.octave)
	}
}

// newSweepWithSteps returns a sweep with one rate, at which the judging seeds reach the threshold
// after the given steps. 0 means never, and nil steps mean never for all seeds.
func newSweepWithSteps(t *testing.T, steps []float64) *sweep {
	records := make([]training.Record, seedCount)
	for i := range judgingSeeds {
		records[tuningSeeds+i].Steps = training.Never
		if steps != nil && steps[i] > 0 {
			records[tuningSeeds+i].Steps = int(steps[i])
		}
	}
	return &sweep{Setting: training.Setting{Steps: 200}, aggregate: newTrainingCell(t),
		trials: []trial{{records: records}}}
}

// TestRatiosOfSeedsThatDoNotLearn checks that seeds have no ratio if neither of their runs learns.
// A seed for which only one run learns bounds its ratio on one side only. A limit of the interval
// that needs the missing bound must be absent.
func TestRatiosOfSeedsThatDoNotLearn(t *testing.T) {
	// The steps are from d_k = 256 by gradient descent. The rule without a scale never learns, and
	// the reference learns for 15 of 20 seeds.
	rule := newSweepWithSteps(t, nil)
	reference := newSweepWithSteps(t,
		[]float64{39, 65, 69, 0, 47, 46, 19, 0, 52, 0, 27, 49, 140, 49, 30, 24, 0, 0, 30, 52})
	c := newContrast(rule, reference)
	r := c.ratioEstimate(rule.aggregate)
	if r.N != 15 {
		t.Errorf("got %d seeds with a ratio, want 15", r.N)
	}
	if want := 200.0 / 47; math.Abs(float64(r.Value)-want) > 1e-9 {
		t.Errorf("median ratio: got %v, want %v", r.Value, want)
	}
	// In 10⁶ resamples by NumPy 1.24.2, the 0.75th to the 2.5th percentile of the median are all
	// 200/52. So the limit does not depend on the exact level.
	if want := 200.0 / 52; math.Abs(float64(r.Lo)-want) > 1e-9 {
		t.Errorf("lower limit: got %v, want %v", r.Lo, want)
	}
	if r.Hi.Present() {
		t.Errorf("upper limit: got %v, want none", r.Hi)
	}
	c.add(10, math.Inf(1), 200)
	lower, upper := c.lower[len(c.lower)-1], c.upper[len(c.upper)-1]
	if lower != 0 || upper != 0.05 {
		t.Errorf("bounds of the ratio if only the rule learns: got %v and %v, want 0 and 0.05", lower, upper)
	}
}

// TestSweepsWarn checks the warnings about sweeps that lack an octave between others, that have no
// rate of the core, or whose best rate is the first or last that was tried. Complete sweeps must
// have no warning. The estimate of untried rates must count the octaves that the warning names.
func TestSweepsWarn(t *testing.T) {
	for _, c := range []struct {
		octaves      []int
		best         int
		want         string // part of the warning; empty if there must be none
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
		s := newSweep(losses)
		s.aggregate = newTrainingCell(t)
		if s.best(tuningLoss) != nil {
			r, want := s.untriedRates(), c.untriedRates
			if r.Value != want || r.Lo != want || r.Hi != want {
				t.Errorf("octaves %v: untried rates: got %v in [%v, %v], want %v without width", c.octaves, r.Value,
					r.Lo, r.Hi, want)
			}
		}
		warnings := s.warnings()
		switch {
		case c.want == "":
			if len(warnings) > 0 {
				t.Errorf("octaves %v: got the warnings %+v, want none", c.octaves, warnings)
			}
		case len(warnings) != 1 || !strings.Contains(warnings[0].Text, c.want):
			t.Errorf("octaves %v: got the warnings %+v, want one that contains %q", c.octaves, warnings, c.want)
		}
	}
}

// TestFinish checks the estimates from several cells: that they are of aggregates, how many there
// are of each quantity, and that the ratio of steps at d_k = 16 is the median of the records'
// ratios.
func TestFinish(t *testing.T) {
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
		trials = append(trials, trial{cell: c, octave: cellOctave(c), records: readRecords(nodes[i])})
	}
	sweeps := groupSweeps(trials)
	if len(sweeps) != 4 {
		t.Fatalf("got %d sweeps, want 4", len(sweeps))
	}
	counts := map[string]int{}
	for _, r := range doc.Estimates {
		counts[r.Quantity]++
		if !strings.Contains(r.Cell, "octave=*") {
			t.Errorf("%s is an estimate of the cell %s, want an aggregate over octaves", r.Quantity, r.Cell)
		}
		if r.Quantity == names.StepsRatio && r.Params[names.ParamDimension] == 16.0 {
			judges := make([]int, judgingSeeds)
			for i := range judges {
				judges[i] = i
			}
			// Sweeps 0 and 2 have the exponents 0 and 1/2 at d_k = 16.
			rule, reference := sweeps[0].best(tuningLoss), sweeps[2].best(tuningLoss)
			recordRatios := newRatios(rule.stepsToThreshold(), reference.stepsToThreshold(), 40, judges)
			if want := elementary.Median(recordRatios.lower); float64(r.Value) != want {
				t.Errorf("ratio of steps: got %v, want %v from the records", r.Value, want)
			}
			if got := r.Params[names.ParamExponent]; got != 0.0 {
				t.Errorf("the ratio of steps is of the exponent %v, want 0", got)
			}
		}
	}
	for quantity, want := range map[string]int{names.StepsRatio: 2, "rate_slope": 2, names.LearningRate: 4,
		names.RelativeLoss: 4 * (training.Checkpoints + 1)} {
		if counts[quantity] != want {
			t.Errorf("got %d estimates of %s, want %d", counts[quantity], quantity, want)
		}
	}
}

// TestExpectedSlopeOfRates checks that the slope of the best rate has an expected value only if the
// sweeps are complete and have the number of steps of the protocol, names.ContrastSteps.
func TestExpectedSlopeOfRates(t *testing.T) {
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
	r := newRateSlope(newTrainingCell(t), newLine(maxOctaves, names.ContrastSteps))
	if r.Value != -0.5 || r.Theory != -0.5 {
		t.Errorf("complete sweeps: got the slope %v and the expected slope %v, want -0.5 for both", r.Value, r.Theory)
	}
	for name, line := range map[string][]*sweep{
		"narrow sweeps": newLine(maxOctaves-1, names.ContrastSteps),
		"short runs":    newLine(maxOctaves, names.ContrastSteps/2),
	} {
		if r := newRateSlope(newTrainingCell(t), line); r.Theory.Present() {
			t.Errorf("%s: got the expected slope %v, want none", name, r.Theory)
		}
	}
}

// TestRules checks that a rule trains as the variant or the exponent with the same logits does, that
// rules stand next to each other in one experiment, and which rules are refused.
func TestRules(t *testing.T) {
	settingOf := func(values ...string) training.Setting { return cellSetting(newTrainingCell(t, values...)) }
	for rule, same := range map[string][]string{
		"power(1)":     {names.ParamExponent, "1"},
		"power(0)":     {names.ParamExponent, "0"},
		"sqrt(d_k/2)":  {names.ParamVariant, names.VariantHalfRoot},
		"qk-norm":      {names.ParamVariant, names.VariantNormalised},
		"additive":     {names.ParamVariant, names.VariantAdditive},
		"soft-cap(50)": nil,
	} {
		got, want := settingOf(names.ParamRule, rule), settingOf(same...)
		if rule == "soft-cap(50)" {
			want.Rule.Variant, want.Rule.Cap = training.SoftCap, 50
		}
		if got != want {
			t.Errorf("%s: got the setting %+v, want %+v", rule, got, want)
		}
	}
	steps := map[string]float64{}
	var sweeps []*sweep
	for _, rule := range []string{"power(1/2)", "power(1)", "qk-norm", "soft-cap(1)"} {
		c := newTrainingCell(t, names.ParamRule, rule)
		records := readRecords(experimenttest.SampleCell(c, 1))
		steps[c.ID] = records[0].Losses[training.Checkpoints]
		sweeps = append(sweeps, groupSweeps([]trial{{cell: c, records: records}})...)
	}
	if len(steps) != 4 || len(slices.Compact(slices.Sorted(maps.Values(steps)))) != 4 {
		t.Errorf("got the last losses %v, want four different ones", steps)
	}
	if reference := findReference(sweeps[2], sweeps); reference != sweeps[0] {
		t.Error("qk-norm is not compared with power(1/2)")
	}
	for rule, reason := range map[string]string{
		"log-n": "power of d_k times a number", "yarn(4)": "power of d_k times a number", "rope": "does not have it",
		"cosine(10)": "does not have it", "qk-norm(2)": "does not have it", "additive(8)": "does not have it",
		"key-normalised": "does not have it",
	} {
		if _, err := ruleAxis.Parse(rule); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: got the error %v, want one with %q", rule, err, reason)
		}
	}
	for _, c := range []struct{ param, value, reason string }{
		{names.ParamExponent, "1", "write exponent: 1/2"},
		{names.ParamVariant, names.VariantAdditive, "sets another scale"},
		{names.ParamVariant, names.VariantCopying, "with the plain layer only"},
	} {
		err := newTrainingCell(t, names.ParamRule, "qk-norm", c.param, c.value).Refuse(false)
		if err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s %s: got the error %v, want one with %q", c.param, c.value, err, c.reason)
		}
	}
}
