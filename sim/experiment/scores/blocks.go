package scores

import (
	"fmt"
	"math"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// The error of the variance can be read off the blocks as well, with no
// formula for it: the mean of S² over the n_b pairs of a block, the mean of S
// being known to be 0, is an independent number for each block, of variance
// σ⁴(2+γ₂)/n_b. How much these numbers scatter is what the formula must say.

// minDOF is the number of degrees of freedom of the scatter below which it has
// neither an error nor an interval: its own error is then above 18 %, and it is low by
// 1/(4ν) in the mean.
const minDOF = 15

// maxSkewBeyond is how far the skewness γ of the blocks' variance may be from that of χ²
// for its limits to be taken. They are shifted by (z²−1)/6 = 0.47 of the difference, in
// standard errors, which at 0.4 costs 95 % less than half a percent; the standard error is
// off by a 27th at most, a quarter of it times the 1/√(ν/2) of minDOF.
const maxSkewBeyond = 0.4

// ScoreNode returns the node of scores that come in blocks of the given size: their
// moments, and the moments of the mean of S² over each block.
func ScoreNode(scores []float64, block int) moments.Node {
	all := moments.New(scores, moments.MaxOrder)
	means := []float64{all.MeanSquare()}
	if block < len(scores) {
		means = means[:0]
		for first := 0; first+block <= len(scores); first += block {
			means = append(means, moments.New(scores[first:first+block], 2).MeanSquare())
		}
	}
	return moments.Node{Moments: []moments.Moments{all, moments.New(means, experiment.ErrorOrder)}}
}

// addScatter adds the standard error that the scatter of blocks shows, beside the exact
// one. What is said of its own error, and whether there is an interval, rests on theory
// and the number of blocks alone, never on the draws: few blocks often scatter too little
// and would then be thought to be well known. The limits are those of χ² with ν degrees
// of freedom. Where they would not be honest there is no error either.
func addScatter(
	f *experiment.CellEstimates, c experiment.Cell, pairs int64, blocks moments.Moments, exact float64, b theory.Blocks,
) {
	root := math.Sqrt(blocks.Variance() / float64(blocks.N))
	r := experiment.WithTheory(c.Estimate(names.ScoreVarianceSEBlocks, pairs, root/b.Shrink(blocks.N), math.NaN()),
		exact)
	freedom := b.DOF(blocks.N)
	switch {
	case freedom == 0 && blocks.N > 1:
		f.AddWithoutInterval(r, "no error and no interval: a moment that they need is infinite")
	case freedom < minDOF:
		f.AddWithoutInterval(r, fmt.Sprintf("no error and no interval: the scatter of %d blocks has %.1f degrees of freedom, "+
			"and %d are needed", blocks.N, freedom, minDOF))
	case !(math.Abs(b.SkewBeyond(blocks.N)) <= maxSkewBeyond):
		f.AddWithoutInterval(r, fmt.Sprintf("no error and no interval: the scatter of %d blocks is more skewed than that of "+
			"normal ones", blocks.N))
	default:
		below, above := b.ScatterLimits(blocks.N, experiment.LevelZ)
		r.SE = result.Number(exact * b.ErrorOfScatter(blocks.N))
		r.Lo, r.Hi, r.Level = result.Number(root*below), result.Number(root*above), experiment.Level
		f.Estimates = append(f.Estimates, r)
	}
}
