package scores

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/theory"
)

// By hand: blocks of 100 pairs, variance of their means 4, whatever their kurtosis is:
// error 2/√B, by theory, at d = 8 where γ₂ = ¾, 8√(2.75/100B), and its own 1/√(2ν) of
// the latter. Of 16 blocks too few degrees of freedom are left.
func TestErrorFromBlocks(t *testing.T) {
	node := func(blocks int64, kurtosis float64) moments.Node {
		scores := moments.Moments{N: 100 * blocks, Order: moments.MaxOrder}
		means := moments.Moments{N: blocks, Order: experiment.ErrorOrder, Mean: 8}
		means.Sum[2] = 4 * float64(blocks-1)
		means.Sum[4] = kurtosis * means.Sum[2] * means.Sum[2] / float64(blocks)
		return moments.Node{Moments: []moments.Moments{scores, means}}
	}
	c := cellOf(Variance, "normal", 8)
	for _, k := range []struct {
		blocks  int64
		printed bool
	}{{2, false}, {15, false}, {16, false}, {64, true}, {4096, true}} {
		for _, kurtosis := range []float64{1, 3, 50} {
			var f experiment.Findings
			addBlocks(&f, c, node(k.blocks, kurtosis), scoreOf(c))
			r, b := f.Rows[0], float64(k.blocks)
			theory := 8 * math.Sqrt(2.75/(100*b))
			pairs := [][2]float64{{float64(r.Value), 2 / math.Sqrt(b)}, {float64(r.Theory), theory}}
			if k.printed {
				pairs = append(pairs, [2]float64{float64(r.SE), theory / math.Sqrt(2*scoreOf(c).Blocks(100).Freedom(k.blocks))})
			}
			for _, pair := range pairs {
				if math.Abs(pair[0]/pair[1]-1) > 1e-14 {
					t.Errorf("%d blocks: %v, want %v", k.blocks, pair[0], pair[1])
				}
			}
			if r.Level.Present() != k.printed || r.SE.Present() != k.printed || (len(f.Warnings) == 0) != k.printed || k.printed && !(r.Lo < r.Value && r.Value < r.Hi) {
				t.Errorf("%d blocks of kurtosis %v: %v ± %v in [%v, %v], %d warnings", k.blocks, kurtosis, r.Value, r.SE, r.Lo, r.Hi, len(f.Warnings))
			}
			if !k.printed && !strings.Contains(f.Warnings[0].Text, "degrees of freedom") {
				t.Errorf("%d blocks: %q", k.blocks, f.Warnings[0].Text)
			}
		}
	}
}

// Over many seeds the error that is printed is that with which the row scatters, within
// jackknife limits, and 95 % of the intervals hold theory. Of few blocks, or of
// heavy scores, no seed prints any. Runs of about a thousand pairs and of more.
func TestScatterOverSeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("draws for seconds")
	}
	const runs, seed = 300, 11
	for _, k := range []struct {
		cell   experiment.Cell
		blocks int
		shown  bool
	}{
		{cellOf(Variance, "normal", 64), 4, false}, // 1024 pairs
		{cellOf(Variance, "normal", 8), 1, false},
		{cellOf(Variance, "normal", 4096), 63, true}, // 1008 pairs
		{cellOf(Variance, "rademacher", 4096), 63, true},
		{cellOf(Variance, "normal", 64), 24, true},
		{cellOf(Variance, "normal", 64), 128, true},
		{cellOf(Variance, "uniform", 8), 32, true},
		{cellOf(Variance, "normal", 2), 64, true},
		{cellOf(Variance, "laplace", 1), 64, false},
		{cellOf(Variance, "student-t(10)", 64), 128, false},
		{cellOf(Variance, "laplace", 256), 64, true},
		{gramCell("normal", 1024), 4, false},
		{gramCell("student-t(10)", 64), 24, false},
		{gramCell("normal", 64), 8, true},
		{gramCell("laplace", 16), 4, true},
		{gramCell("rademacher", 64), 24, true},
	} {
		each, _ := experimenttest.Runs(k.cell, seed, runs, k.blocks)
		var values []float64
		var printed, held float64
		for _, n := range each {
			f := k.cell.Experiment.Rows(k.cell, n)
			r := f.Rows[slices.IndexFunc(f.Rows, func(r result.Estimate) bool { return r.Quantity == names.ScoreVarianceSEBlocks })]
			if r.SE.Present() != k.shown || r.Level.Present() != k.shown {
				t.Fatalf("%s, %d blocks: error %v, interval %v, want both: %v", k.cell.ID, k.blocks, r.SE, r.Level, k.shown)
			}
			values, printed = append(values, float64(r.Value)), printed+float64(r.SE*r.SE)
			if r.Lo <= r.Theory && r.Theory <= r.Hi {
				held++
			}
		}
		if !k.shown {
			continue
		}
		ratio, se := scatterOver(values, math.Sqrt(printed/runs))
		t.Logf("%s, %d blocks: scatter over printed error %.3f ± %.3f, %v of %d intervals hold", k.cell.ID, k.blocks, ratio, se, held, runs)
		if z := (ratio - 1) / se; math.Abs(z) > 3.9 { // 10⁻³ over ten cells
			t.Errorf("%s, %d blocks: the scatter over the printed error is %.3f ± %.3f", k.cell.ID, k.blocks, ratio, se)
		}
		experimenttest.Covers(t, int64(held), runs, false, "%s, %d blocks", k.cell.ID, k.blocks)
	}
}

// scatterOver is the standard deviation of numbers over an error, with its jackknife error.
func scatterOver(values []float64, printed float64) (ratio, se float64) {
	n := float64(len(values))
	var sum, squares float64
	for _, v := range values {
		sum, squares = sum+v, squares+float64(v*v)
	}
	deviation := func(n, sum, squares float64) float64 { return math.Sqrt((squares-float64(sum*sum)/n)/(n-1)) / printed }
	var mean, spread float64
	left := make([]float64, len(values))
	for i, v := range values {
		left[i] = deviation(n-1, sum-v, squares-float64(v*v))
		mean += left[i] / n
	}
	for _, x := range left {
		spread += float64((x - mean) * (x - mean))
	}
	return deviation(n, sum, squares), math.Sqrt(spread * (n - 1) / n)
}

func scoreOf(c experiment.Cell) theory.Score { return theory.NewScore(c.Law(), c.Dimension()) }
