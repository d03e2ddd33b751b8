package all_test

import (
	"math"
	"testing"

	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/schedule"
	"mcsim/sim/simtest"
	"mcsim/sim/theory"
)

// No gate of the default plan on what softmax makes of rows holds what it would be without effect,
// that is of uniform weights or of a key that is not aligned, nor that of unscaled scores, where the
// truth is farther from it than the tolerance.
func TestNoGateHoldsNoEffect(t *testing.T) {
	text, err := plan.Embedded("default")
	simtest.Must(t, err)
	p, err := plan.Parse("default", text)
	simtest.Must(t, err)
	seen, apart := 0, 0
	for _, g := range schedule.Groups(p) {
		for _, k := range g.Checks {
			keys, _ := k.Params.Number(rows.KeysAxis.Name)
			none, known := map[string]float64{
				names.GradientSurvival: 1, names.EntropyRatio: 1, names.MaxWeight: 1 / keys, names.RankedWeight: 1 / keys,
				names.AlignedWeight: 1 / keys, names.AlignedFirstShare: 1 / keys,
			}[k.Quantity]
			if !known {
				continue
			}
			seen++
			want, _, band := k.At(1 << 20)
			half := (band[1] - band[0]) / 2
			if none > band[0] && none < band[1] {
				t.Errorf("%s of %s %v: the band %v of %v holds %v, that of no effect", k.Name, k.Cell, k.Params, band, want, none)
			}
			if k.Experiment != names.ExperimentSoftmax {
				continue
			}
			d, _ := k.Params.Number(names.ParamDimension)
			unscaled := theory.SharedQuerySoftmax(int(keys), int(d), 1)
			other := map[string]float64{names.GradientSurvival: unscaled.GradientSurvival(), names.EntropyRatio: unscaled.EntropyRatio(),
				names.MaxWeight: unscaled.MaxWeight}[k.Quantity]
			if math.Abs(other-want) > half {
				apart++
				if other >= band[0] && other <= band[1] {
					t.Errorf("%s of %s %v: the band %v holds %v, that of unscaled scores", k.Name, k.Cell, k.Params, band, other)
				}
			}
		}
	}
	if seen < 300 || apart < 100 {
		t.Errorf("only %d gates, %d of them apart from unscaled scores", seen, apart)
	}
}
