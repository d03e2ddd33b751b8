package schedule

import (
	"context"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
)

// The sizing pilot of a cell has 2^maxPilotLevel blocks, or fewer if these have more than
// maxPilotCost components, but at least 2^minPilotLevel.
const (
	maxPilotLevel = 6
	minPilotLevel = 2
	maxPilotCost  = 1 << 32
)

// pilotLevel returns log₂ of the number of blocks of the sizing pilot of a cell.
func pilotLevel(c experiment.Cell) int {
	level := maxPilotLevel
	for level > minPilotLevel && float64(int64(1)<<level)*blockCost(c) > maxPilotCost {
		level--
	}
	return level
}

// sizingPilot estimates N times the squared relative error of the headline of a cell, from blocks
// of a separate stream. It is not the pilot of the sampler, which places bins.
func sizingPilot(c experiment.Cell) float64 {
	pilot := c
	pilot.ID = "sizing-pilot/" + c.ID
	var d experiment.BlockSampler
	d.Open(0, 0, pilot)
	node, _ := d.Sample(context.Background(), moments.BlockRange{Level: pilotLevel(c)})
	for _, r := range c.Experiment.Reader.Estimates(c, node).Estimates {
		if r.Quantity == c.Experiment.Sampler.Headline {
			relative := float64(r.SE / r.Value)
			return float64(r.N) * relative * relative
		}
	}
	panic("schedule: an experiment lacks its headline estimate")
}
