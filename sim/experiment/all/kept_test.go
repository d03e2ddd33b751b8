package all

import (
	"bytes"
	"context"
	"math"
	"testing"
	"time"

	"mcsim/sim/checkpoint"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/moments"
	"mcsim/sim/names"
)

// keptCells are cells of every experiment whose blocks can take long, small ones that go through
// all parts of such a block: chunks of long vectors, several matrices, runs, layers and rates.
var keptCells = []struct {
	experiment string
	values     map[string]string
	points     int // that a block has at least
}{
	{names.ExperimentVariance, map[string]string{"law": "normal", "d_k": "600", "estimator": names.EstimatorGram}, 3},
	{names.ExperimentVariance, map[string]string{"law": "rademacher", "d_k": "40", "estimator": names.EstimatorGram}, 2},
	{names.ExperimentSoftmax, map[string]string{"law": "normal", "d_k": "100", "keys": "4096", "exponent": "0 1/2"}, 8},
	{names.ExperimentSoftmax, map[string]string{"law": "normal", "d_k": "16", "keys": "8"}, 64},
	{names.ExperimentSoftmax, map[string]string{"law": "laplace", "d_k": "16", "keys": "6", "shared_keys": "yes"}, 50},
	{names.ExperimentFreezing, map[string]string{"keys": "64", "sigma": "1"}, 64},
	{names.ExperimentRanks, map[string]string{"law": "normal", "d_k": "5000", "keys": "64", "exponent": "1/2"}, 3},
	{names.ExperimentPrecision, map[string]string{"law": "normal", "d_k": "2080", "keys": "64", "format": "bfloat16"}, 32},
	{names.ExperimentAlignment, map[string]string{"law": "normal", "d_k": "100", "keys": "4096", "rho": "0.5", "exponent": "1/2"}, 4},
	{names.ExperimentRules, map[string]string{"law": "normal", "d_k": "24", "rule": "power additive"}, 64 + 24},
	{names.ExperimentDepth, map[string]string{"tokens": "5", "width": "8", "layers": "3", "residual": "yes", "norm": "yes"}, 18},
	{names.ExperimentDepth, map[string]string{"tokens": "4", "width": "6", "layers": "2"}, 12},
	{names.ExperimentInit, map[string]string{"init": names.InitTorchMHA, "d_model": "768", "d_k": "64"}, 3},
	{names.ExperimentInit, map[string]string{"init": names.InitOrthogonal, "d_model": "512", "d_k": "32"}, 2},
	{names.ExperimentTraining, map[string]string{"steps": "10", "d_k": "16", "optimiser": names.OptimiserAdam, "exponent": "1/2", "octave": "0"}, 7 * 11},
	{names.ExperimentTraining, map[string]string{"steps": "10", "d_k": "16", "optimiser": names.OptimiserDescent, "trained": names.TrainedAll, "variant": names.VariantTwoLayers, "exponent": "1/2", "octave": "0"}, 7 * 11},
	{names.ExperimentCalibration, map[string]string{"law": "normal", "d_k": "64", "pairs": "4096"}, 4},
}

// A block, and a pilot, that is kept at some point and goes on from there in another process is what it is without a
// break, to the bit.
func TestBlocksGoOnFromEveryPoint(t *testing.T) {
	for _, k := range keptCells {
		e, err := Lookup(k.experiment)
		if err != nil {
			t.Fatal(err)
		}
		c := experimenttest.PointOf(t, e, k.values)
		c.Units = 2000
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			if c.Piloted() {
				n := goesOn(t, func(track *checkpoint.Track) moments.Node {
					n, _ := c.DrawPilot(context.Background(), track)
					return n
				})
				if n < 1 {
					t.Error("the pilot has no points")
				}
				c.Learn(c.Pilot())
			}
			if n := goesOn(t, func(track *checkpoint.Track) moments.Node {
				var d experiment.Drawer
				d.Open(7, 0, c)
				d.Track = track
				n, _ := d.Draw(context.Background(), moments.Place{Index: 1})
				return n
			}); n < k.points {
				t.Errorf("a block has %d points, fewer than %d", n, k.points)
			}
		})
	}
}

// goesOn draws something without a break, and from some of its points on, and compares. It returns how many
// points there are.
func goesOn(t *testing.T, draw func(*checkpoint.Track) moments.Node) int {
	t.Helper()
	const tried = 5
	whole := moments.AppendNode(nil, draw(nil))
	var states [][]byte
	draw(checkpoint.New(nil, 0, nil, func(state []byte) { states = append(states, state) }))
	step := max(1, len(states)/tried)
	for i := len(states) - 1; i >= 0; i -= step {
		track := checkpoint.New(states[i], math.MaxInt64, nil, nil)
		if got := moments.AppendNode(nil, draw(track)); !bytes.Equal(got, whole) {
			t.Errorf("from point %d of %d on something else is drawn", i, len(states))
		}
		track.End()
	}
	return len(states)
}

