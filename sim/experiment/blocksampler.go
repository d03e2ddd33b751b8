package experiment

import (
	"context"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
)

// BlockSampler samples blocks of one cell at a time, for one worker and with one seed and attempt.
type BlockSampler struct {
	id          string
	cellStream  stream.Cell
	sampleBlock BlockFunc
	blockStream BlockStream
}

// Open prepares to sample blocks of a cell. It does nothing if the cell is open already.
func (s *BlockSampler) Open(seed, attempt uint64, c Cell) {
	if s.id == c.ID && s.sampleBlock != nil {
		return
	}
	s.id, s.sampleBlock = c.ID, c.Experiment.Sampler.Open(c)
	s.cellStream = stream.Open(stream.ID{Seed: seed, Cell: c.StreamName(), Attempt: attempt})
}

// Sample samples a range of blocks and merges their nodes like the dyadic tree: each left sibling
// with its right sibling. It returns false if ctx ended first.
func (s *BlockSampler) Sample(ctx context.Context, blocks moments.BlockRange) (moments.Node, bool) {
	var pending []moments.Node // left siblings that wait for their right siblings, the largest first
	for i := range blocks.Blocks() {
		if ctx.Err() != nil {
			s.id = "" // the next Open must replace sampleBlock, since its scratch may be incomplete
			return moments.Node{}, false
		}
		s.blockStream.Begin(s.cellStream, blocks.First()+i)
		s.blockStream.HasNext = i+1 < blocks.Blocks()
		node := s.sampleBlock(&s.blockStream)
		for rest := i; rest&1 == 1; rest >>= 1 { // block i is the last one of as many pairs as i ends in ones
			last := len(pending) - 1
			node = moments.MergeNodes(pending[last], node)
			pending = pending[:last]
		}
		pending = append(pending, node)
	}
	return pending[0], true
}

// SampleSpecimen samples the first block of a cell with FewUnits, for a fingerprint of the samples.
func SampleSpecimen(c Cell) moments.Node {
	var sampler BlockSampler
	sampler.Open(0, 0, c)
	sampler.blockStream.FewUnits = true
	sampler.blockStream.Begin(sampler.cellStream, 0)
	return sampler.sampleBlock(&sampler.blockStream)
}
