package precision

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// The shared axes, whose values are evaluated on the same samples.
var (
	formatAxis     = experiment.NamesAxis(names.ParamFormat, Names()...).AsShared(Names()...)
	placementAxis  = experiment.NamesAxis(names.ParamPlacement, placements...).AsShared(placements...)
	arithmeticAxis = experiment.NamesAxis(names.ParamArithmetic, arithmetics...).AsShared(arithmetics...)

	placements  = []string{names.PlacementAfter, names.PlacementBefore, names.PlacementSplit}
	arithmetics = []string{names.ArithmeticPractice, names.ArithmeticWorst}
)

// config is one way to compute the logits of a row: a format, the placement of the scale, and
// which arithmetic is in the format.
type config struct {
	format                *Format
	placement, arithmetic string
}

// cellConfigs returns the configs of a cell: all combinations of the values of its axes.
func cellConfigs(c experiment.Cell) (configs []config) {
	for _, f := range c.Shared[names.ParamFormat] {
		for _, p := range c.Shared[names.ParamPlacement] {
			for _, a := range c.Shared[names.ParamArithmetic] {
				configs = append(configs, config{Lookup(f.Name), p.Name, a.Name})
			}
		}
	}
	return configs
}

// params returns the parameters of the config's estimates.
func (cfg config) params() result.Params {
	return result.Params{
		names.ParamFormat: cfg.format.Name, names.ParamPlacement: cfg.placement, names.ParamArithmetic: cfg.arithmetic,
	}
}

// String returns the text of the config in the store ID of a node.
func (cfg config) String() string {
	return cfg.format.Name + " " + cfg.placement + " " + cfg.arithmetic
}

// isWorstCase reports whether sums are rounded to the format.
func (cfg config) isWorstCase() bool { return cfg.arithmetic == names.ArithmeticWorst }

// scale returns the factor that turns scores into logits: 1/√d, or 1/√√d if both query and key are
// multiplied by it. It is rounded to float32, or in the worst case to the format, where its error
// may be a ninth (e5m2).
func (cfg config) scale(d int) float64 {
	factor := 1 / math.Sqrt(float64(d))
	if cfg.placement == names.PlacementSplit {
		factor = elementary.Pow(float64(d), -0.25)
	}
	if cfg.isWorstCase() {
		return cfg.format.Round(factor)
	}
	return float64(float32(factor))
}
