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

// sortedWeights returns the softmax weights of a row in descending order, computed directly.
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

// sampleScores returns the scores of the first rows of a cell, sampled as the experiment does but
// without its tally.
func sampleScores(c experiment.Cell, blocks int) (scores [][]float64) {
	cellStream, group := stream.Open(stream.ID{Seed: 11, Cell: c.ID}), rows.NewRowGroup(c, rows.Keys(c), nil)
	var d experiment.BlockStream
	for block := range blocks {
		d.Begin(cellStream, int64(block))
		for range blockUnits(c) / kernel.Width {
			group.SampleRows(&d.Lanes)
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

// TestAgainstSortedRows compares means and quantiles with those of the same rows, each sorted by
// itself in float64: means up to rounding, quantiles up to a fraction of their error that does not
// matter for the interval.
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
						rank := p * float64(len(weights))
						want = weights[int(rank)]
						tolerance = 0.25*float64(r.SE)/want + (weights[int(rank)+1]-weights[int(rank)-1])/want
						if !r.SE.Present() {
							tolerance = float64(r.Hi-r.Lo) / want
						}
					}
					if difference := math.Abs(float64(r.Value) - want); !(difference <= tolerance*want) {
						t.Errorf("%s %s of rank %d at p = %v is %v, want %v", c.ID, r.Quantity, k+1, s.Value, r.Value,
							want)
					}
				}
			}
		}
	}
}

// TestAgainstQuadrature compares the mean weight of every rank with the quadrature of another
// program (testdata/README.md), and the largest weight of that program with our quadrature.
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
				t.Errorf("d_k = %d, p = %v: the largest weight is %v by our quadrature, %v by the other", d, p,
					r.Theory, want["mean"])
			}
			if r.Level.Present() { // otherwise its standard error is not known well enough
				compared.compare(t, float64(r.Value), want["mean"], float64(r.SE), "rank %v at d_k = %d, p = %v",
					want["rank"],
					d, p)
			}
		}
	}
	if compared < 8*8-4 {
		t.Errorf("%d of the other program's numbers are compared with rows", compared)
	}
}
