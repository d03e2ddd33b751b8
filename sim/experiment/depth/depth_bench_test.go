package depth

import (
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/stream"
)

// A block of the default plan's stacks.
func BenchmarkDepth(b *testing.B) {
	c := depthCell(architecture{tokens: 16, width: 32, layers: 12, scaled: true, residual: true, norm: true})
	open, block := stream.Open(stream.Key{Seed: 1, Cell: c.ID}), openDepth(c)
	var d experiment.Draw
	for i := int64(0); b.Loop(); i++ {
		d.Begin(open, i)
		block(&d)
	}
}
