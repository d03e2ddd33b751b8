package ranks

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/quantile"
	"mcsim/sim/stream"
)

// cellOf is a cell of rows at a point, with exponents.
func cellOf(t testing.TB, law string, d, keys int, exponents string) experiment.Cell {
	return experimenttest.PointOf(t, Experiment, map[string]string{"law": law, "d_k": fmt.Sprint(d), "keys": fmt.Sprint(keys), "exponent": exponents})
}

// sorted are the weights of a row, the greatest first, worked out in the plainest way.
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

// Weights, what they leave, and R of rows of every kind: spread, equal, tied, and with all
// weight on one key.
func TestWeigh(t *testing.T) {
	for _, scores := range [][]float64{{3, 1}, {1, 1, 1, 1}, {5, 5, -2}, {0, -1e-9, -2e-9}, {40, 3, 2, 1}, {700, 1, 0}, {12, 11.5, 0, -30}} {
		for _, factor := range []float64{1, 0.5, 1e-3} {
			weights, others := make([]float64, len(scores)), make([]float64, len(scores))
			survival := weigh(scores, factor, weights, others)
			trace := 0.0
			for k, want := range sorted(scores, factor) {
				if math.Abs(weights[k]-want) > 1e-14*want+1e-300 || math.Abs(weights[k]+others[k]-1) > 1e-15 {
					t.Errorf("%v·%v: rank %d has %v and leaves %v, want %v", scores, factor, k+1, weights[k], others[k], want)
				}
				for j, other := range weights {
					if j != k {
						trace += want * other
					}
				}
			}
			if want := trace / (1 - 1/float64(len(scores))); math.Abs(survival-want) > 1e-13*want {
				t.Errorf("%v·%v: R is %v, want %v", scores, factor, survival, want)
			}
		}
	}
}

// drawnAlone are the first rows of a cell as the experiment draws them, without its tally.
func drawnAlone(c experiment.Cell, blocks int) (all [][]float64) {
	open, group := stream.Open(stream.Key{Seed: 11, Cell: c.ID}), rows.NewGroup(c, rows.Keys(c), nil)
	var d experiment.Draw
	for block := range blocks {
		d.Begin(open, int64(block))
		for range units(c) / kernel.Width {
			group.DrawRows(&d.Lanes)
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
	for _, c := range []experiment.Cell{cellOf(t, "normal", 16, 8, "0 1/2 1"), cellOf(t, "laplace", 3, 5, "1/2"), cellOf(t, "normal", 64, 64, "0 1/2")} {
		const blocks = 8
		scores := drawnAlone(c, blocks)
		c = experimenttest.Taught(c, int64(len(scores)))
		f := findings(c, experimenttest.Drawn(c, blocks))
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
				for _, r := range f.Rows {
					if r.Params[s.Axis] != s.Value.Any() || r.Params[names.ParamRank] != float64(k+1) {
						continue
					}
					want, near := sum/float64(len(weights)), 1e-12
					if _, p, ok := names.QuantileOf(r.Quantity); ok {
						rank := p * float64(len(weights))
						want = weights[int(rank)]
						near = 0.25*float64(r.SE)/want + (weights[int(rank)+1]-weights[int(rank)-1])/want
						if !r.SE.Present() {
							near = float64(r.Hi-r.Lo) / want
						}
					}
					if off := math.Abs(float64(r.Value) - want); !(off <= near*want) {
						t.Errorf("%s %s of rank %d at p = %v is %v, want %v", c.ID, r.Quantity, k+1, s.Value, r.Value, want)
					}
				}
			}
		}
	}
}

// The weights of a row add up to 1, and so do their means.
func TestMeansAddUp(t *testing.T) {
	for _, c := range []experiment.Cell{cellOf(t, "normal", 64, 8, "0 1/2 1"), cellOf(t, "rademacher", 4, 3, "0 1/2"), cellOf(t, "sphere", 8, 64, "1/2")} {
		sums := map[any]float64{}
		for _, r := range findings(c, experimenttest.Drawn(c, 2)).Rows {
			if r.Quantity == names.RankedWeight {
				sums[r.Params[names.ParamExponent]] += float64(r.Value)
			}
		}
		if len(sums) != len(rows.Scalings(c)) {
			t.Errorf("%s has rows under %d exponents", c.ID, len(sums))
		}
		for p, sum := range sums {
			if math.Abs(sum-1) > 1e-12 {
				t.Errorf("%s at p = %v: the means of all ranks add up to %v", c.ID, p, sum)
			}
		}
	}
}

