package experiment

import (
	"mcsim/sim/moments"
	"mcsim/sim/stream"
)

// Piloted reports whether there is a pilot to learn from before the cell is drawn.
func (c Cell) Piloted() bool { return c.Experiment.Drawing.Pilot != nil }

// PilotKey is what the pilot's node is stored under.
func (c Cell) PilotKey() string { return "pilot/" + c.Key() }

// Learn gives the cell what its pilot taught, so that it is drawn once.
func (c *Cell) Learn(n moments.Node) { c.pilot = &n }

// Pilot is what the cell's pilot taught. Until it is given by Learn it is drawn each time.
func (c Cell) Pilot() moments.Node {
	if c.pilot != nil {
		return *c.pilot
	}
	own := stream.Open(stream.Key{Cell: "pilot/" + c.ID})
	var d Draw
	block := int64(0)
	return c.Experiment.Drawing.Pilot(c, func() *Draw {
		d.Begin(own, block)
		block++
		return &d
	})
}

// DrawnPilot is the pilot of a cell whose blocks need none: so many units of them, merged.
func DrawnPilot(units int64) func(c Cell, next func() *Draw) moments.Node {
	return func(c Cell, next func() *Draw) moments.Node {
		block := c.Experiment.Open(c)
		n := block(next())
		for drawn := c.Experiment.BlockUnits(c); drawn < units; drawn += c.Experiment.BlockUnits(c) {
			n = moments.MergeNodes(n, block(next()))
		}
		return n
	}
}
