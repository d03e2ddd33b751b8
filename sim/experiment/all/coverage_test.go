package all

import (
	"math"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Intervals of 95 % hold what they should over many runs of a few blocks: theory, or the
// number over all runs where there is none. Those of quantiles and of counts may hold it more
// often. And whether a row has an interval is the same in every run. Small vectors, and queries
// that share their keys, are where errors as if all numbers were independent and normal fail.
func TestIntervalsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("counts over many seeds")
	}
	for _, of := range []struct {
		cell   experiment.Cell
		blocks int
		least  int // rows with intervals
	}{
		{at(t, "softmax", "distribution", "normal", "d_k", "2", "keys", "8", "shared_keys", "yes", "exponent", "1/2"),
			16, 60},
		{at(t, "softmax", "distribution", "normal", "d_k", "7", "keys", "13", "shared_keys", "yes", "exponent",
			"0 1/2"), 16, 115},
		{at(t, "softmax", "distribution", "normal", "d_k", "64", "keys", "8", "exponent", "0 1/2 1"), 16, 187},
		{at(t, "softmax", "distribution", "normal", "d_k", "512", "keys", "8", "exponent", "0"), 16, 50},
		{at(t, "softmax", "distribution", "rademacher", "d_k", "16", "keys", "6", "exponent", "0 1/2"), 16, 126},
		{at(t, "variance", "distribution", "normal", "d_k", "2"), 64, 7},
		{at(t, "variance", "distribution", "normal", "d_k", "64"), 24, 7},
		{at(t, "variance", "distribution", "laplace", "d_k", "256"), 64, 6},
		{at(t, "variance", "distribution", "normal", "d_k", "64", "estimator", "gram"), 8, 3},
		{at(t, "variance", "distribution", "laplace", "d_k", "16", "estimator", "gram"), 4, 3},
		{at(t, "exponents", "distribution", "normal", "d_k", "64", "exponent", "0 1/4 1"), 64, 5},
		{at(t, "health", "distribution", "normal"), 4, 6},
		{at(t, "ranks", "distribution", "normal", "d_k", "4", "keys", "3", "exponent", "0 1/2"), 4, 48},
		{at(t, "precision", "distribution", "normal", "d_k", "4", "keys", "3", "format", "float16 e5m2", "placement",
			"after-product"), 4, 24},
		{at(t, "depth", "tokens", "4", "width", "8", "layers", "6", "norm", "yes", "residual", "yes"), 16, 160},
		{at(t, "depth", "tokens", "4", "width", "8", "layers", "3", "scale", "unscaled"), 16, 81},
		{at(t, "init", "init", "lecun-normal", "d_model", "64", "d_k", "8"), 64, 11},
		{at(t, "init", "init", "torch-linear", "d_model", "64", "d_k", "8"), 64, 11},
	} {
		covers(t, of.cell, of.blocks, of.least)
	}
}

// covers holds the intervals of 300 runs of a cell: all of its rows together fail by chance
// once in a thousand times.
func covers(t *testing.T, c experiment.Cell, blocks, least int) {
	t.Helper()
	const runs = 300
	if c.Experiment.Sampler != nil && c.HasPilot() {
		c = experimenttest.WithPilot(c, int64(blocks)*c.BlockUnits())
	}
	drawn := c
	if c.Experiment.Sampler == nil {
		drawn.Experiment, _ = Lookup(c.Experiment.ReadsFrom)
	}
	each, all := experimenttest.SampleRuns(drawn, 3, runs, blocks)
	truth := c.Experiment.Reader.Estimates(c, all).Estimates
	held, given := make([]int64, len(truth)), make([]int64, len(truth))
	for _, n := range each {
		for i, r := range c.Experiment.Reader.Estimates(c, n).Estimates {
			want := truth[i].Value
			if r.TheoryKind == names.TheoryExact || r.TheoryKind == names.TheoryQuadrature {
				want = r.Theory
			}
			if r.Level.Present() {
				if given[i]++; r.Lo <= want && want <= r.Hi {
					held[i]++
				}
			}
		}
	}
	found := 0
	for i, r := range truth {
		if given[i] == 0 {
			continue
		}
		found++
		lo, hi := theory.ClopperPearson(held[i], runs, 5e-4/float64(len(truth)))
		if given[i] != runs || hi < experiment.Level || lo > experiment.Level && !ofCounts(r) {
			t.Errorf("%s of %s, %v: %d of %d intervals hold the truth, over %d runs", r.Quantity, c.ID, r.Params,
				held[i], given[i], runs)
		}
	}
	if found < least {
		t.Errorf("%s has %d rows with intervals, and is known to have %d", c.ID, found, least)
	}
}

// ofCounts reports whether an interval is of ranks, or of the limits of a count, which do not
// lie evenly about it.
func ofCounts(r result.Estimate) bool {
	_, _, quantile := names.ParseQuantile(r.Quantity)
	return quantile || math.Abs(float64(r.Lo+r.Hi-2*r.Value)) > 1e-6*float64(r.Hi-r.Lo)
}
