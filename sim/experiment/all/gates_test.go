package all_test

import (
	"math"
	"testing"

	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/simtest"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// TestNoGateHoldsNoEffect checks the gates of the default plan on the softmax of rows. No band may
// contain the value for uniform weights, for a key that is not aligned, or for unscaled scores,
// unless that is within the tolerance of the truth.
func TestNoGateHoldsNoEffect(t *testing.T) {
	text, err := plan.Embedded("default")
	simtest.Must(t, err)
	p, err := plan.Parse("default", text)
	simtest.Must(t, err)
	gates, separated := map[string]int{}, map[string]int{}
	for _, g := range schedule.PlannedEntries(p) {
		for _, k := range g.Checks {
			alternatives := valuesWithoutEffect(k)
			if alternatives == nil {
				continue
			}
			gates[k.Experiment+"."+k.Quantity]++
			want, _, band := k.Expected(1 << 20)
			for name, alternative := range alternatives {
				switch {
				case math.Abs(alternative-want) <= (band[1]-band[0])/2:
					// A gradient by a key or a query can be almost that of uniform weights.
					isGradient := k.Quantity == names.KeyGradient || k.Quantity == names.QueryGradient
					if name == uniform && !isGradient {
						t.Errorf("%s of %s %v: the tolerance of %v is wider than the distance to %s, %v", k.Name,
							k.Cell,
							k.Params, want, name, alternative)
					}
				case alternative >= band[0] && alternative <= band[1]:
					t.Errorf("%s of %s %v: the band %v of %v contains %v, the value for %s", k.Name, k.Cell, k.Params,
						band,
						want, alternative, name)
				default:
					separated[name]++
				}
			}
		}
	}
	for _, quantity := range []string{"softmax.max_weight", "softmax.entropy_ratio", "softmax.relative_trace",
		"softmax.key_gradient",
		"softmax.query_gradient", "ranks.ranked_weight", "sinks.sink_weight", "alignment.aligned_weight",
		"alignment.aligned_first_share",
		"alignment.relative_trace"} {
		if gates[quantity] < 6 {
			t.Errorf("%d gates on %s", gates[quantity], quantity)
		}
	}
	if separated[uniform] < 400 || separated[unscaled] < 300 || separated[unaligned] < 20 {
		t.Errorf("gates that exclude the value without the effect: %v", separated)
	}
}

const (
	uniform   = "uniform weights"
	unscaled  = "unscaled scores"
	unaligned = "a key that is not aligned"
)

// valuesWithoutEffect returns the values that the quantity of a gate on rows would have without
// the effect that it measures, by name.
func valuesWithoutEffect(k gate.Check) map[string]float64 {
	param := func(name string) float64 { x, _ := k.Params.Number(name); return x }
	keys, d := param(rows.KeysAxis.Name), param(names.ParamDimension)
	uniformValues := map[string]float64{
		names.RelativeTrace: 1, names.EntropyRatio: 1, names.MaxWeight: 1 / keys, names.RankedWeight: 1 / keys,
		names.AlignedWeight: 1 / keys, names.AlignedFirstShare: 1 / keys,
	}
	switch k.Experiment {
	case names.ExperimentSoftmax, names.ExperimentRanks:
		factor := math.Pow(d, -param(names.ParamExponent))
		if temperature, ok := k.Params.Number(names.ParamTemperature); ok {
			factor = 1 / temperature
		}
		// Uniform weights have ‖J‖_F² = (n−1)/n², and J subtracts the mean of a vector.
		gradient := factor * math.Sqrt(d*(keys-1)) / keys
		uniformValues[names.KeyGradient], uniformValues[names.QueryGradient] = gradient, gradient
		unscaledRow := theory.SharedQuerySoftmax(int(keys), int(d), 1)
		return map[string]float64{uniform: uniformValues[k.Quantity], unscaled: map[string]float64{
			names.RelativeTrace: unscaledRow.RelativeTrace(), names.EntropyRatio: unscaledRow.EntropyRatio(),
			names.MaxWeight:    unscaledRow.MaxWeight,
			names.RankedWeight: unscaledRow.MaxWeight, names.KeyGradient: math.Sqrt(unscaledRow.KeySquare),
			names.QueryGradient: math.Sqrt(unscaledRow.QuerySquare),
		}[k.Quantity]}
	case names.ExperimentSinks:
		sink := param(names.ParamSink)
		return map[string]float64{uniform: 1 / (1 + keys*math.Exp(-sink)),
			unscaled: theory.NewSink(int(keys), int(d), 1, sink)[0]}
	case names.ExperimentAlignment:
		if _, ok := uniformValues[k.Quantity]; !ok {
			return nil
		}
		alternatives := map[string]float64{uniform: uniformValues[k.Quantity]}
		if rho := param(names.ParamRho); k.Quantity == names.RelativeTrace && rho != 0 {
			alternatives[unaligned] = theory.AlignedSoftmax(int(keys), int(d), 0,
				math.Pow(d, -param(names.ParamExponent))).RelativeTrace
		}
		return alternatives
	}
	return nil
}
