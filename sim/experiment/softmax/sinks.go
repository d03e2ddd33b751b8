package softmax

import (
	"fmt"
	"math"
	"strings"

	"mcsim/sim/attention/reach"
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
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, rows.KeysAxis, sinkAxis,
		rows.RowRuleAxis},
	Unit: names.UnitRow,
	Sampler: &experiment.Sampler{
		BlockUnits: blockUnits,
		Cost: func(c experiment.Cell) float64 {
			return math.Round(1.2*rows.ComponentsPerRow(c)) + float64(20*rows.Keys(c))
		},
		Columns: func(c experiment.Cell) []experiment.Column {
			return experiment.Columns("row", 2, len(sinkScalings(c)))
		},
		Contents: func(c experiment.Cell) string { // empty without rules, as before there were rules
			return strings.Trim(fmt.Sprint(rows.Scalings(c)), "[]")
		},
		Open:     openSinks,
		Headline: names.SinkWeight,
		RelativeVariance: func(c experiment.Cell) float64 {
			var variance float64
			for _, s := range sinkScalings(c) {
				t := sinkTheory(c, s)
				sd, _ := t.SDAndSkewness()
				relativeSD := sd / sinkMean(t)
				variance = max(variance, float64(relativeSD*relativeSD))
			}
			return variance
		},
		MinUnits: 1 << 10,
	},
	Reader: experiment.Reader{Estimates: sinkEstimates},
	Judge:  experiment.Judge{Refuse: refuseSinks, Checks: sinkChecks},
})

// sinkAxis is the logit of the sink.
var sinkAxis = experiment.NumberAxis(names.ParamSink, -30, 30, "0").OmitDefault()

// sinkScalings returns the rules of the cell, or the division by √d_k if it has none.
func sinkScalings(c experiment.Cell) []rows.Scaling {
	if scalings := rows.Scalings(c); len(scalings) > 0 {
		return scalings
	}
	return []rows.Scaling{{Factor: 1 / math.Sqrt(float64(c.Dimension()))}}
}

// sinkMean returns the mean weight of a sink, its first moment.
func sinkMean(t theory.Sink) float64 { return t[0] }

// maxSinkSD is the largest standard deviation of logits for which a test checks the quadrature.
const maxSinkSD = 4

// refuseSinks refuses distributions and rules without theory by quadrature, and keys that need too
// much memory.
func refuseSinks(c experiment.Cell, gated bool) error {
	if c.Distribution().Name() != names.DistributionNormal {
		return experiment.DistributionAxis.Errorf("the weight of a sink is known only for normal components; take " +
			"the distribution normal")
	}
	for _, s := range sinkScalings(c) {
		_, hasLogitRule := s.LogitRule()
		bound, isNormalised := s.NormalisedBound(c.Dimension())
		sd := float64(s.Factor * math.Sqrt(float64(c.Dimension())))
		if isNormalised {
			sd = bound / math.Sqrt(float64(c.Dimension()))
		}
		switch {
		case hasLogitRule && !isNormalised:
			return rows.RowRuleAxis.Errorf("%s: the weight of a sink is not known by quadrature; take a rule that "+
				"multiplies q·k, qk-norm or cosine", s.Value)
		case sd > maxSinkSD:
			return rows.RowRuleAxis.Errorf("%s: the standard deviation of logits is %.3g; it is at most %d", s.Value,
				sd, maxSinkSD)
		}
	}
	return rows.Refuse(c, gated)
}

// sinkTheory returns the moments of the weight of the sink, by quadrature.
func sinkTheory(c experiment.Cell, s rows.Scaling) theory.Sink {
	keys, d, sink := rows.Keys(c), c.Dimension(), c.Value(names.ParamSink).Number
	if bound, ok := s.NormalisedBound(d); ok {
		return reach.Moments(keys, d, bound, sink)
	}
	return theory.NewSink(keys, d, s.Factor, sink)
}

// openSinks returns the function that samples the rows of a block, sixteen at a time.
func openSinks(c experiment.Cell) experiment.BlockFunc {
	group := rows.NewRowGroup(c, rows.Keys(c), nil)
	scalings, sink := sinkScalings(c), c.Value(names.ParamSink).Number
	values := make([][]float64, len(scalings))
	var sums kernel.RowSums
	return func(b *experiment.BlockStream) (n moments.Node) {
		for range blockUnits(c) / kernel.Width {
			group.SampleRows(&b.Lanes)
			for i, s := range scalings {
				scores, peaks := group.Logits(s)
				kernel.SumRows(scores, peaks, s.Factor, &sums)
				for lane, first := range peaks.First {
					// The sum of e^logit over the keys is e^(s₁)·Z, where s₁ is the largest logit.
					logSum := float64(s.Factor*float64(first)) + sums.LogZ[lane]
					values[i] = append(values[i], 1/(1+elementary.Exp(logSum-sink)))
				}
			}
		}
		for i := range values {
			n.Moments = append(n.Moments, moments.New(values[i], 2))
			values[i] = values[i][:0]
		}
		return n
	}
}

// sinkEstimates returns the mean weight of the sink under each rule, with its exact standard error.
func sinkEstimates(c experiment.Cell, n moments.Node) (f experiment.CellEstimates) {
	for i, s := range sinkScalings(c) {
		t, m := sinkTheory(c, s), n.Moments[i]
		sd, skew := t.SDAndSkewness()
		r := c.Estimate(names.SinkWeight, m.N, m.Mean, sd/math.Sqrt(float64(m.N)), s.Params())
		r.Theory, r.TheoryKind = result.Number(sinkMean(t)), names.TheoryQuadrature
		f.AddExact(r, 0, skew)
	}
	return f
}

// sinkChecks returns the gates that require the mean weight under each rule within the relative
// tolerance of its value by quadrature.
func sinkChecks(c experiment.Cell) (checks []gate.Check) {
	for _, s := range sinkScalings(c) {
		t := sinkTheory(c, s)
		sd, skew := t.SDAndSkewness()
		mean := sinkMean(t)
		check := c.NewCheckWithin(names.QuadratureGateName(names.SinkWeight), names.SinkWeight, mean,
			float64(c.Tolerance*mean), func(n int64) float64 { return sd / math.Sqrt(float64(n)) }, s.Params())
		check.Skew = skew
		checks = append(checks, check)
	}
	return checks
}
