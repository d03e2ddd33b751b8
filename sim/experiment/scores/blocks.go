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

// The scatter of blocks gives the standard error of the variance without a formula. The mean of a
// score S is known to be 0, so the mean of S² over the n_b pairs of a block estimates the variance
// σ². These means are independent, each with the variance σ⁴(2+γ₂)/n_b, where γ₂ is the excess
// kurtosis of S. Their scatter must agree with this formula.

// minDOF is the smallest number ν of degrees of freedom with which the standard error from the
// scatter has a standard error and an interval. With fewer degrees of freedom its relative standard
// error 1/√(2ν) would be above 18 %, and its relative bias, −1/(4ν), would be large.
const minDOF = 15

// maxSkewBeyond is the largest difference δ between the skewness of the variance of the blocks'
// means and the skewness of χ² with which the limits of χ² are used. The difference shifts the
// limits by δ(z²−1)/6 = 0.47δ standard errors. For δ = 0.4 this changes a coverage of 95 % by less
// than half a percentage point. The relative error of the standard error is then at most
// δ/(4√(ν/2)), which is 1/27 for ν = minDOF.
const maxSkewBeyond = 0.4

// ScoreNode returns the node of scores: their moments, and the moments of the means of S² over
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

// addScatter adds an estimate of the standard error of the variance: the standard error of the mean
// over blocks, from their scatter. exact is its value by theory, and b has the cumulants of a
// block's mean of S². Whether the estimate has a standard error and an interval depends only on
// theory and the number of blocks, since few blocks often scatter too little by chance. The limits
// are the limits of χ² with the degrees of freedom of b. If these limits are not accurate, the
// estimate has neither an interval nor a standard error.
func addScatter(
	f *experiment.CellEstimates, c experiment.Cell, pairs int64, blocks moments.Moments, exact float64,
	b theory.BlockCumulants,
) {
	se := math.Sqrt(blocks.Variance() / float64(blocks.N))
	r := experiment.WithTheory(c.Estimate(names.ScoreVarianceSEBlocks, pairs, se/b.ExpectedSD(blocks.N), math.NaN()),
		exact)
	dof := b.DOF(blocks.N)
	switch {
	case dof == 0 && blocks.N > 1:
		f.AddWithoutInterval(r, "no error and no interval: a moment that they need is infinite")
	case dof < minDOF:
		f.AddWithoutInterval(r, fmt.Sprintf("no error and no interval: the scatter of %d blocks has %.1f degrees of "+
			"freedom, and %d are needed", blocks.N, dof, minDOF))
	case !(math.Abs(b.SkewBeyondChiSquare(blocks.N)) <= maxSkewBeyond):
		f.AddWithoutInterval(r, fmt.Sprintf("no error and no interval: the scatter of %d blocks is more "+
			"skewed than that of normal ones", blocks.N))
	default:
		lower, upper := b.SDLimits(blocks.N, experiment.LevelZ)
		r.SE = result.Number(exact * b.SDRelativeSE(blocks.N))
		r.Lo, r.Hi, r.Level = result.Number(se*lower), result.Number(se*upper), experiment.Level
		f.Estimates = append(f.Estimates, r)
	}
}
