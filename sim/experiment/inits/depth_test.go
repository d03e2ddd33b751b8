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

func depthCell(w architecture) experiment.Cell {
	said := func(x bool, yes, no string) experiment.AxisValue {
		if x {
			return experiment.AxisValue{Name: yes}
		}
		return experiment.AxisValue{Name: no}
	}
	return experiment.NewCell(Depth, map[string]experiment.AxisValue{
		"tokens": {Number: float64(w.tokens)}, "width": {Number: float64(w.width)},
		"layers":   {Number: float64(w.layers)},
		"scale":    said(w.scaled, names.ScaleRoot, names.ScaleUnscaled),
		"residual": said(w.residual, names.Yes, names.No), "norm": said(w.norm, names.Yes, names.No)})
}

// architectures returns the eight ways to build a stack of the given size.
func architectures(tokens, width, layers int) []architecture {
	var all []architecture
	for i := range 8 {
		all = append(all, architecture{tokens, width, layers, i&1 > 0, i&2 > 0, i&4 > 0})
	}
	return all
}

// Where tokens are alike to within rounding, no row pretends to an error.
func TestDepthOfRounding(t *testing.T) {
	c := depthCell(architecture{tokens: 8, width: 16, layers: 12, scaled: true})
	f := depthEstimates(c, experimenttest.SampleCell(c, 256))
	last := experimenttest.EstimateAt(t, f, "score_variance", "layer", 12.0)
	if last.SE.Present() || last.Lo.Present() || last.TheoryKind != "none" {
		t.Errorf("the last layer's score variance is %v ± %v", last.Value, last.SE)
	}
	if first := experimenttest.EstimateAt(t, f, "score_variance", "layer", 1.0); !first.Lo.Present() {
		t.Errorf("the first layer has no interval over %d stacks: %v", first.N, f.Warnings)
	}
	said := slices.ContainsFunc(f.Warnings, func(w result.Warning) bool {
		return w.Quantity == "score_variance" &&
			strings.Contains(w.Text, "–12: no interval: the tokens have become so alike")
	})
	if !said {
		t.Errorf("no warning says so: %v", f.Warnings)
	}
	for _, w := range f.Warnings {
		if strings.Count(w.Text, "no interval") != 1 || w.Cell != c.ID {
			t.Errorf("a warning that is not one line on one cause: %+v", w)
		}
	}
}

// A stack whose scores leave float32 spoils its layer, visibly, and no other.
func TestDepthOverflow(t *testing.T) {
	s := newStacks(architecture{tokens: 4, width: 3, layers: 2})
	for i := range s.q {
		for lane := range s.q[i] {
			s.q[i][lane], s.k[i][lane] = float32(i%3), float32(i%5)
		}
		s.q[i][5], s.k[i][5] = 1e30, 1e30
	}
	var seen layerMeans
	s.attend(&seen, true)
	for lane := range kernel.Width {
		if lost := math.IsNaN(seen[scoreVariance][lane]) && math.IsNaN(seen[relativeTrace][lane]) &&
			math.IsNaN(seen[maxWeight][lane]); lost != (lane == 5) {
			t.Errorf("lane %d: %v", lane, seen)
		}
	}
	c := depthCell(architecture{tokens: 4, width: 3, layers: 1})
	bad := moments.New([]float64{1, 2, math.NaN()}, experiment.ErrorOrder)
	f := depthEstimates(c, moments.Node{Moments: []moments.Moments{bad, bad, bad, bad, bad}})
	if r := f.Estimates[0]; r.Value.Present() || r.Lo.Present() || len(f.Warnings) != len(depthQuantities) {
		t.Errorf("a row %+v and %d warnings", r, len(f.Warnings))
	}
}