// longestCells are those of every experiment that take longest, as far as its axes go.
var longestCells = []struct {
	experiment string
	values     map[string]string
}{
	{names.ExperimentVariance, map[string]string{"law": "normal", "d_k": "1048576"}},
	{names.ExperimentVariance, map[string]string{"law": "student-t(5)", "d_k": "1048576"}},
	{names.ExperimentVariance, map[string]string{"law": "normal", "d_k": "1048576", "estimator": names.EstimatorGram}},
	{names.ExperimentSoftmax, map[string]string{"law": "normal", "d_k": "1048576", "keys": "4096"}},
	{names.ExperimentSoftmax, map[string]string{"law": "normal", "d_k": "64", "keys": "4096", "shared_keys": "yes"}},
	{names.ExperimentFreezing, map[string]string{"keys": "4096"}},
	{names.ExperimentRanks, map[string]string{"law": "normal", "d_k": "1048576", "keys": "64"}},
	{names.ExperimentPrecision, map[string]string{"law": "normal", "d_k": "8192", "keys": "64"}},
	{names.ExperimentMismatch, map[string]string{"law": "normal", "d_k": "1048576"}},
	{names.ExperimentAlignment, map[string]string{"law": "normal", "d_k": "1048576", "keys": "4096", "rho": "0.5"}},
	{names.ExperimentRules, map[string]string{"law": "normal", "d_k": "65536"}},
	{names.ExperimentDepth, map[string]string{"tokens": "128", "width": "512", "layers": "64", "residual": "yes", "norm": "yes"}},
	{names.ExperimentDepth, map[string]string{"tokens": "256", "width": "256", "layers": "64"}},
	{names.ExperimentInit, map[string]string{"init": names.InitTorchMHA, "d_model": "32768", "d_k": "1024"}},
	{names.ExperimentInit, map[string]string{"init": names.InitOrthogonal, "d_model": "32768", "d_k": "1024"}},
	{names.ExperimentTraining, map[string]string{"steps": "10000", "d_k": "4096", "optimiser": names.OptimiserAdam, "variant": names.VariantTwoLayers, "exponent": "1/2", "octave": "0"}},
	{names.ExperimentTraining, map[string]string{"steps": "10000", "d_k": "4096", "optimiser": names.OptimiserAdam, "variant": names.VariantAdditive, "exponent": "1/2", "octave": "0"}},
	{names.ExperimentHealth, map[string]string{"law": "normal"}},
	{names.ExperimentControls, map[string]string{"control": "q-sd-1.01", "d_k": "1048576"}},
	{names.ExperimentRepeats, map[string]string{"law": "normal", "d_k": "1048576"}},
	{names.ExperimentCalibration, map[string]string{"law": "normal", "d_k": "1048576", "pairs": "1048576"}},
}

// longBlock is how many components, as costs are counted, portable Go draws in a second or two.
const longBlock = 1 << 27

// Every experiment that draws is among the longest cells, and has points if its blocks can be long.
func TestLongBlocksHavePoints(t *testing.T) {
	points, listed := map[string]bool{}, map[string]bool{}
	for _, k := range keptCells {
		points[k.experiment] = true
	}
	for _, l := range longestCells {
		e, err := Lookup(l.experiment)
		if err != nil {
			t.Fatal(err)
		}
		c := experimenttest.PointOf(t, e, l.values)
		listed[e.Name] = true
		if cost := float64(e.BlockUnits(c)) * e.Cost(c); cost > longBlock && !points[e.Name] {
			t.Errorf("a block of %s costs %.3g components, and no test goes on from its points", c.ID, cost)
		}
	}
	for _, e := range Table {
		if e.Of == "" && !listed[e.Name] {
			t.Errorf("%s is not among the cells that take longest", e.Name)
		}
	}
}

// The longest time from one point to the next, of the first of a block: what kill -9 costs of it beside
// checkpoint.Most. A block may have so many that they do not all pass.
func BenchmarkLongestStretch(b *testing.B) {
	for _, l := range longestCells {
		e, err := Lookup(l.experiment)
		if err != nil {
			b.Fatal(err)
		}
		c := experimenttest.PointOf(b, e, l.values)
		c.Learn(moments.Node{})
		b.Run(c.ID, func(b *testing.B) {
			var longest time.Duration
			for b.Loop() {
				longest = max(longest, stretch(c))
			}
			b.ReportMetric(longest.Seconds(), "s-longest")
		})
	}
}

// enough is the time after which no more points are waited for.
type enough struct{}

// stretch is the longest time between two of the first points of a block.
func stretch(c experiment.Cell) (longest time.Duration) {
	var d experiment.Drawer
	d.Open(7, 0, c)
	begun := time.Now()
	last := begun
	pass := func() {
		longest = max(longest, time.Since(last))
		if last = time.Now(); last.Sub(begun) > 5*time.Second {
			panic(enough{})
		}
	}
	defer func() {
		if r := recover(); r != nil && r != (enough{}) {
			panic(r)
		}
	}()
	d.Track = checkpoint.New(nil, 0, nil, func([]byte) { pass() })
	d.Draw(context.Background(), moments.Place{})
	pass()
	return longest
}
