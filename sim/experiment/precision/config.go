package precision

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// The axes of a config. They are shared axes: all configs are evaluated on the same samples.
var (
	formatAxis     = experiment.NamesAxis(names.ParamFormat, Names()...).AsShared(Names()...)
	placementAxis  = experiment.NamesAxis(names.ParamPlacement, placements...).AsShared(placements...)
	arithmeticAxis = experiment.NamesAxis(names.ParamArithmetic, arithmetics...).AsShared(arithmetics...)

	placements  = []string{names.PlacementAfter, names.PlacementBefore, names.PlacementSplit}
	arithmetics = []string{names.ArithmeticPractice, names.ArithmeticWorst}
)

// config is one way to compute the logits of a row: a number format, the placement of the scale
// (before or after the product of query and key, or split between them), and the arithmetic (sums
// in float32 as in practice, or in the format as the worst case).
type config struct {
	format                *Format
	placement, arithmetic string
}

// cellConfigs returns the configs of a cell, which are all combinations of the values of its axes.
func cellConfigs(c experiment.Cell) (configs []config) {
	for _, f := range c.Shared[names.ParamFormat] {
		for _, p := range c.Shared[names.ParamPlacement] {
			for _, a := range c.Shared[names.ParamArithmetic] {
				configs = append(configs, config{format: Lookup(f.Name), placement: p.Name, arithmetic: a.Name})
			}
		}
	}
	return configs
}

// params returns the parameters of the estimates of the config.
func (cfg config) params() result.Params {
	return result.Params{
		names.ParamFormat: cfg.format.Name, names.ParamPlacement: cfg.placement, names.ParamArithmetic: cfg.arithmetic,
	}
}

// String returns the text that identifies the config in the store ID of a node.
func (cfg config) String() string {
	return cfg.format.Name + " " + cfg.placement + " " + cfg.arithmetic
}

// isWorstCase reports whether sums are rounded to the format.
func (cfg config) isWorstCase() bool { return cfg.arithmetic == names.ArithmeticWorst }

// scale returns the factor of the scores, 1/√d, or the factor of both query and key, 1/√√d, if the
// scale is split. It is rounded to float32, or to the format in the worst case. In the format e5m2
// the error of rounding can be a ninth.
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
