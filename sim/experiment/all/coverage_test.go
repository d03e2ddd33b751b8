package all

import (
	"math"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// TestIntervalsCover counts in 300 runs of a few blocks how often the interval of each estimate
// contains the expected value, which is theory, or the estimate from all runs if theory is not
// known. The proportion must not differ significantly from 95 %, but intervals of quantiles and
// counts may contain it more often. Whether an estimate has an interval must not depend on the run.
// The cells include small vectors and shared keys, for which standard errors for independent normal
// numbers would be wrong.
func TestIntervalsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("samples many runs")
	}
	for _, test := range []struct {
		cell         experiment.Cell
		blocks       int
		minIntervals int // smallest number of estimates with intervals
	}{
		{newCell(t, "softmax", "distribution", "normal", "d_k", "2", "keys", "8", "shared_keys", "yes", "exponent",
			"1/2"), 16, 60},
		{newCell(t, "softmax", "distribution", "normal", "d_k", "7", "keys", "13", "shared_keys", "yes", "exponent",
			"0 1/2"), 16, 115},
		{newCell(t, "softmax", "distribution", "normal", "d_k", "64", "keys", "8", "exponent", "0 1/2 1"), 16, 187},
		{newCell(t, "softmax", "distribution", "normal", "d_k", "512", "keys", "8", "exponent", "0"), 16, 50},
		{newCell(t, "softmax", "distribution", "rademacher", "d_k", "16", "keys", "6", "exponent", "0 1/2"), 16, 126},
		{newCell(t, "variance", "distribution", "normal", "d_k", "2"), 64, 7},
		{newCell(t, "variance", "distribution", "normal", "d_k", "64"), 24, 7},
		{newCell(t, "variance", "distribution", "laplace", "d_k", "256"), 64, 6},
		{newCell(t, "variance", "distribution", "normal", "d_k", "64", "estimator", "gram"), 8, 3},
		{newCell(t, "variance", "distribution", "laplace", "d_k", "16", "estimator", "gram"), 4, 3},
		{newCell(t, "exponents", "distribution", "normal", "d_k", "64", "exponent", "0 1/4 1"), 64, 5},
		{newCell(t, "health", "distribution", "normal"), 4, 6},
		{newCell(t, "ranks", "distribution", "normal", "d_k", "4", "keys", "3", "exponent", "0 1/2"), 4, 48},
		{newCell(t, "precision", "distribution", "normal", "d_k", "4", "keys", "3", "format", "float16 e5m2",
			"placement", "after-product"), 4, 24},
		{newCell(t, "depth", "tokens", "4", "width", "8", "layers", "6", "norm", "yes", "residual", "yes"), 16, 160},
		{newCell(t, "depth", "tokens", "4", "width", "8", "layers", "3", "scale", "unscaled"), 16, 81},
		{newCell(t, "init", "init", "lecun-normal", "d_model", "64", "d_k", "8"), 64, 11},
		{newCell(t, "init", "init", "torch-linear", "d_model", "64", "d_k", "8"), 64, 11},
	} {
		checkCoverage(t, test.cell, test.blocks, test.minIntervals)
	}
}

// checkCoverage checks the intervals of 300 runs of a cell. If the coverage of all its estimates is
// 95 %, the check fails by chance with the probability 1/1000.
func checkCoverage(t *testing.T, c experiment.Cell, blocks, minIntervals int) {
	t.Helper()
	const runs = 300
	if c.Experiment.Sampler != nil && c.HasPilot() {
		c = experimenttest.WithPilot(c, int64(blocks)*c.BlockUnits())
	}
	sampledCell := c
	if c.Experiment.Sampler == nil {
		sampledCell.Experiment, _ = Lookup(c.Experiment.ReadsFrom)
	}
	nodes, merged := sampleRuns(sampledCell, 3, runs, blocks)
	overall := c.Experiment.Reader.Estimates(c, merged).Estimates // from all runs
	covered, intervals := make([]int64, len(overall)), make([]int64, len(overall))
	for _, n := range nodes {
		for i, r := range c.Experiment.Reader.Estimates(c, n).Estimates {
			want := overall[i].Value
			if r.TheoryKind == names.TheoryExact || r.TheoryKind == names.TheoryQuadrature {
				want = r.Theory
			}
			if !r.Level.Present() {
				continue
			}
			intervals[i]++
			if r.Lo <= want && want <= r.Hi {
				covered[i]++
			}
		}
	}
	intervalCount := 0
	for i, r := range overall {
		if intervals[i] == 0 {
			continue
		}
		intervalCount++
		if intervals[i] != runs {
			t.Errorf("%s of %s, %v: got an interval in %d of %d runs, want all or none", r.Quantity, c.ID, r.Params,
				intervals[i], runs)
		}
		lo, hi := theory.ClopperPearson(covered[i], runs, 5e-4/float64(len(overall)))
		if hi < experiment.Level {
			t.Errorf("%s of %s, %v: %d of %d intervals contain the expected value, which is too few", r.Quantity, c.ID,
				r.Params, covered[i], runs)
		}
		if lo > experiment.Level && !isAsymmetric(r) {
			t.Errorf("%s of %s, %v: %d of %d intervals contain the expected value, which is too many", r.Quantity, c.ID,
				r.Params, covered[i], runs)
		}
	}
	if intervalCount < minIntervals {
		t.Errorf("%s: got %d estimates with intervals, want at least %d", c.ID, intervalCount, minIntervals)
	}
}

// isAsymmetric reports whether the interval of an estimate is the interval of a quantile, or is not
// symmetric about the value, like the limits of a count.
func isAsymmetric(r result.Estimate) bool {
	_, _, isQuantile := names.ParseQuantile(r.Quantity)
	return isQuantile || math.Abs(float64(r.Lo+r.Hi-2*r.Value)) > 1e-6*float64(r.Hi-r.Lo)
}

// sampleRuns samples a cell several times from consecutive blocks, each run with the given number
// of blocks. It returns the node of each run and the merged node of all runs.
func sampleRuns(c experiment.Cell, seed uint64, runs, blocks int) (nodes []moments.Node, merged moments.Node) {
	cellStream := stream.Open(stream.ID{Seed: seed, Cell: c.StreamName()})
	sampleBlock := c.Experiment.Sampler.Open(c)
	var blockStream experiment.BlockStream
	for i := range runs * blocks {
		blockStream.Begin(cellStream, int64(i))
		node := sampleBlock(&blockStream)
		if i%blocks == 0 {
			nodes = append(nodes, node)
		} else {
			nodes[i/blocks] = moments.MergeNodes(nodes[i/blocks], node)
		}
	}
	copyOfFirst := moments.Reader{B: moments.AppendNode(nil, nodes[0])} // since MergeNodes may change it
	merged = copyOfFirst.Node()
	for _, n := range nodes[1:] {
		merged = moments.MergeNodes(merged, n)
	}
	return nodes, merged
}
