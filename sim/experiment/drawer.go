package experiment

import (
	"context"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
)

// Drawer draws blocks, for one worker, of one cell at a time.
type Drawer struct {
	id     string
	stream stream.Cell
	block  Block
	draws  Draw
}

// Open prepares to draw blocks of a cell. A cell that is open stays so.
func (d *Drawer) Open(seed, attempt uint64, c Cell) {
	if d.id == c.ID && d.block != nil {
		return
	}
	d.id, d.block = c.ID, c.Experiment.Sampler.Open(c)
	d.stream = stream.Open(stream.ID{Seed: seed, Cell: c.StreamName(), Attempt: attempt})
}

// Draw samples the blocks of a place and merges them as the dyadic tree does: siblings with each other,
// left before right. It is false if the context ended first.
func (d *Drawer) Draw(ctx context.Context, place moments.BlockRange) (moments.Node, bool) {
	var pending []moments.Node // left siblings that wait for their right ones, from the largest to the smallest
	for i := range place.Blocks() {
		if ctx.Err() != nil {
			d.id = "" // what waits in the block's scratch is lost with it
			return moments.Node{}, false
		}
		d.draws.Begin(d.stream, place.First()+i)
		d.draws.More = i+1 < place.Blocks()
		node := d.block(&d.draws)
		for siblings := i; siblings&1 == 1; siblings >>= 1 {
			last := len(pending) - 1
			node = moments.MergeNodes(pending[last], node)
			pending = pending[:last]
		}
		pending = append(pending, node)
	}
	return pending[0], true
}

// Specimen samples a block of a cell, or as much of one as tells the bits of one version from another's.
func Specimen(c Cell) moments.Node {
	var d Drawer
	d.Open(0, 0, c)
	d.draws.Few = true
	d.draws.Begin(d.stream, 0)
	return d.block(&d.draws)
}
