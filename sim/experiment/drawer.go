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
	d.stream = stream.Open(stream.Key{Seed: seed, Cell: c.StreamName(), Attempt: attempt})
}

// Draw draws the blocks of a place and merges them as the tree does. It is
// false if the context ended first.
func (d *Drawer) Draw(ctx context.Context, at moments.Place) (moments.Node, bool) {
	node, ok := d.part(ctx, at, false)
	if !ok {
		d.id = "" // what waits in the block's scratch is lost with it
	}
	return node, ok
}

// Specimen draws a block of a cell, or as much of one as tells the bits of one version from another's.
func Specimen(c Cell) moments.Node {
	var d Drawer
	d.Open(0, 0, c)
	d.draws.Few = true
	d.draws.Begin(d.stream, 0)
	return d.block(&d.draws)
}

// part draws the blocks of a place; more says that others follow it.
func (d *Drawer) part(ctx context.Context, at moments.Place, more bool) (moments.Node, bool) {
	if at.Level > 0 {
		half := at.Level - 1
		left, okLeft := d.part(ctx, moments.Place{Level: half, Index: 2 * at.Index}, true)
		if !okLeft {
			return moments.Node{}, false
		}
		right, okRight := d.part(ctx, moments.Place{Level: half, Index: 2*at.Index + 1}, more)
		if !okRight {
			return moments.Node{}, false
		}
		return moments.MergeNodes(left, right), true
	}
	if ctx.Err() != nil {
		return moments.Node{}, false
	}
	d.draws.Begin(d.stream, at.Index)
	d.draws.More = more
	return d.block(&d.draws), true
}
