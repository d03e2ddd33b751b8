package experiment

import (
	"context"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
)

// BlockSampler samples blocks of one cell at a time, for one worker.
type BlockSampler struct {
	id         string
	cellStream stream.Cell
	block      BlockFunc
	bits       BlockStream
}

// Open prepares to sample blocks of a cell. It does nothing if the cell is open already.
func (d *BlockSampler) Open(seed, attempt uint64, c Cell) {
	if d.id == c.ID && d.block != nil {
		return
	}
	d.id, d.block = c.ID, c.Experiment.Sampler.Open(c)
	d.cellStream = stream.Open(stream.ID{Seed: seed, Cell: c.StreamName(), Attempt: attempt})
}

// Sample samples a range of blocks and merges their nodes as the dyadic tree does: siblings with
// each other, left before right. It returns false if ctx ended first.
func (d *BlockSampler) Sample(ctx context.Context, place moments.BlockRange) (moments.Node, bool) {
	var pending []moments.Node // left siblings without their right ones, the largest first
	for i := range place.Blocks() {
		if ctx.Err() != nil {
			d.id = "" // force Open to discard the scratch of the block
			return moments.Node{}, false
		}
		d.bits.Begin(d.cellStream, place.First()+i)
		d.bits.HasNext = i+1 < place.Blocks()
		node := d.block(&d.bits)
		for siblings := i; siblings&1 == 1; siblings >>= 1 {
			last := len(pending) - 1
			node = moments.MergeNodes(pending[last], node)
			pending = pending[:last]
		}
		pending = append(pending, node)
	}
	return pending[0], true
}

// SampleSpecimen samples one block of a cell with FewUnits, for a fingerprint of the samples.
func SampleSpecimen(c Cell) moments.Node {
	var d BlockSampler
	d.Open(0, 0, c)
	d.bits.FewUnits = true
	d.bits.Begin(d.cellStream, 0)
	return d.block(&d.bits)
}
