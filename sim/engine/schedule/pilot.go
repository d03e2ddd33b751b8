package schedule

import (
	"context"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
)

// 2^pilotLevel blocks are drawn to learn an unknown error, or where these would have more components than mostPilot
// as few as 2^leastPilot.
const pilotLevel, leastPilot, mostPilot = 6, 2, 1 << 32

// pilotLevelFor is how many blocks are drawn to learn an unknown error, as a power of two.
func pilotLevelFor(c experiment.Cell) int {
	level := pilotLevel
	for level > leastPilot && float64(int64(1)<<level)*blockCost(c) > mostPilot {
		level--
	}
	return level
}

// estimateRelativeVariance estimates N times the squared relative error of the cell's headline, from a
// stream of its own.
func estimateRelativeVariance(c experiment.Cell) float64 {
	own := c
	own.ID = "pilot/" + c.ID
	var d experiment.Drawer
	d.Open(0, 0, own)
	node, _ := d.Draw(context.Background(), moments.Place{Level: pilotLevelFor(c)})
	for _, r := range c.Experiment.Reader.Estimates(c, node).Estimates {
		if r.Quantity == c.Experiment.Sampler.Headline {
			relative := float64(r.SE / r.Value)
			return float64(r.N) * relative * relative
		}
	}
	panic("schedule: an experiment lacks its headline estimate")
}
