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

// The scatter of blocks gives the standard error of the variance without a formula. The mean of S
// is known to be 0, so the mean of S² over the n_b pairs of a block is an independent number for
// each block, with variance σ⁴(2+γ₂)/n_b. The scatter of these numbers must agree with the formula.

// minDOF is the smallest number ν of degrees of freedom with which the scatter has a standard error
// and an interval. Below it the relative standard error is above 18 %, and the bias, −1/(4ν), is
// large.
const minDOF = 15

// maxSkewBeyond is the largest difference between the skewness of the blocks' variance and that of
// χ² with which the limits of χ² are used. They are shifted by (z²−1)/6 = 0.47 of the difference,
// in standard errors; at 0.4 this changes a coverage of 95 % by less than half a percentage point.
// The standard error is then wrong by at most 1/27, a quarter of the difference times the 1/√(ν/2)
// of minDOF.
const maxSkewBeyond = 0.4

// ScoreNode returns the node of scores: their moments, and the moments of the mean of S² over
// blocks of the given size.
func ScoreNode(scores []float64, block int) moments.Node {
	scoreMoments := moments.New(scores, moments.MaxOrder)
	means := []float64{scoreMoments.MeanSquare()}
	if block < len(scores) {
		means = means[:0]
		for first := 0; first+block <= len(scores); first += block {
			means = append(means, moments.New(scores[first:first+block], 2).MeanSquare())
		}
	}
	return moments.Node{Moments: []moments.Moments{scoreMoments, moments.New(means, experiment.ErrorOrder)}}
}

// addScatter adds the standard error of the variance from the scatter of blocks, with the exact one
// as theory. Whether it has a standard error and an interval, and which, depends only on theory and
// the number of blocks, since few blocks often scatter too little by chance. The limits are those
// of χ² with the theory's degrees of freedom. If these are not accurate, there is no standard error
// either.
func addScatter(
	f *experiment.CellEstimates, c experiment.Cell, pairs int64, blocks moments.Moments, exact float64, b theory.BlockCumulants,
) {
	se := math.Sqrt(blocks.Variance() / float64(blocks.N))
	r := experiment.WithTheory(c.Estimate(names.ScoreVarianceSEBlocks, pairs, se/b.ExpectedSD(blocks.N), math.NaN()),
		exact)
	dof := b.DOF(blocks.N)
	switch {
	case dof == 0 && blocks.N > 1:
		f.AddWithoutInterval(r, "no error and no interval: a moment that they need is infinite")
	case dof < minDOF:
		f.AddWithoutInterval(r, fmt.Sprintf("no error and no interval: the scatter of %d blocks has %.1f degrees of freedom, "+
			"and %d are needed", blocks.N, dof, minDOF))
	case !(math.Abs(b.SkewBeyondChiSquare(blocks.N)) <= maxSkewBeyond):
		f.AddWithoutInterval(r, fmt.Sprintf("no error and no interval: the scatter of %d blocks is more skewed than that of "+
			"normal ones", blocks.N))
	default:
		lower, upper := b.SDLimits(blocks.N, experiment.LevelZ)
		r.SE = result.Number(exact * b.SDRelativeSE(blocks.N))
		r.Lo, r.Hi, r.Level = result.Number(se*lower), result.Number(se*upper), experiment.Level
		f.Estimates = append(f.Estimates, r)
	}
}
