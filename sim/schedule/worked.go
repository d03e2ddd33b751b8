package schedule

import (
	"fmt"

	"mcsim/sim/plan"
)

// Blocks is how many blocks each cell of the schedule has, in their order.
func (s *Schedule) Blocks() []int64 {
	blocks := make([]int64, len(s.Works))
	for i, w := range s.Works {
		blocks[i] = w.Blocks
	}
	return blocks
}

// Worked is the schedule of a plan that was worked out before, with what Blocks said. It says what is drawn, and has
// no gates.
func Worked(p *plan.Plan, blocks []int64) (*Schedule, error) {
	s := &Schedule{Plan: p}
	for _, g := range part(p, ordered(p)) {
		if g.Entry.Experiment.Of != "" {
			continue
		}
		for i := range g.Cells {
			c := &g.Cells[i]
			at := len(s.Works)
			if at == len(blocks) || blocks[at] < 1 || blocks[at] > plan.MaxSamples/c.Experiment.BlockUnits(*c)+1 {
				return nil, fmt.Errorf("%s: cell %s cannot have the blocks that are said of it", p.Title(), c.ID)
			}
			c.Units = blocks[at] * c.Experiment.BlockUnits(*c)
			s.Works = append(s.Works, Work{Cell: c, Blocks: blocks[at], End: blocks[at]})
		}
	}
	if len(s.Works) != len(blocks) {
		return nil, fmt.Errorf("%s has %d cells, not %d", p.Title(), len(s.Works), len(blocks))
	}
	return s, nil
}
