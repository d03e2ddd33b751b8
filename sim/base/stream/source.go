package stream

//lint:ignore SA1019 docs/dependencies.md says why the deprecated package is fine
import "golang.org/x/exp/rand"

// Source is a rand.Source of golang.org/x/exp/rand that takes the words of a block's lanes in turn,
// two for each number. Samplers of single numbers use it: permutations, choices, and the
// distributions of gonum. Its words are independent of the words that Block gives for the same
// block.
type Source struct {
	cell     Cell
	block    uint64
	lanes    Lanes
	words    [Width]uint32
	position int
}

var _ rand.Source = (*Source)(nil)

// Source returns the block's words as a rand.Source.
func (c Cell) Source(block uint64) *Source {
	s := &Source{cell: c, block: block}
	s.restart()
	return s
}

// Rand returns a rand.Rand over the block's Source.
func (c Cell) Rand(block uint64) *rand.Rand { return rand.New(c.Source(block)) }

// restart goes back to the first word.
func (s *Source) restart() {
	s.cell.seedLanes(&s.lanes, s.block, useSource)
	s.position = Width
}

// Seed restarts the stream with another seed.
func (s *Source) Seed(seed uint64) {
	s.cell.seed = seed
	s.restart()
}

// Uint64 returns the next two words as one number. The first word has the low bits.
func (s *Source) Uint64() uint64 {
	if s.position == Width {
		s.lanes.Next(&s.words)
		s.position = 0
	}
	lo, hi := s.words[s.position], s.words[s.position+1]
	s.position += 2
	return uint64(hi)<<32 | uint64(lo)
}
