package depth

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/kernel"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

func depthCell(w architecture) experiment.Cell {
	said := func(x bool, yes, no string) experiment.Value {
		if x {
			return experiment.Value{Name: yes}
		}
		return experiment.Value{Name: no}
	}
	return experiment.NewCell(Experiment, map[string]experiment.Value{
		"tokens": {Number: float64(w.tokens)}, "width": {Number: float64(w.width)}, "layers": {Number: float64(w.layers)},
		"scale": said(w.scaled, names.ScaleRoot, names.ScaleUnscaled), "residual": said(w.residual, names.Yes, names.No), "norm": said(w.norm, names.Yes, names.No)})
}

// architectures are the eight ways to build a stack of the given size.
func architectures(tokens, width, layers int) []architecture {
	var all []architecture
	for i := range 8 {
		all = append(all, architecture{tokens, width, layers, i&1 > 0, i&2 > 0, i&4 > 0})
	}
	return all
}

// depthRow is a row of a layer.
func depthRow(t *testing.T, f experiment.Findings, quantity string, layer int) result.Estimate {
	t.Helper()
	for _, r := range f.Rows {
		if at, _ := r.Params.Number("layer"); r.Quantity == quantity && at == float64(layer) {
			return r
		}
	}
	t.Fatalf("no row %s of layer %d", quantity, layer)
	return result.Estimate{}
}

// The first layer is as theory says, within 4.9 of its own standard errors;
// the seed is fixed, so the test gives the same answer always.
func TestDepthFirstLayer(t *testing.T) {
	for _, size := range [][2]int{{2, 2}, {2, 7}, {5, 3}, {16, 32}, {9, 64}} {
		for _, w := range architectures(size[0], size[1], 1) {
			n := experimenttest.Drawn(depthCell(w), 64)
			f := depthRows(depthCell(w), n)
			for i, quantity := range map[int]string{scoreVariance: "score_variance", tokenVariance: "token_variance", tokenCosine: "token_cosine"} {
				r := depthRow(t, f, quantity, 1)
				m := n.Moments[depthColumn(0, i)] // its own error, whether or not that is well enough known
				r.SE = result.Number(math.Sqrt(m.Variance() / float64(m.N)))
				if z := float64((r.Value - r.Theory) / r.SE); r.TheoryKind != "exact" || !(math.Abs(z) <= 4.9) {
					t.Errorf("%+v: %s is %v, %.1f standard errors from %v (%s)", w, quantity, r.Value, z, r.Theory, r.TheoryKind)
				}
			}
		}
	}
}

// Where tokens are alike to within rounding, no row pretends to an error.
func TestDepthOfRounding(t *testing.T) {
	c := depthCell(architecture{tokens: 8, width: 16, layers: 12, scaled: true})
	f := depthRows(c, experimenttest.Drawn(c, 256))
	last := depthRow(t, f, "score_variance", 12)
	if last.SE.Present() || last.Lo.Present() || last.TheoryKind != "none" {
		t.Errorf("the last layer's score variance is %v ± %v", last.Value, last.SE)
	}
	if first := depthRow(t, f, "score_variance", 1); !first.Lo.Present() {
		t.Errorf("the first layer has no interval over %d stacks: %v", first.N, f.Warnings)
	}
	said := slices.ContainsFunc(f.Warnings, func(w result.Warning) bool {
		return w.Quantity == "score_variance" && strings.Contains(w.Text, "–12: no interval: the tokens have become so alike")
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
		if lost := math.IsNaN(seen[scoreVariance][lane]) && math.IsNaN(seen[gradientSurvival][lane]) && math.IsNaN(seen[maxWeight][lane]); lost != (lane == 5) {
			t.Errorf("lane %d: %v", lane, seen)
		}
	}
	c := depthCell(architecture{tokens: 4, width: 3, layers: 1})
	bad := moments.Of([]float64{1, 2, math.NaN()}, experiment.ErrorOrder)
	f := depthRows(c, moments.Node{Moments: []moments.Moments{bad, bad, bad, bad, bad}})
	if r := f.Rows[0]; r.Value.Present() || r.Lo.Present() || len(f.Warnings) != len(depthQuantities) {
		t.Errorf("a row %+v and %d warnings", r, len(f.Warnings))
	}
}

// Intervals of 95 % hold the mean of many runs as often as they say, where the
// rule gives them: 100 runs of 256 stacks, all quantities and layers.
func TestDepthCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("counts over many seeds")
	}
	const runs, blocks = 100, 16
	given, held := 0, 0
	median := map[string]*[2]int{} // by quantity: intervals of medians, and those that hold that of all runs
	for _, w := range architectures(4, 8, 6) {
		c := depthCell(w)
		c = experimenttest.Taught(c, blocks*Experiment.BlockUnits(c))
		each, all := experimenttest.Runs(c, 3, runs, blocks)
		countMedians(c, each, all, median)
		for column, truth := range all.Moments {
			for _, n := range each {
				m := n.Moments[column]
				if whyNoInterval(m, c.Pilot().Moments[column], meanOf(c.Pilot(), column, m.N)) != "" {
					continue
				}
				given++
				if math.Abs(m.Mean-truth.Mean) <= experiment.LevelZ*math.Sqrt(m.Variance()/float64(m.N)) {
					held++
				}
			}
		}
	}
	for quantity, n := range median {
		// Columns of a run depend on each other, as if there were but one for each architecture.
		if share := float64(n[1]) / float64(n[0]); n[0] < 1000 || math.Abs(share-0.95) > 4*math.Sqrt(0.95*0.05/800) {
			t.Errorf("%s: %d of %d intervals hold the median, %.4f", quantity, n[1], n[0], share)
		}
	}
	if share := float64(held) / float64(given); given < 5000 || share < 0.94 || share > 0.96 {
		t.Errorf("%d of %d intervals hold the mean, %.4f", held, given, share)
	}
}

// countMedians counts the intervals of medians over the stacks of a run, and those that
// hold the median of all runs together.
func countMedians(c experiment.Cell, each []moments.Node, all moments.Node, count map[string]*[2]int) {
	truth := map[string]float64{}
	key := func(r result.Estimate) string { return fmt.Sprint(r.Quantity, r.Params) }
	for _, r := range depthRows(c, all).Rows {
		truth[key(r)] = float64(r.Value)
	}
	for _, n := range each {
		for _, r := range depthRows(c, n).Rows {
			quantity, p, ok := names.QuantileOf(r.Quantity)
			if !ok || p != 0.5 || !r.Level.Present() || !r.SE.Present() {
				continue
			}
			if count[quantity] == nil {
				count[quantity] = &[2]int{}
			}
			count[quantity][0]++
			if x := truth[key(r)]; float64(r.Lo) <= x && x <= float64(r.Hi) {
				count[quantity][1]++
			}
		}
	}
}
