package replay_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"mcsim/sim/attention"
	"mcsim/sim/base/distribution"
	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/related"
	"mcsim/sim/experiment/replay"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/experiment/softmax"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// newCell returns a cell with rows. It ignores shared or rho if the experiment does not have the
// axis.
func newCell(e *experiment.Experiment, distributionName string, d, keys int, shared string, rho float64,
	exponents ...float64) experiment.Cell {
	values := map[string]experiment.AxisValue{names.ParamDistribution: {Name: distributionName},
		names.ParamDimension: {Number: float64(d)}, names.ParamKeys: {Number: float64(keys)}}
	if e.Axis(names.ParamSharedKeys) != nil {
		values[names.ParamSharedKeys] = experiment.AxisValue{Name: shared}
	}
	if e.Axis(names.ParamRho) != nil {
		values[names.ParamRho] = experiment.AxisValue{Number: rho}
	}
	c := experiment.NewCell(e, values)
	c.Shared = map[string][]experiment.AxisValue{}
	for _, p := range exponents {
		c.Shared[names.ParamExponent] = append(c.Shared[names.ParamExponent], experiment.AxisValue{Number: p})
	}
	return c
}

// TestRowsEqualRowsOfExperiment reads all rows of a block again. It checks that the moments of
// their R under each scaling have the same bits as a column of the block that the experiment
// samples, for several distributions, and for independent, shared and aligned keys. The scores of
// aligned keys must have the same moments too.
func TestRowsEqualRowsOfExperiment(t *testing.T) {
	for _, c := range []experiment.Cell{
		newCell(softmax.Experiment, "normal", 1, 2, names.No, 0, 0, 0.5),
		newCell(softmax.Experiment, "normal", 64, 8, names.No, 0, 0, 0.5, 1),
		newCell(softmax.Experiment, "uniform", 7, 13, names.No, 0, 0.5),
		newCell(softmax.Experiment, "rademacher", 3, 5, names.No, 0, 0),
		newCell(softmax.Experiment, "sphere", 16, 4, names.No, 0, 0.5),
		newCell(softmax.Experiment, "normal", 1024, 64, names.No, 0, 0.5),
		newCell(softmax.Experiment, "normal", 16, 6, names.Yes, 0, 0.5),
		newCell(softmax.Experiment, "laplace", 5, 70, names.Yes, 0, 0),
		newCell(related.Alignment, "normal", 32, 8, names.No, 0.25, 0.5, 1),
		newCell(related.Alignment, "rademacher", 8, 3, names.No, -1, 1),
	} {
		for _, block := range []int64{0, 3} {
			var blockStream experiment.BlockStream
			blockStream.Begin(stream.Open(stream.ID{Seed: 5, Cell: c.ID, Attempt: 1}), block)
			want := c.Experiment.Sampler.Open(c)(&blockStream)
			reader, err := replay.Open(5, 1, c)
			if err != nil {
				t.Fatal(err)
			}
			var scores []float64
			traces := make([][]float64, len(rows.Scalings(c)))
			units := c.BlockUnits()
			for i := block * units; i < (block+1)*units; i++ {
				row, ok := reader.Row(i)
				if !ok {
					t.Fatalf("%s: Row(%d) stopped, although there is no Continue", c.ID, i)
				}
				rowScores := row.Scores(replay.Standard)
				scores = append(scores, float64(rowScores[0]))
				for s, scaling := range rows.Scalings(c) {
					traces[s] = append(traces[s], replay.Measure(rowScores, scaling, 1).RelativeTrace)
				}
			}
			if c.Experiment == related.Alignment {
				if got := moments.New(scores, 2); !sameMoments(got, want.Moments[0]) {
					t.Errorf("%s, block %d: moments of the scores of first keys: got %+v, want %+v", c.ID, block, got,
						want.Moments[0])
				}
			}
			for s, numbers := range traces {
				got := moments.New(numbers, experiment.ErrorOrder)
				isColumn := slices.ContainsFunc(want.Moments,
					func(column moments.Moments) bool { return sameMoments(column, got) })
				if !isColumn {
					t.Errorf("%s, block %d: no column of the node has the moments %+v of R under scaling %d", c.ID,
						block, got, s)
				}
			}
		}
	}
}

// sameMoments reports whether the numbers, means and sums of two moments are equal bit for bit.
func sameMoments(a, b moments.Moments) bool {
	return a.N == b.N && math.Float64bits(a.Mean) == math.Float64bits(b.Mean) && slices.Equal(a.Sum[:], b.Sum[:])
}

