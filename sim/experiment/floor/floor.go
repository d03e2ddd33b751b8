// Package floor measures the error of the output of attention whose operands are stored in formats
// with scales ([Format]): the error of a kernel that makes no other error. All else is computed in
// float64. A unit is a head (head.go). The closed form of the rounding error of values is in
// theory.go, and tolerances for tests of kernels are in tolerance.go.
package floor

import (
	"fmt"
	"math"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/quantile"
)

// maxComponents is the largest number of components of the keys of a head. The range of σ avoids
// overflow in float16 and errors that are only those of float64.
const maxComponents, minSigma, maxSigma = 1 << 22, 1.0 / 64, 16

var (
	operands    = []string{names.OperandQueryKey, names.OperandWeights, names.OperandValues, names.OperandAll}
	keysAxis    = experiment.CountAxis(names.ParamKeys, 2, 4096, "256", "256")
	sigmaAxis   = experiment.NumberAxis(names.ParamSigma, 0, 1e6, "1")
	formatAxis  = experiment.NamesAxis(names.ParamFormat, Names()...).AsShared(Names()...)
	operandAxis = experiment.NamesAxis(names.ParamOperand, operands...).AsShared(operands...)
)

// Experiment measures heads with operands in formats with scales.
var Experiment = experiment.New(experiment.Experiment{
	Name: names.ExperimentOutputError,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, keysAxis, sigmaAxis, formatAxis,
		operandAxis},
	Unit:              names.UnitHead,
	CartesianScalings: true,
	Sampler: rows.WithFineBins(experiment.Sampler{
		BlockUnits: func(experiment.Cell) int64 { return 1 },
		Cost:       headCost,
		Columns: func(c experiment.Cell) []experiment.Column {
			return experiment.Columns("head", experiment.ErrorOrder, len(Errors{})*len(cellConfigs(c))+len(formats(c)))
		},
		Shape: func(c experiment.Cell) experiment.Shape {
			return experiment.NewBinnedShape(0, len(cellConfigs(c)), len(cellConfigs(c)))
		},
		Contents: func(c experiment.Cell) string { return fmt.Sprint(cellConfigs(c)) },
		Headline: names.CosineDistance,
		MinUnits: 256, // enough for standard errors, and for quantiles at 5 % and 95 %
	}, newSampler),
	Reader: experiment.Reader{Estimates: estimates, HeadlineEstimate: func(c experiment.Cell) (string, result.Params) {
		return names.CosineDistance, cellConfigs(c)[0].params()
	}},
	Judge: experiment.Judge{Refuse: refuse, Checks: checks},
})

// config is a format and the operands that are stored in it.
type config struct{ format, operand string }

func (cfg config) params() result.Params {
	return result.Params{names.ParamFormat: cfg.format, names.ParamOperand: cfg.operand}
}

// NewOperands stores the named operands in the formats of queries and keys, and of weights and
// values.
func NewOperands(operand string, queryKey, values *Format) (o Operands) {
	isStored := func(name string) bool { return operand == name || operand == names.OperandAll }
	if isStored(names.OperandQueryKey) {
		o.QueryKey = queryKey
	}
	if isStored(names.OperandWeights) {
		o.Weights = values
	}
	if isStored(names.OperandValues) {
		o.Values = values
	}
	return o
}

func formats(c experiment.Cell) []experiment.AxisValue { return c.Shared[names.ParamFormat] }

// cellConfigs returns all combinations of formats and operands of a cell.
func cellConfigs(c experiment.Cell) (configs []config) {
	for _, f := range formats(c) {
		for _, o := range c.Shared[names.ParamOperand] {
			configs = append(configs, config{f.Name, o.Name})
		}
	}
	return configs
}

// NewSetting returns the setting of a cell.
func NewSetting(c experiment.Cell) Setting {
	return Setting{Distribution: c.Distribution(), Dimension: c.Dimension(), Keys: rows.Keys(c),
		Sigma: c.Value(names.ParamSigma).Number}
}

// headCost returns the cost of a head in sampled components.
func headCost(c experiment.Cell) float64 {
	const componentCost, productCost = 2, 0.35 // in each config: of a component, and of a product of two
	s, configs := NewSetting(c), float64(len(cellConfigs(c))+len(formats(c))+2)
	components := float64(2*s.Keys*s.Dimension + kernel.Width*(s.Keys+s.Dimension))
	productsCost := float64(productCost * float64(kernel.Width*s.Keys*s.Dimension))
	return math.Round(components + float64(configs*(float64(componentCost*components)+productsCost)))
}

