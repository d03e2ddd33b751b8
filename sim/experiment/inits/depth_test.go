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
	choose := func(condition bool, ifTrue, ifFalse string) experiment.AxisValue {
		if condition {
			return experiment.AxisValue{Name: ifTrue}
		}
		return experiment.AxisValue{Name: ifFalse}
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
		list = append(list, architecture{tokens: tokens, width: width, layers: layers,
			scaled: i&1 > 0, residual: i&2 > 0, norm: i&4 > 0})
	}
	return list
}

// TestDepthOfAlikeTokens checks that the score variance of a layer whose tokens are equal up to
// rounding has no standard error, interval or theory, and that one warning says why.
func TestDepthOfAlikeTokens(t *testing.T) {
	c := newDepthCell(architecture{tokens: 8, width: 16, layers: 12, scaled: true})
	f := depthEstimates(c, experimenttest.SampleCell(c, 256))
	last := experimenttest.EstimateAt(t, f, "score_variance", "layer", 12.0)
	if last.SE.Present() || last.Lo.Present() {
		t.Errorf("last layer: got standard error %v and lower limit %v, want neither", last.SE, last.Lo)
	}
	if last.TheoryKind != "none" {
		t.Errorf("last layer: got theory of kind %q, want none", last.TheoryKind)
	}
	if first := experimenttest.EstimateAt(t, f, "score_variance", "layer", 1.0); !first.Lo.Present() {
		t.Errorf("first layer: got no interval from %d stacks, want one; warnings: %v", first.N, f.Warnings)
	}
	hasWarning := slices.ContainsFunc(f.Warnings, func(w result.Warning) bool {
		return w.Quantity == "score_variance" &&
			strings.Contains(w.Text, "–12: no interval: the tokens have become so alike")
	})
	if !hasWarning {
		t.Errorf("no warning says that the tokens of the last layer are alike: %v", f.Warnings)
	}
	for _, w := range f.Warnings {
		if got := strings.Count(w.Text, "no interval"); got != 1 {
			t.Errorf("warning %q has %d reasons, want 1", w.Text, got)
		}
		if w.Cell != c.ID {
			t.Errorf("warning %q is about cell %s, want %s", w.Text, w.Cell, c.ID)
		}
	}
}

// TestDepthOverflow checks that scores which overflow float32 in one lane make all numbers of the
// layer NaN in this lane and in no other lane. It also checks that an estimate from such numbers
// has neither a value nor an interval, and that each quantity has a warning.
func TestDepthOverflow(t *testing.T) {
	const overflowLane = 5
	s := newStacks(architecture{tokens: 4, width: 3, layers: 2})
	for i := range s.q {
		for lane := range s.q[i] {
			s.q[i][lane], s.k[i][lane] = float32(i%3), float32(i%5)
		}
		s.q[i][overflowLane], s.k[i][overflowLane] = 1e30, 1e30
	}
	var means layerMeans
	s.attend(&means, true)
	for lane := range kernel.Width {
		for _, q := range []int{scoreVariance, relativeTrace, maxWeight} {
			if got, want := math.IsNaN(means[q][lane]), lane == overflowLane; got != want {
				t.Errorf("lane %d: %s is NaN: got %v, want %v", lane, depthQuantities[q].name, got, want)
			}
		}
	}
	c := newDepthCell(architecture{tokens: 4, width: 3, layers: 1})
	undefined := moments.New([]float64{1, 2, math.NaN()}, experiment.ErrorOrder)
	f := depthEstimates(c, moments.Node{Moments: slices.Repeat([]moments.Moments{undefined}, len(depthQuantities))})
	if r := f.Estimates[0]; r.Value.Present() || r.Lo.Present() {
		t.Errorf("got value %v and lower limit %v, want neither", r.Value, r.Lo)
	}
	if got, want := len(f.Warnings), len(depthQuantities); got != want {
		t.Errorf("got %d warnings, want %d: %v", got, want, f.Warnings)
	}
}
