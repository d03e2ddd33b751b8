package precision

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// The axes of what is evaluated on the same draws.
var (
	formatAxis     = experiment.NamesAxis(names.ParamFormat, Names()...).AsShared(Names()...)
	placementAxis  = experiment.NamesAxis(names.ParamPlacement, placements...).AsShared(placements...)
	arithmeticAxis = experiment.NamesAxis(names.ParamArithmetic, arithmetics...).AsShared(arithmetics...)

	placements  = []string{names.PlacementAfter, names.PlacementBefore, names.PlacementSplit}
	arithmetics = []string{names.ArithmeticPractice, names.ArithmeticWorst}
)

// way is one way to make logits of a row: a format, where the scale stands, and how much is
// computed in the format.
type way struct {
	format                *Format
	placement, arithmetic string
}

// waysOf returns the ways of a cell.
func waysOf(c experiment.Cell) (all []way) {
	for _, f := range c.Shared[names.ParamFormat] {
		for _, p := range c.Shared[names.ParamPlacement] {
			for _, a := range c.Shared[names.ParamArithmetic] {
				all = append(all, way{Named(f.Name), p.Name, a.Name})
			}
		}
	}
	return all
}

// params returns the parameters of the estimates of the way.
func (w way) params() result.Params {
	return result.Params{
		names.ParamFormat: w.format.Name, names.ParamPlacement: w.placement, names.ParamArithmetic: w.arithmetic,
	}
}

// String names the way, for the key of a node.
func (w way) String() string { return w.format.Name + " " + w.placement + " " + w.arithmetic }

// worst reports whether sums are in the format.
func (w way) worst() bool { return w.arithmetic == names.ArithmeticWorst }

// scale returns what logits are made of scores with: 1/√d, or where query and key have each a
// part of it 1/√√d. It is a number of float32, or in the worst case of the format, where it
// may be off by as much as a ninth (e5m2).
func (w way) scale(d int) float64 {
	factor := 1 / math.Sqrt(float64(d))
	if w.placement == names.PlacementSplit {
		factor = elementary.Pow(float64(d), -0.25)
	}
	if w.worst() {
		return w.format.Round(factor)
	}
	return float64(float32(factor))
}
