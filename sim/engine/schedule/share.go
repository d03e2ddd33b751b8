package schedule

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Share is one of several parts of a schedule that cost about the same: the blocks of all its
// cells, numbered through in their order, from First up to, not including, End.
type Share struct {
	Index, Of  int
	First, End int64
}

// MaxShares is how many parts a schedule can have.
const MaxShares = 1 << 20

// Share is the part of that index, from 0 on, of so many.
func (s *Schedule) Share(index, of int) Share { return s.Shares(of)[index] }

// Shares are all parts of so many. Each ends with the block at whose end so many of the equal
// parts of what the schedule costs are spent, as nearly as may be, and the last with all blocks.
// Products are rounded by themselves, so that every machine finds the same.
func (s *Schedule) Shares(of int) []Share {
	all := s.Components()
	target := func(i int) float64 { return float64(all * (float64(i) / float64(of))) }
	found := []int64{0} // where parts begin
	spent, blocks := 0.0, int64(0)
	for _, w := range s.Works {
		cost, whole := blockCost(*w.Cell), w.Cost(w.Blocks)
		for i := len(found); i < of && spent+whole > target(i); i++ {
			found = append(found, blocks+min(int64(math.Round(max(target(i)-spent, 0)/cost)), w.Blocks))
		}
		spent += whole
		blocks += w.Blocks
	}
	for len(found) <= of {
		found = append(found, blocks)
	}
	parts := make([]Share, of)
	for i := range parts {
		parts[i] = Share{i, of, found[i], found[i+1]}
	}
	return parts
}

// minBlocksPerShard is how many times a block's cost a part must cost for parts to differ by a tenth at most, as they are
// cut between blocks.
const minBlocksPerShard = 10

// MostShares is the largest number of parts that cost the same within a tenth, and what the cell is called
// whose blocks are too large for more.
func (s *Schedule) MostShares() (parts int, cell string) {
	var all, largest float64
	for _, w := range s.Works {
		all += w.Components()
		if cost := blockCost(*w.Cell); cost > largest {
			largest, cell = cost, w.Cell.ID
		}
	}
	return int(min(max(all/(minBlocksPerShard*largest), 1), MaxShares)), cell
}

// Only is the schedule of what a share of it draws.
func (s *Schedule) Only(part Share) *Schedule {
	own := *s
	own.Works = nil
	before := int64(0)
	for _, w := range s.Works {
		end := before + w.Blocks
		if first, last := max(part.First, before), min(part.End, end); first < last {
			w.First, w.End = first-before, last-before
			own.Works = append(own.Works, w)
		}
		before = end
	}
	return &own
}

// Uncovered lists the indices, of so many parts of the schedule, that have a block which none of the given
// ones has.
func (s *Schedule) Uncovered(given []Share, of int) []int {
	given = slices.SortedFunc(slices.Values(given), func(a, b Share) int { return cmp.Compare(a.First, b.First) })
	var missing []int
	at, next := int64(0), 0 // up to which block all is there, from where the share begins
	for _, p := range s.Shares(of) {
		at = max(at, p.First)
		for ; next < len(given) && given[next].First <= at; next++ {
			at = max(at, given[next].End)
		}
		if at < p.End {
			missing = append(missing, p.Index)
		}
	}
	return missing
}

// String is the share as it is asked for.
func (p Share) String() string { return fmt.Sprintf("%d/%d", p.Index, p.Of) }