// newSampler implements [rows.Opener]. The numbers of a head are the errors of each config, by
// kind, and the rounding error of values in each format.
func newSampler(c experiment.Cell, pilot moments.Node) (rows.Collector, func(*experiment.BlockStream)) {
	configs := cellConfigs(c)
	t := rows.NewValues(len(Errors{})*len(configs)+len(formats(c)), len(configs), pilot.Histograms)
	return t, func(b *experiment.BlockStream) {
		h := NewSetting(c).sample(&b.Lanes)
		exactWeights := h.weigh(nil)
		exact := h.output(exactWeights, nil, h.values)
		i := 0
		for column, value := range formats(c) {
			f := Lookup(value.Name)
			weights, values := h.weigh(f), f.store(h.values, h.Keys)
			for ; i < len(configs) && configs[i].format == f.Name; i++ {
				o, w, v := NewOperands(configs[i].operand, f, f), exactWeights, h.values
				if o.QueryKey != nil {
					w = weights
				}
				if o.Values != nil {
					v = values
				}
				e := compare(h.output(w, o.Weights, v), exact)
				t.Add(i, e[Largest], quantile.Logit(e[Largest], 1))
				t.AddValue(len(configs)+i, e[Distance])
				t.AddValue(2*len(configs)+i, e[Mean])
			}
			sum := 0.0
			for j, v := range h.values {
				sum += float64((values[j] - v) * (values[j] - v))
			}
			t.AddValue(len(Errors{})*len(configs)+column, sum/float64(len(values)))
		}
	}
}

// maxErrorOfError is the largest relative error of a standard error with which a mean has an
// interval. Up to it, 300 runs of 256 heads in eight configs covered 93 % to 95 % on average.
const maxErrorOfError = 0.08

// estimates returns the means of the errors in each config, and the quantiles of the largest one.
func estimates(c experiment.Cell, n moments.Node) (f experiment.CellEstimates) {
	pilot, configs := c.Pilot(), cellConfigs(c)
	addMean := func(quantity string, column int, params result.Params, theory float64, kind string) result.Estimate {
		m := n.Moments[column]
		r := c.MeanEstimate(quantity, m, params)
		r.Theory, r.TheoryKind = result.Number(theory), kind
		if !r.Theory.Present() {
			r.TheoryKind = names.TheoryNone
		}
		f.AddWithSampleError(r, experiment.NewPilotMean(pilot.Moments[column], m.N), maxErrorOfError)
		return r
	}
	for i, cfg := range configs {
		limit := math.NaN()
		if cfg.operand == names.OperandValues {
			limit = valueRounding(c, cfg.format).CosineDistance()
		}
		addMean(names.CosineDistance, len(configs)+i, cfg.params(), limit, names.TheoryLimit)
		addMean(names.MeanError, 2*len(configs)+i, cfg.params(), math.NaN(), names.TheoryNone)
		largest := addMean(names.LargestError, i, cfg.params(), math.NaN(), names.TheoryNone)
		f.AddQuantiles(largest, n.Histograms[i], experiment.LogScale, pilot.Counts[i*len(quantile.Probabilities):])
	}
	for i, format := range formats(c) {
		addMean(names.RoundingError, len(Errors{})*len(configs)+i, result.Params{names.ParamFormat: format.Name},
			valueRounding(c, format.Name).Error, names.TheoryQuadrature)
	}
	return f
}

// valueRounding returns the theory of normal values, and NaN for others.
func valueRounding(c experiment.Cell, format string) Rounding {
	if c.Distribution().Name() != names.DistributionNormal {
		return Rounding{math.NaN(), math.NaN(), math.NaN()}
	}
	return Lookup(format).Rounding(rows.Keys(c), c.Dimension())
}

// checks returns the gates on the rounding errors of values, with a relative tolerance. The error
// of int8 with one scale is proportional to the square of the largest number of a head, which
// varies; the planned standard deviations are upper bounds for heads of at least 64 keys and
// components.
func checks(c experiment.Cell) (checks []gate.Check) {
	for _, format := range formats(c) {
		expected, relativeSD := valueRounding(c, format.Name).Error, 0.05
		if format.Name == names.FormatInt8Tensor {
			relativeSD = 0.2
		}
		if !math.IsNaN(expected) {
			checks = append(checks, rows.MeanGate{Name: "rounding by quadrature", Quantity: names.RoundingError,
				Params: result.Params{names.ParamFormat: format.Name}, Expected: expected,
				HalfWidth: c.Tolerance * expected, RowSD: relativeSD * expected}.NewCheck(c))
		}
	}
	return checks
}

// refuse refuses heads that are too large, and gates without a theory.
func refuse(c experiment.Cell, gated bool) error {
	s := NewSetting(c)
	if n := s.Keys * s.Dimension; n > maxComponents {
		return fmt.Errorf("%d keys of %d components are %d numbers; at most 2^22 are stored", s.Keys, s.Dimension, n)
	}
	if s.Sigma < minSigma || s.Sigma > maxSigma {
		return sigmaAxis.Errorf("heads with σ = %v are not measured; σ must be in 1/64..16", s.Sigma)
	}
	if gated && len(checks(c)) < len(formats(c)) {
		return fmt.Errorf("the rounding error is known only for normal components and whole blocks, and %d keys of %v "+
			"components are not that in each format; "+gate.UngatedAdvice, s.Keys, c.Distribution())
	}
	return nil
}
