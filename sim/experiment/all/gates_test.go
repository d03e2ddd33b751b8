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

// TestGatesExcludeNoEffect checks the gates of the default plan on the softmax of rows. If the
// value without an effect (for uniform weights, for a key that is not aligned, or for unscaled
// scores) differs from the expected value by more than the half-width of the band, it must be
// outside the band. For uniform weights it must differ so much, except for gradients. Many gates
// must exclude each of these values.
func TestGatesExcludeNoEffect(t *testing.T) {
	text, err := plan.Embedded("default")
	simtest.Must(t, err)
	p, err := plan.Parse("default", text)
	simtest.Must(t, err)
	gateCounts, excludedCounts := map[string]int{}, map[string]int{}
	for _, entry := range schedule.PlannedEntries(p) {
		for _, check := range entry.Checks {
			alternatives := valuesWithoutEffect(check)
			if alternatives == nil {
				continue
			}
			gateCounts[check.Experiment+"."+check.Quantity]++
			expected, _, band := check.Expected(1 << 20)
			for name, alternative := range alternatives {
				switch {
				case math.Abs(alternative-expected) <= (band[1]-band[0])/2:
					// A gradient by a key or a query can be nearly the same as for uniform weights.
					isGradient := check.Quantity == names.KeyGradient || check.Quantity == names.QueryGradient
					if name == uniform && !isGradient {
						t.Errorf("%s of %s %v: the value %v for %s is within the half-width of the expected value %v",
							check.Name, check.Cell, check.Params, alternative, name, expected)
					}
				case alternative >= band[0] && alternative <= band[1]:
					t.Errorf("%s of %s %v: the band %v contains the value %v for %s", check.Name, check.Cell,
						check.Params, band, alternative, name)
				default:
					excludedCounts[name]++
				}
			}
		}
	}
	for _, quantity := range []string{"softmax.max_weight", "softmax.entropy_ratio", "softmax.relative_trace",
		"softmax.key_gradient", "softmax.query_gradient", "ranks.ranked_weight", "sinks.sink_weight",
		"alignment.aligned_weight", "alignment.aligned_first_share", "alignment.relative_trace"} {
		if got := gateCounts[quantity]; got < 6 {
			t.Errorf("got %d gates on %s, want at least 6", got, quantity)
		}
	}
	for name, minCount := range map[string]int{uniform: 400, unscaled: 300, unaligned: 20} {
		if got := excludedCounts[name]; got < minCount {
			t.Errorf("got %d gates that exclude the value for %s, want at least %d", got, name, minCount)
		}
	}
}

const (
	uniform   = "uniform weights"
	unscaled  = "unscaled scores"
	unaligned = "a key that is not aligned"
)

// valuesWithoutEffect returns the values that the quantity of a gate on rows would have without the
// effect that it measures. The keys are the constants above. It returns nil for other gates.
func valuesWithoutEffect(check gate.Check) map[string]float64 {
	param := func(name string) float64 { x, _ := check.Params.Number(name); return x }
	keys, d := param(rows.KeysAxis.Name), param(names.ParamDimension)
	uniformValues := map[string]float64{
		names.RelativeTrace: 1, names.EntropyRatio: 1, names.MaxWeight: 1 / keys, names.RankedWeight: 1 / keys,
		names.AlignedWeight: 1 / keys, names.AlignedFirstShare: 1 / keys,
	}
	switch check.Experiment {
	case names.ExperimentSoftmax, names.ExperimentRanks:
		factor := math.Pow(d, -param(names.ParamExponent))
		if temperature, ok := check.Params.Number(names.ParamTemperature); ok {
			factor = 1 / temperature
		}
		// For n uniform weights, ‖J‖_F² = (n−1)/n², and J subtracts the mean of a vector.
		gradient := factor * math.Sqrt(d*(keys-1)) / keys
		uniformValues[names.KeyGradient], uniformValues[names.QueryGradient] = gradient, gradient
		unscaledRow := theory.SharedQuerySoftmax(int(keys), int(d), 1)
		unscaledValues := map[string]float64{
			names.RelativeTrace: unscaledRow.RelativeTrace(),
			names.EntropyRatio:  unscaledRow.EntropyRatio(),
			names.MaxWeight:     unscaledRow.MaxWeight,
			names.RankedWeight:  unscaledRow.MaxWeight,
			names.KeyGradient:   math.Sqrt(unscaledRow.KeySquare),
			names.QueryGradient: math.Sqrt(unscaledRow.QuerySquare),
		}
		return map[string]float64{uniform: uniformValues[check.Quantity], unscaled: unscaledValues[check.Quantity]}
	case names.ExperimentSinks:
		sink := param(names.ParamSink)
		return map[string]float64{uniform: 1 / (1 + keys*math.Exp(-sink)),
			unscaled: theory.NewSink(int(keys), int(d), 1, sink)[0]}
	case names.ExperimentAlignment:
		if _, ok := uniformValues[check.Quantity]; !ok {
			return nil
		}
		alternatives := map[string]float64{uniform: uniformValues[check.Quantity]}
		isAligned := param(names.ParamRho) != 0
		if check.Quantity == names.RelativeTrace && isAligned {
			alternatives[unaligned] = theory.AlignedSoftmax(int(keys), int(d), 0,
				math.Pow(d, -param(names.ParamExponent))).RelativeTrace
		}
		return alternatives
	}
	return nil
}
