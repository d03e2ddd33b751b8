package experiment

import (
	"fmt"
	"math"

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

// scoreNode is the node of scores that come in blocks of the given size: their
// moments, and the moments of the mean of S² over each block.
func scoreNode(scores []float64, block int) moments.Node {
	means := make([]float64, 0, len(scores)/block)
	for first := 0; first+block <= len(scores); first += block {
		var sum float64
		for _, s := range scores[first : first+block] {
			sum += float64(s * s)
		}
		means = append(means, sum/float64(block))
	}
	return moments.Node{Moments: []moments.Moments{moments.Of(scores, moments.MaxOrder), moments.Of(means, errorOrder)}}
}

// addBlocks adds the standard error of s² that the blocks show,
// sd/√B over B blocks, with its own error ½√((κ_b − 1)/B) relative to it, κ_b
// being the kurtosis over the blocks. Whether that error is good enough for an
// interval is asked of the exact κ_b, 3 + (κ_Y − 3)/n_b with Y = S².
func (f *Findings) addBlocks(c Cell, n moments.Node, s theory.Score) {
	if !varies(s) {
		return
	}
	pairs, blocks := n.Moments[0].N, n.Moments[1]
	b := float64(blocks.N)
	value := math.Sqrt(blocks.Variance() / b)
	se := value * math.Sqrt(max(0, blocks.Standard(4)-1)/b) / 2
	r := exact(c.row(names.ScoreVarianceSEBlocks, pairs, value, se), s.SquareSE(pairs))
	if blocks.N < leastBlocks {
		f.warn(r, fmt.Sprintf("no interval: it rests on fewer than %d blocks", leastBlocks))
		f.Rows = append(f.Rows, r)
		return
	}
	f.addOwn(r, s.ErrorOfBlockError(pairs, blocks.N))
}
