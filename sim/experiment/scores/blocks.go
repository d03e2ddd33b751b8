package scores

import (
	"fmt"
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/theory"
)

// The error of the variance can be read off the blocks as well, with no
// formula for it: the mean of S² over the n_b pairs of a block, the mean of S
// being known to be 0, is an independent number for each block, of variance
// σ⁴(2+γ₂)/n_b. How much these numbers scatter is what the formula must say.

// leastBlocks is the number of blocks below which their scatter says nothing.
const leastBlocks = 16

// ScoreNode is the node of scores that come in blocks of the given size: their
// moments, and the moments of the mean of S² over each block.
func ScoreNode(scores []float64, block int) moments.Node {
	means := make([]float64, 0, len(scores)/block)
	for first := 0; first+block <= len(scores); first += block {
		var sum float64
		for _, s := range scores[first : first+block] {
			sum += float64(s * s)
		}
		means = append(means, sum/float64(block))
	}
	return moments.Node{Moments: []moments.Moments{moments.Of(scores, moments.MaxOrder), moments.Of(means, experiment.ErrorOrder)}}
}

// addBlocks adds the standard error of s² that the blocks show,
// sd/√B over B blocks, with its own error ½√((κ_b − 1)/B) relative to it, κ_b
// being the kurtosis over the blocks. Whether that error is good enough for an
// interval is asked of the exact κ_b, 3 + (κ_Y − 3)/n_b with Y = S².
func addBlocks(f *experiment.Findings, c experiment.Cell, n moments.Node, s theory.Score) {
	if !Varies(s) {
		return
	}
	pairs, blocks := n.Moments[0].N, n.Moments[1]
	value := math.Sqrt(blocks.Variance() / float64(blocks.N))
	r := experiment.Exact(c.Row(names.ScoreVarianceSEBlocks, pairs, value, value*experiment.RelativeError(blocks)), s.SquareSE(pairs))
	if blocks.N < leastBlocks {
		f.AddWithout(r, fmt.Sprintf("no interval: it rests on fewer than %d blocks", leastBlocks))
		return
	}
	f.AddOwn(r, s.ErrorOfBlockError(pairs, blocks.N))
}
