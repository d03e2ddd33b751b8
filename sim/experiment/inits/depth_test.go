package inits

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

func newDepthCell(w architecture) experiment.Cell {
	choose := func(x bool, yes, no string) experiment.AxisValue {
		if x {
			return experiment.AxisValue{Name: yes}
		}
		return experiment.AxisValue{Name: no}
	}
	return experiment.NewCell(Depth, map[string]experiment.AxisValue{
		"tokens": {Number: float64(w.tokens)}, "width": {Number: float64(w.width)},
		"layers":   {Number: float64(w.layers)},
		"scale":    choose(w.scaled, names.ScaleRoot, names.ScaleUnscaled),
		"residual": choose(w.residual, names.Yes, names.No), "norm": choose(w.norm, names.Yes, names.No)})
}

// architectures returns the eight architectures with the given sizes.
func architectures(tokens, width, layers int) []architecture {
	var list []architecture
	for i := range 8 {
		list = append(list, architecture{tokens, width, layers, i&1 > 0, i&2 > 0, i&4 > 0})
	}
	return list
}

// TestDepthOfRounding checks that an estimate has no standard error if the tokens are equal up to
// rounding.
func TestDepthOfRounding(t *testing.T) {
	c := newDepthCell(architecture{tokens: 8, width: 16, layers: 12, scaled: true})
	f := depthEstimates(c, experimenttest.SampleCell(c, 256))
	last := experimenttest.EstimateAt(t, f, "score_variance", "layer", 12.0)
	if last.SE.Present() || last.Lo.Present() || last.TheoryKind != "none" {
		t.Errorf("the last layer's score variance is %v ± %v", last.Value, last.SE)
	}
	if first := experimenttest.EstimateAt(t, f, "score_variance", "layer", 1.0); !first.Lo.Present() {
		t.Errorf("the first layer has no interval over %d stacks: %v", first.N, f.Warnings)
	}
	hasWarning := slices.ContainsFunc(f.Warnings, func(w result.Warning) bool {
		return w.Quantity == "score_variance" &&
			strings.Contains(w.Text, "–12: no interval: the tokens have become so alike")
	})
	if !hasWarning {
		t.Errorf("no warning says so: %v", f.Warnings)
	}
	for _, w := range f.Warnings {
		if strings.Count(w.Text, "no interval") != 1 || w.Cell != c.ID {
			t.Errorf("a warning that is not one line on one cause: %+v", w)
		}
	}
}

// TestDepthOverflow checks that a stack whose scores overflow float32 makes only its own layer
// undefined, and that this is visible.
func TestDepthOverflow(t *testing.T) {
	s := newStacks(architecture{tokens: 4, width: 3, layers: 2})
	for i := range s.q {
		for lane := range s.q[i] {
			s.q[i][lane], s.k[i][lane] = float32(i%3), float32(i%5)
		}
		s.q[i][5], s.k[i][5] = 1e30, 1e30
	}
	var means layerMeans
	s.attend(&means, true)
	for lane := range kernel.Width {
		if isLost := math.IsNaN(means[scoreVariance][lane]) && math.IsNaN(means[relativeTrace][lane]) &&
			math.IsNaN(means[maxWeight][lane]); isLost != (lane == 5) {
			t.Errorf("lane %d: %v", lane, means)
		}
	}
	c := newDepthCell(architecture{tokens: 4, width: 3, layers: 1})
	bad := moments.New([]float64{1, 2, math.NaN()}, experiment.ErrorOrder)
	f := depthEstimates(c, moments.Node{Moments: []moments.Moments{bad, bad, bad, bad, bad}})
	if r := f.Estimates[0]; r.Value.Present() || r.Lo.Present() || len(f.Warnings) != len(depthQuantities) {
		t.Errorf("a row %+v and %d warnings", r, len(f.Warnings))
	}
}
