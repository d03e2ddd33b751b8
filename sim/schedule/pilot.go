package schedule

import (
	"context"

	"mcsim/sim/experiment"
	"mcsim/sim/moments"
)

// pilotLevel makes 2^6 blocks of what is drawn to learn an unknown error.
const pilotLevel = 6

// pilot estimates N times the squared relative error of the cell's headline, from a
// stream of its own.
func pilot(c experiment.Cell) float64 {
	own := c
	own.ID = "pilot/" + c.ID
	var d experiment.Drawer
	d.Open(0, 0, own)
	node, _ := d.Draw(context.Background(), moments.Place{Level: pilotLevel})
	for _, r := range c.Experiment.Rows(c, node).Rows {
		if r.Quantity == c.Experiment.Headline {
			relative := float64(r.SE / r.Value)
			return float64(r.N) * relative * relative
		}
	}
	panic("schedule: an experiment lacks its headline estimate")
}
