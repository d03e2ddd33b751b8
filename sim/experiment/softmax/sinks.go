package softmax

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// Sinks measures the weight of a sink in a row of scores divided by √d_k. A sink is an additional
// term e^b in the denominator of softmax, whose logit b belongs to the head and not to a key. The
// sink reduces the weights of all keys, but it does not change their logits.
var Sinks = experiment.New(experiment.Experiment{
	Name: names.ExperimentSinks,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, rows.KeysAxis, sinkAxis},
	Unit: names.UnitRow,
	Sampler: &experiment.Sampler{
		BlockUnits: blockUnits,
		Cost: func(c experiment.Cell) float64 {
			return math.Round(1.2*rows.ComponentsPerRow(c)) + float64(20*rows.Keys(c))
		},
		Columns: func(experiment.Cell) []experiment.Column {
			return []experiment.Column{{Name: "row", Order: 2}}
		},
		Open:     openSinks,
		Headline: names.SinkWeight,
		RelativeVariance: func(c experiment.Cell) float64 {
			t := sinkTheory(c)
			sd, _ := t.SDAndSkewness()
			relativeSD := sd / sinkMean(t)
			return float64(relativeSD * relativeSD)
		},
		MinUnits: 1 << 10,
	},
	Reader: experiment.Reader{Estimates: sinkEstimates},
	Judge:  experiment.Judge{Refuse: refuseSinks, Checks: sinkChecks},
})

// sinkAxis is the logit of the sink.
var sinkAxis = experiment.NumberAxis(names.ParamSink, -30, 30, "0").OmitDefault()

// sinkMean returns the mean weight of a sink, its first moment.

func sinkMean(t theory.Sink) float64 { return t[0] }

// refuseSinks refuses distributions without theory by quadrature, and keys that need too much
// memory.
func refuseSinks(c experiment.Cell, gated bool) error {
	if c.Distribution().Name() != names.DistributionNormal {
		return experiment.DistributionAxis.Errorf("the weight of a sink is known only for normal components; take " +
			"the distribution normal")
	}
	return rows.Refuse(c, gated)
}

// sinkTheory returns the moments of the weight of the sink, by quadrature.
func sinkTheory(c experiment.Cell) theory.Sink {
	return theory.NewSink(rows.Keys(c), c.Dimension(), 1/math.Sqrt(float64(c.Dimension())),
		c.Value(names.ParamSink).Number)
}

// openSinks returns the function that samples the rows of a block, sixteen at a time.
func openSinks(c experiment.Cell) experiment.BlockFunc {
	group := rows.NewRowGroup(c, rows.Keys(c), nil)
	factor, sink := 1/math.Sqrt(float64(c.Dimension())), c.Value(names.ParamSink).Number
	var values []float64
	var sums kernel.RowSums
	return func(b *experiment.BlockStream) moments.Node {
		values = values[:0]
		for range blockUnits(c) / kernel.Width {
			group.SampleRows(&b.Lanes)
			kernel.SumRows(group.Scores, &group.Peaks, factor, &sums)
			for lane, first := range group.Peaks.First {
				// The sum of e^logit over the keys is e^(s₁)·Z, where s₁ is the largest logit.
				logSum := float64(factor*float64(first)) + sums.LogZ[lane]
				values = append(values, 1/(1+elementary.Exp(logSum-sink)))
			}
		}
		return moments.Node{Moments: []moments.Moments{moments.New(values, 2)}}
	}
}

// sinkEstimates returns the mean weight of the sink, with its exact standard error.
func sinkEstimates(c experiment.Cell, n moments.Node) (f experiment.CellEstimates) {
	t := sinkTheory(c)
	sd, skew := t.SDAndSkewness()
	r := c.Estimate(names.SinkWeight, n.Moments[0].N, n.Moments[0].Mean, sd/math.Sqrt(float64(n.Moments[0].N)))
	r.Theory, r.TheoryKind = result.Number(sinkMean(t)), names.TheoryQuadrature
	f.AddExact(r, 0, skew)
	return f
}

// sinkChecks returns the gate that requires the mean weight within the relative tolerance of its
// value by quadrature.
func sinkChecks(c experiment.Cell) []gate.Check {
	t := sinkTheory(c)
	sd, skew := t.SDAndSkewness()
	mean := sinkMean(t)
	check := c.NewCheckWithin(names.QuadratureGateName(names.SinkWeight), names.SinkWeight, mean,
		float64(c.Tolerance*mean), func(n int64) float64 { return sd / math.Sqrt(float64(n)) })
	check.Skew = skew
	return []gate.Check{check}
}