// What quadrature knows: the greatest weight, that of the other key of two, and R.
func TestAgainstTheory(t *testing.T) {
	count := 0
	for _, c := range []experiment.Cell{cellOf(t, "normal", 4, 8, "0 1/2 1"), cellOf(t, "normal", 64, 2, "0 1/2 1"), cellOf(t, "normal", 256, 33, "0 1/2 1")} {
		c = experimenttest.Taught(c, 1<<15)
		count += experimenttest.HoldsTheory(t, findings(c, experimenttest.DrawnRows(c, 1<<15)).Rows)
	}
	if count != 3*2+3*3+3*2 {
		t.Errorf("%d rows stand beside theory", count)
	}
}

// The mean weight of every rank by another program's quadrature (testdata/README.md), and
// that program's greatest weight beside our own quadrature.
func TestAgainstQuadrature(t *testing.T) {
	found := map[int]experiment.Findings{}
	var far experimenttest.Largest
	for _, want := range experimenttest.Table(t, "../../theory/testdata/ranks.csv") {
		d, p := int(want["d_k"]), want["p"]
		if found[d].Rows == nil {
			c := experimenttest.Taught(cellOf(t, "normal", d, 8, "0 1/2 1"), 1<<15)
			found[d] = findings(c, experimenttest.DrawnRows(c, 1<<15))
		}
		for _, r := range found[d].Rows {
			if r.Quantity != names.RankedWeight || r.Params[names.ParamExponent] != p || r.Params[names.ParamRank] != want["rank"] {
				continue
			}
			if want["rank"] == 1 && math.Abs(float64(r.Theory)-want["mean"]) > 1e-8 {
				t.Errorf("d_k = %d, p = %v: the greatest weight is %v by our quadrature, %v by the other", d, p, r.Theory, want["mean"])
			}
			if r.Level.Present() { // else its own error is not known well enough
				far.Hold(t, float64(r.Value), want["mean"], float64(r.SE), "rank %v at d_k = %d, p = %v", want["rank"], d, p)
			}
		}
	}
	if far.Count < 8*8-4 {
		t.Errorf("%d of the other program's numbers are held against rows", far.Count)
	}
	far.Log(t)
}

// Intervals hold what they should, over many runs of a few blocks: for the means of the
// greatest weight and of R theory, for quantiles the number over all runs.
func TestIntervalsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("counts over many seeds")
	}
	const runs = 300
	c := experimenttest.Taught(cellOf(t, "normal", 4, 3, "0 1/2"), units(cellOf(t, "normal", 4, 3, "0"))*4)
	each, all := experimenttest.Runs(c, 3, runs, 4)
	truth := findings(c, all).Rows
	held, given := make([]int64, len(truth)), make([]int64, len(truth))
	for _, n := range each {
		for i, r := range findings(c, n).Rows {
			at := truth[i].Value
			if truth[i].Theory.Present() {
				at = truth[i].Theory
			}
			if r.Level.Present() {
				if given[i]++; r.Lo <= at && at <= r.Hi {
					held[i]++
				}
			}
		}
	}
	for i, r := range truth {
		if given[i] != 0 && given[i] != runs {
			t.Errorf("%s %v has an interval in %d of %d runs", r.Quantity, r.Params, given[i], runs)
		}
		if _, _, ok := names.QuantileOf(r.Quantity); given[i] > 0 {
			experimenttest.Covers(t, held[i], given[i], ok, "%s %v", r.Quantity, r.Params)
		}
	}
	if want := 2 * numbers(3) * (1 + len(quantile.Points)); len(truth) != want {
		t.Errorf("%d rows, want %d", len(truth), want)
	}
}

func TestRefused(t *testing.T) {
	if _, err := Experiment.Axis(names.ParamKeys).ParseAll("65"); err == nil || !strings.Contains(err.Error(), "65 is not in 2..64") {
		t.Errorf("65 keys: %v", err)
	}
	if err := rows.Refuse(cellOf(t, "sphere", 8192, 64, "1/2"), false); err == nil || !strings.Contains(err.Error(), "at most 2^18") {
		t.Errorf("keys that must be held whole: %v", err)
	}
	if err := rows.Refuse(cellOf(t, "normal", 1<<20, 64, "0 1/2"), false); err != nil {
		t.Errorf("keys that come in chunks: %v", err)
	}
}
