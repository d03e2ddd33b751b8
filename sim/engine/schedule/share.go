package schedule

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Share is one of several parts of a schedule that cost about the same: the blocks in [First,
// End), counted through all cells in their order.
type Share struct {
	Index, Of  int
	First, End int64
}

// MaxShares is the largest number of parts of a schedule.
const MaxShares = 1 << 20

// Share returns one of the given number of parts; index starts at 0.
func (s *Schedule) Share(index, of int) Share { return s.Shares(of)[index] }

// Shares divides the schedule into parts. Part i ends at the block where the cumulative cost is
// nearest to (i+1)/n of the total, and the last part with the last block. Products are rounded
// explicitly, so that every machine finds the same parts.
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

// minBlocksPerShard is the minimum cost of a part in blocks, so that parts differ by at most a
// tenth although they end between blocks.
const minBlocksPerShard = 10

// MostShares returns the largest number of parts that cost the same within a tenth, and the id of
// the cell whose blocks are too large for more.
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

// Only returns the schedule of the blocks of one part.
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

// Uncovered returns the indices of those of the given number of parts that have a block which is
// in none of the given parts.
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

// String returns INDEX/OF.
func (p Share) String() string { return fmt.Sprintf("%d/%d", p.Index, p.Of) }
