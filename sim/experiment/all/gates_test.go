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

// No gate of the default plan on what softmax makes of rows holds what it would be with uniform
// weights, of a key that is not aligned, or of unscaled scores, where the truth is farther from
// that than the tolerance.
func TestNoGateHoldsNoEffect(t *testing.T) {
	text, err := plan.Embedded("default")
	simtest.Must(t, err)
	p, err := plan.Parse("default", text)
	simtest.Must(t, err)
	seen, apart := map[string]int{}, map[string]int{}
	for _, g := range schedule.PlannedEntries(p) {
		for _, k := range g.Checks {
			others := without(k)
			if others == nil {
				continue
			}
			seen[k.Experiment+"."+k.Quantity]++
			want, _, band := k.Expected(1 << 20)
			for what, other := range others {
				switch {
				case math.Abs(other-want) <= (band[1]-band[0])/2:
					// A gradient by a key or a query can be almost that of uniform weights.
					gradient := k.Quantity == names.KeyGradient || k.Quantity == names.QueryGradient
					if what == uniform && !gradient {
						t.Errorf("%s of %s %v: the tolerance of %v is wider than the way to %s, %v", k.Name, k.Cell,
							k.Params, want, what, other)
					}
				case other >= band[0] && other <= band[1]:
					t.Errorf("%s of %s %v: the band %v of %v holds %v, that of %s", k.Name, k.Cell, k.Params, band,
						want, other, what)
				default:
					apart[what]++
				}
			}
		}
	}
	for _, of := range []string{"softmax.max_weight", "softmax.entropy_ratio", "softmax.relative_trace",
		"softmax.key_gradient",
		"softmax.query_gradient", "ranks.ranked_weight", "sinks.sink_weight", "alignment.aligned_weight",
		"alignment.aligned_first_share",
		"alignment.relative_trace"} {
		if seen[of] < 6 {
			t.Errorf("%d gates on %s", seen[of], of)
		}
	}
	if apart[uniform] < 400 || apart[unscaled] < 300 || apart[unaligned] < 20 {
		t.Errorf("gates that tell what they judge from others: %v", apart)
	}
}

const (
	uniform   = "uniform weights"
	unscaled  = "unscaled scores"
	unaligned = "a key that is not aligned"
)

// without returns what the quantity of a gate on rows would be without what it shows.
func without(k gate.Check) map[string]float64 {
	number := func(name string) float64 { x, _ := k.Params.Number(name); return x }
	keys, d := number(rows.KeysAxis.Name), number(names.ParamDimension)
	even := map[string]float64{
		names.RelativeTrace: 1, names.EntropyRatio: 1, names.MaxWeight: 1 / keys, names.RankedWeight: 1 / keys,
		names.AlignedWeight: 1 / keys, names.AlignedFirstShare: 1 / keys,
	}
	switch k.Experiment {
	case names.ExperimentSoftmax, names.ExperimentRanks:
		factor := math.Pow(d, -number(names.ParamExponent))
		if temperature, ok := k.Params.Number(names.ParamTemperature); ok {
			factor = 1 / temperature
		}
		// Of uniform weights ‖J‖_F² is (n−1)/n², and J takes from any vector but its mean.
		gradient := factor * math.Sqrt(d*(keys-1)) / keys
		even[names.KeyGradient], even[names.QueryGradient] = gradient, gradient
		raw := theory.SharedQuerySoftmax(int(keys), int(d), 1)
		return map[string]float64{uniform: even[k.Quantity], unscaled: map[string]float64{
			names.RelativeTrace: raw.RelativeTrace(), names.EntropyRatio: raw.EntropyRatio(),
			names.MaxWeight:    raw.MaxWeight,
			names.RankedWeight: raw.MaxWeight, names.KeyGradient: math.Sqrt(raw.KeySquare),
			names.QueryGradient: math.Sqrt(raw.QuerySquare),
		}[k.Quantity]}
	case names.ExperimentSinks:
		sink := number(names.ParamSink)
		return map[string]float64{uniform: 1 / (1 + keys*math.Exp(-sink)),
			unscaled: theory.NewSink(int(keys), int(d), 1, sink)[0]}
	case names.ExperimentAlignment:
		if _, ok := even[k.Quantity]; !ok {
			return nil
		}
		others := map[string]float64{uniform: even[k.Quantity]}
		if rho := number(names.ParamRho); k.Quantity == names.RelativeTrace && rho != 0 {
			others[unaligned] = theory.AlignedSoftmax(int(keys), int(d), 0,
				math.Pow(d, -number(names.ParamExponent))).RelativeTrace
		}
		return others
	}
	return nil
}
