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

// cellOf returns a cell of rows at a point, with exponents.
func cellOf(t testing.TB, distribution string, d, keys int, exponents string) experiment.Cell {
	return experimenttest.NewCell(t, Ranks, map[string]string{"distribution": distribution, "d_k": fmt.Sprint(d),
		"keys": fmt.Sprint(keys), "exponent": exponents})
}

// sorted returns the weights of a row, the greatest first, worked out in the plainest way.
func sorted(scores []float64, factor float64) (weights []float64) {
	most, z := slices.Max(scores), 0.0
	for _, s := range scores {
		weights = append(weights, math.Exp(factor*(s-most)))
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

// drawnAlone returns the first rows of a cell as the experiment draws them, without its tally.
func drawnAlone(c experiment.Cell, blocks int) (all [][]float64) {
	open, group := stream.Open(stream.ID{Seed: 11, Cell: c.ID}), rows.NewRowGroup(c, rows.Keys(c), nil)
	var d experiment.BlockStream
	for block := range blocks {
		d.Begin(open, int64(block))
		for range softmaxUnits(c) / kernel.Width {
			group.SampleRows(&d.Lanes)
			for lane := range kernel.Width {
				var scores []float64
				for k := range group.Scores {
					scores = append(scores, float64(group.Scores[k][lane]))
				}
				all = append(all, scores)
			}
		}
	}
	return all
}

// Means and quantiles are those of the same rows, each sorted by itself in float64: means
// to rounding, quantiles to a part of their error that no interval shows.
func TestAgainstSortedRows(t *testing.T) {
	for _, c := range []experiment.Cell{cellOf(t, "normal", 16, 8, "0 1/2 1"), cellOf(t, "laplace", 3, 5, "1/2"),
		cellOf(t, "normal", 64, 64, "0 1/2")} {
		const blocks = 8
		scores := drawnAlone(c, blocks)
		c = experimenttest.WithPilot(c, int64(len(scores)))
		f := ranksEstimates(c, experimenttest.SampleCell(c, blocks))
		for _, s := range rows.Scalings(c) {
			byRank := make([][]float64, rows.Keys(c))
			for _, row := range scores {
				for k, w := range sorted(row, s.Factor) {
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
					want, near := sum/float64(len(weights)), 1e-12
					if _, p, ok := names.ParseQuantile(r.Quantity); ok {
						rank := p * float64(len(weights))
						want = weights[int(rank)]
						near = 0.25*float64(r.SE)/want + (weights[int(rank)+1]-weights[int(rank)-1])/want
						if !r.SE.Present() {
							near = float64(r.Hi-r.Lo) / want
						}
					}
					if off := math.Abs(float64(r.Value) - want); !(off <= near*want) {
						t.Errorf("%s %s of rank %d at p = %v is %v, want %v", c.ID, r.Quantity, k+1, s.Value, r.Value,
							want)
					}
				}
			}
		}
	}
}

// The mean weight of every rank by another program's quadrature (testdata/README.md), and
// that program's greatest weight beside our own quadrature.
func TestAgainstQuadrature(t *testing.T) {
	found := map[int]experiment.CellEstimates{}
	var far held
	for _, want := range table(t, "../../statistics/theory/testdata/ranks.csv") {
		d, p := int(want["d_k"]), want["p"]
		if found[d].Estimates == nil {
			c := experimenttest.WithPilot(cellOf(t, "normal", d, 8, "0 1/2 1"), 1<<15)
			found[d] = ranksEstimates(c, experimenttest.SampleRows(c, 1<<15))
		}
		for _, r := range found[d].Estimates {
			if r.Quantity != names.RankedWeight || r.Params[names.ParamExponent] != p ||
				r.Params[names.ParamRank] != want["rank"] {
				continue
			}
			if want["rank"] == 1 && math.Abs(float64(r.Theory)-want["mean"]) > 1e-8 {
				t.Errorf("d_k = %d, p = %v: the greatest weight is %v by our quadrature, %v by the other", d, p,
					r.Theory, want["mean"])
			}
			if r.Level.Present() { // else its own error is not known well enough
				far.hold(t, float64(r.Value), want["mean"], float64(r.SE), "rank %v at d_k = %d, p = %v", want["rank"],
					d, p)
			}
		}
	}
	if far < 8*8-4 {
		t.Errorf("%d of the other program's numbers are held against rows", far)
	}
}
