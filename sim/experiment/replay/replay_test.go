package replay_test

import (
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

// cell returns a cell of rows at a point, with exponents.
func cell(e *experiment.Experiment, distributionName string, d, keys int, shared string, rho float64,
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

// The rows of a block, drawn again one by one, have the sums that the experiment's own
// block has, to the bit: so row i is the experiment's row i, of every distribution, in every lane,
// group and block, with keys of their own, shared keys and an aligned one.
func TestRowsAreThoseOfTheExperiment(t *testing.T) {
	for _, c := range []experiment.Cell{
		cell(softmax.Experiment, "normal", 1, 2, names.No, 0, 0, 0.5),
		cell(softmax.Experiment, "normal", 64, 8, names.No, 0, 0, 0.5, 1),
		cell(softmax.Experiment, "uniform", 7, 13, names.No, 0, 0.5),
		cell(softmax.Experiment, "rademacher", 3, 5, names.No, 0, 0),
		cell(softmax.Experiment, "sphere", 16, 4, names.No, 0, 0.5),
		cell(softmax.Experiment, "normal", 1024, 64, names.No, 0, 0.5),
		cell(softmax.Experiment, "normal", 16, 6, names.Yes, 0, 0.5),
		cell(softmax.Experiment, "laplace", 5, 70, names.Yes, 0, 0),
		cell(related.Alignment, "normal", 32, 8, names.No, 0.25, 0.5, 1),
		cell(related.Alignment, "rademacher", 8, 3, names.No, -1, 1),
	} {
		for _, block := range []int64{0, 3} {
			var draw experiment.BlockStream
			draw.Begin(stream.Open(stream.ID{Seed: 5, Cell: c.ID, Attempt: 1}), block)
			want := c.Experiment.Sampler.Open(c)(&draw)
			reader, err := replay.Open(5, 1, c)
			if err != nil {
				t.Fatal(err)
			}
			var scores []float64
			relative := make([][]float64, len(rows.Scalings(c)))
			units := c.BlockUnits()
			for i := block * units; i < (block+1)*units; i++ {
				row, ok := reader.Row(i)
				if !ok {
					t.Fatalf("%s: row %d is not drawn", c.ID, i)
				}
				all := row.Scores(replay.Standard)
				scores = append(scores, float64(all[0]))
				for s, by := range rows.Scalings(c) {
					relative[s] = append(relative[s], replay.Measure(all, by, 1).RelativeTrace)
				}
			}
			if c.Experiment == related.Alignment && !same(want.Moments[0], moments.New(scores, 2)) {
				t.Errorf("%s, block %d: other scores of the first key", c.ID, block)
			}
			for s, numbers := range relative {
				if !slices.ContainsFunc(want.Moments,
					func(m moments.Moments) bool { return same(m, moments.New(numbers, experiment.ErrorOrder)) }) {
					t.Errorf("%s, block %d: no column of the node has R under scaling %d", c.ID, block, s)
				}
			}
		}
	}
}

// same reports whether two moments are the same to the bit.
func same(a, b moments.Moments) bool {
	return a.N == b.N && math.Float64bits(a.Mean) == math.Float64bits(b.Mean) && slices.Equal(a.Sum[:], b.Sum[:])
}

// A row is the same whichever rows were read before it, after one was given up, and drawn alone,
// of every distribution.
func TestRowAlone(t *testing.T) {
	for _, l := range distribution.Defaults() {
		for _, shared := range []string{names.No, names.Yes} {
			c := cell(softmax.Experiment, l.String(), 33, 5, shared, 0, 0.5)
			in, err := replay.Open(4, 2, c)
			if err != nil {
				t.Fatal(err)
			}
			vectors := 0
			in.Pause = func() bool { vectors++; return vectors%101 != 0 || vectors > 1000 }
			units := c.BlockUnits()
			for _, i := range []int64{17, 3, units + 40, 40, 16, 17, 3*units + 77, 0, units - 1} {
				got, ok := in.Row(i)
				for !ok { // given up in the middle
					got, ok = in.Row(i)
				}
				want, err := replay.Alone(4, 2, c, i)
				if err != nil || got.Alignment != want.Alignment || !slices.Equal(got.Query, want.Query) ||
					!slices.EqualFunc(got.Keys, want.Keys, slices.Equal[[]float32]) {
					t.Errorf("row %d of %s is another one alone (%v)", i, c.ID, err)
				}
			}
		}
	}
}

// Other means and standard deviations give the products of such components, which are
// multiplied and added here one by one.
func TestComponents(t *testing.T) {
	of := replay.Components{QuerySD: 2, KeySD: 0.5, QueryMean: -1.5, KeyMean: 0.25}
	for _, rho := range []float64{0, 0.6} {
		c := cell(related.Alignment, "normal", 48, 4, names.No, rho, 0.5)
		reader, err := replay.Open(9, 0, c)
		if err != nil {
			t.Fatal(err)
		}
		row, _ := reader.Row(33)
		for j, got := range row.Scores(of) {
			var want, size float64
			for i, q := range row.Query {
				k := float64(row.Keys[j][i])
				if j == 0 && rho != 0 {
					k = rho*float64(q) + math.Sqrt(1-rho*rho)*k
				}
				term := (of.QueryMean + of.QuerySD*float64(q)) * (of.KeyMean + of.KeySD*k)
				want += term
				size += math.Abs(term) + math.Abs(float64(q)) + math.Abs(k)
			}
			if off := math.Abs(float64(got) - want); off > size*48*0x1p-24 {
				t.Errorf("ρ = %v: score %d is %v, products add up to %v", rho, j, got, want)
			}
		}
	}
}

// What is said of a row is what attention.Measure, written apart, says of its weights.
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
				t.Errorf("logits %v, want %v", got.Logits, logits)
			}
			attention.Softmax(logits)
			want := attention.Measure(logits, len(logits))
			for j, a := range got.Weights {
				near(t, a, logits[j])
			}
			near(t, got.MaxWeight, want.MaxWeight)
			near(t, got.EntropyRatio, want.EntropyRatio)
			near(t, got.RelativeTrace, want.RelativeTrace)
			var collision, norm float64
			for i, a := range logits {
				collision += a * a
				for j, b := range logits {
					if i == j {
						norm += a * a * (1 - a) * (1 - a)
					} else {
						norm += a * a * b * b
					}
				}
			}
			n := float64(len(scores))
			gradient := factor * math.Sqrt(norm) / (math.Sqrt(n-1) / n)
			if math.Abs(gradient-float64(got.KeyGradient)) > 1e-5*max(gradient, 1) {
				t.Errorf("the gradient at the keys is %v, want %v", got.KeyGradient, gradient)
			}
			label := "spread"
			if collision > theory.ConcentrationLimit(len(scores)) {
				label = "concentrated"
				if gradient < 1.0/256 {
					label = "dead"
				}
			}
			if got.Label != label {
				t.Errorf("a row with Σα² = %v and the gradient %v is called %s, want %s", collision, gradient,
					got.Label, label)
			}
		}
	}
}

// near holds two numbers between 0 and 1 together, to what sums in float32 leave.
func near(t *testing.T, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%v, want %v", got, want)
	}
}
