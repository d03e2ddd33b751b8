package softmax

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
)

func newRanksCell(t testing.TB, distribution string, d, keys int, exponents string) experiment.Cell {
	return experimenttest.NewCell(t, Ranks, map[string]string{"distribution": distribution, "d_k": fmt.Sprint(d),
		"keys": fmt.Sprint(keys), "exponent": exponents})
}

// sortedWeights returns the softmax weights of a row in descending order. It subtracts the largest
// score, and sums the terms from the smallest to the largest.
func sortedWeights(scores []float64, factor float64) (weights []float64) {
	maxScore, z := slices.Max(scores), 0.0
	for _, s := range scores {
		weights = append(weights, math.Exp(factor*(s-maxScore)))
	}
	slices.Sort(weights)
	for _, e := range weights {
		z += e
	}
	for k := range weights {
		weights[k] /= z
	}
	slices.Reverse(weights)
	return weights
}

// sampleScores returns the scores of the rows of the first blocks of a cell, which it samples like
// the experiment but without a tally.
func sampleScores(c experiment.Cell, blocks int) (scores [][]float64) {
	cellStream, group := stream.Open(stream.ID{Seed: 11, Cell: c.ID}), rows.NewRowGroup(c, rows.Keys(c), nil)
	var blockStream experiment.BlockStream
	for block := range blocks {
		blockStream.Begin(cellStream, int64(block))
		for range blockUnits(c) / kernel.Width {
			group.SampleRows(&blockStream.Lanes)
			for lane := range kernel.Width {
				var rowScores []float64
				for k := range group.Scores {
					rowScores = append(rowScores, float64(group.Scores[k][lane]))
				}
				scores = append(scores, rowScores)
			}
		}
	}
	return scores
}

// TestAgainstSortedRows compares the estimates of the weight of each rank with the means and
// quantiles of the same rows, whose weights sortedWeights computes. Means must agree up to
// rounding. Quantiles, which are read from histograms, must agree up to a quarter of their standard
// error.
func TestAgainstSortedRows(t *testing.T) {
	for _, c := range []experiment.Cell{newRanksCell(t, "normal", 16, 8, "0 1/2 1"),
		newRanksCell(t, "laplace", 3, 5, "1/2"),
		newRanksCell(t, "normal", 64, 64, "0 1/2")} {
		const blocks = 8
		scores := sampleScores(c, blocks)
		c = experimenttest.WithPilot(c, int64(len(scores)))
		f := ranksEstimates(c, experimenttest.SampleCell(c, blocks))
		for _, s := range rows.Scalings(c) {
			byRank := make([][]float64, rows.Keys(c))
			for _, row := range scores {
				for k, w := range sortedWeights(row, s.Factor) {
					byRank[k] = append(byRank[k], w)
				}
			}
			for k, weights := range byRank {
				sum := 0.0
				for _, w := range weights {
					sum += w
				}
				slices.Sort(weights)
				for _, r := range f.Estimates {
					if r.Params[s.Axis] != s.Value.Any() || r.Params[names.ParamRank] != float64(k+1) {
						continue
					}
					want, tolerance := sum/float64(len(weights)), 1e-12
					if _, p, ok := names.ParseQuantile(r.Quantity); ok {
						i := int(p * float64(len(weights)))
						want = weights[i]
						tolerance = 0.25*float64(r.SE)/want + (weights[i+1]-weights[i-1])/want
						if !r.SE.Present() { // the interval consists of the bins of an atom
							tolerance = float64(r.Hi-r.Lo) / want
						}
					}
					if difference := math.Abs(float64(r.Value) - want); !(difference <= tolerance*want) {
						t.Errorf("%s, %s of rank %d at p = %v: got %v, want %v ± %.2g", c.ID, r.Quantity, k+1, s.Value,
							r.Value, want, tolerance*want)
					}
				}
			}
		}
	}
}

// TestAgainstQuadrature compares the mean weights of ranks with the quadrature of another program
// (sim/statistics/theory/testdata/README.md): our estimates of all ranks up to maxZ standard
// errors, and our quadrature of the largest weight up to 10⁻⁸.
func TestAgainstQuadrature(t *testing.T) {
	estimates := map[int]experiment.CellEstimates{}
	var compared comparisons
	for _, want := range readTable(t, "../../statistics/theory/testdata/ranks.csv") {
		d, p := int(want["d_k"]), want["p"]
		if estimates[d].Estimates == nil {
			c := experimenttest.WithPilot(newRanksCell(t, "normal", d, 8, "0 1/2 1"), 1<<15)
			estimates[d] = ranksEstimates(c, experimenttest.SampleRows(c, 1<<15))
		}
		for _, r := range estimates[d].Estimates {
			if r.Quantity != names.RankedWeight || r.Params[names.ParamExponent] != p ||
				r.Params[names.ParamRank] != want["rank"] {
				continue
			}
			if want["rank"] == 1 && math.Abs(float64(r.Theory)-want["mean"]) > 1e-8 {
				t.Errorf("d_k = %d, p = %v: largest weight by quadrature: got %v, want %v", d, p,
					r.Theory, want["mean"])
			}
			if r.Level.Present() { // an estimate without an interval has no accurate standard error
				compared.compare(t, float64(r.Value), want["mean"], float64(r.SE), "rank %v at d_k = %d, p = %v",
					want["rank"], d, p)
			}
		}
	}
	const minCompared = 8*8 - 4 // all lines of the table but four
	if compared < minCompared {
		t.Errorf("got %d comparisons with estimates, want at least %d", compared, minCompared)
	}
}