// TestRowEqualsSampleRow checks for every distribution that a row of a reader equals the result of
// SampleRow. The reader reads rows in several orders, and Continue stops it sometimes.
func TestRowEqualsSampleRow(t *testing.T) {
	for _, dist := range distribution.Defaults() {
		for _, shared := range []string{names.No, names.Yes} {
			c := newCell(softmax.Experiment, dist.String(), 33, 5, shared, 0, 0.5)
			reader, err := replay.Open(4, 2, c)
			if err != nil {
				t.Fatal(err)
			}
			vectors := 0
			reader.Continue = func() bool { // stops after each 101st of the first thousand vectors
				vectors++
				return vectors%101 != 0 || vectors > 1000
			}
			units := c.BlockUnits()
			for _, i := range []int64{17, 3, units + 40, 40, 16, 17, 3*units + 77, 0, units - 1} {
				got, ok := reader.Row(i)
				for !ok { // stopped by Continue
					got, ok = reader.Row(i)
				}
				want, err := replay.SampleRow(4, 2, c, i)
				if err != nil {
					t.Fatal(err)
				}
				if got.Alignment != want.Alignment || !slices.Equal(got.Query, want.Query) ||
					!slices.EqualFunc(got.Keys, want.Keys, slices.Equal[[]float32]) {
					t.Errorf("row %d of %s: got %v, want %v as by SampleRow", i, c.ID, got, want)
				}
			}
		}
	}
}

// TestComponents compares the scores for components with other means and standard deviations with
// sums of products in float64, up to the rounding of float32.
func TestComponents(t *testing.T) {
	components := replay.Components{QuerySD: 2, KeySD: 0.5, QueryMean: -1.5, KeyMean: 0.25}
	for _, rho := range []float64{0, 0.6} {
		c := newCell(related.Alignment, "normal", 48, 4, names.No, rho, 0.5)
		reader, err := replay.Open(9, 0, c)
		if err != nil {
			t.Fatal(err)
		}
		row, _ := reader.Row(33)
		for j, got := range row.Scores(components) {
			var want, magnitude float64
			for i, q := range row.Query {
				k := float64(row.Keys[j][i])
				if j == 0 && rho != 0 {
					k = rho*float64(q) + math.Sqrt(1-rho*rho)*k
				}
				term := (components.QueryMean + components.QuerySD*float64(q)) * (components.KeyMean +
					components.KeySD*k)
				want += term
				magnitude += math.Abs(term) + math.Abs(float64(q)) + math.Abs(k)
			}
			if tolerance := magnitude * 48 * 0x1p-24; math.Abs(float64(got)-want) > tolerance {
				t.Errorf("ρ = %v, score %d: got %v, want %v ± %.2g", rho, j, got, want, tolerance)
			}
		}
	}
}

// TestMeasure compares the results of Measure with attention.Measure, an independent
// implementation, and the gradient and the label with a direct computation.
func TestMeasure(t *testing.T) {
	for _, scores := range [][]float32{{1, 1}, {0.5, -2, 3}, {2, 2, 2, 2}, {-40, 7, 7, 1, 6.5}, {1e-3, 0, 0}} {
		for _, factor := range []float64{0, 0.125, 1, 2.5} {
			got := replay.Measure(scores,
				rows.Scaling{Axis: names.ParamTemperature, Value: experiment.AxisValue{Number: 1}, Factor: factor}, 1)
			logits := make([]float64, len(scores))
			for j, s := range scores {
				logits[j] = factor * float64(s)
			}
			if !slices.Equal(got.Logits, logits) {
				t.Errorf("scores %v, factor %v: got logits %v, want %v", scores, factor, got.Logits, logits)
			}
			attention.Softmax(logits)
			want := attention.Measure(logits, len(logits))
			weights := logits // Softmax has replaced the logits by the weights
			for j, a := range got.Weights {
				checkNear(t, fmt.Sprint("weight ", j), a, weights[j])
			}
			checkNear(t, "largest weight", got.MaxWeight, want.MaxWeight)
			checkNear(t, "entropy ratio", got.EntropyRatio, want.EntropyRatio)
			checkNear(t, "relative trace", got.RelativeTrace, want.RelativeTrace)
			var collision, jacobianSquare float64 // Σα² and ‖J‖_F²
			for i, a := range weights {
				collision += a * a
				for j, b := range weights {
					if i == j {
						jacobianSquare += a * a * (1 - a) * (1 - a)
					} else {
						jacobianSquare += a * a * b * b
					}
				}
			}
			n := float64(len(scores))
			wantGradient := factor * math.Sqrt(jacobianSquare) / (math.Sqrt(n-1) / n)
			if math.Abs(wantGradient-float64(got.KeyGradient)) > 1e-5*max(wantGradient, 1) {
				t.Errorf("scores %v, factor %v: relative gradient by the keys: got %v, want %v", scores, factor,
					got.KeyGradient, wantGradient)
			}
			wantLabel := "spread"
			if collision > theory.ConcentrationLimit(len(scores)) {
				wantLabel = "concentrated"
				if wantGradient < 1.0/256 {
					wantLabel = "dead"
				}
			}
			if got.Label != wantLabel {
				t.Errorf("row with Σα² = %v and the relative gradient %v: got label %s, want %s", collision,
					wantGradient, got.Label, wantLabel)
			}
		}
	}
}

// checkNear compares numbers between 0 and 1, up to the rounding of sums in float32.
func checkNear(t *testing.T, name string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s: got %v, want %v", name, got, want)
	}
}
