package kernel

import (
	"math"
	"testing"

	"mcsim/sim/base/stream"
)

// sample is what the statistical tests keep of many draws: counts
// in bins whose edges are the float32 numbers of a few leading bits.
type sample struct {
	n, zeros int64
	counts   [2][bins + 1]uint32 // of positive and negative draws by size, the last beyond all
}

// Bins are 2^−10 of their size wide, from 2^−20 to 2^9; what is smaller is in
// the first, which the density near 0 keeps all but empty. So narrow are they
// that a statistic over their edges alone is that over all draws, but for a
// share of about √(the chance of a bin) ≲ 2 % of its spread, which makes the
// test milder.
const (
	dropped  = 13
	firstBin = (127 - 20) << (23 - dropped)
	bins     = 29 << (23 - dropped)
)

// edge is the lower edge of a bin.
func edge(bin int) float64 {
	if bin == 0 {
		return 0
	}
	return float64(math.Float32frombits(uint32(bin+firstBin) << dropped))
}

func (s *sample) add(x float32) {
	s.n++
	pattern := math.Float32bits(x)
	size := pattern &^ signBit
	if size == 0 {
		s.zeros++
		return
	}
	bin := min(max(int(size>>dropped)-firstBin, 0), bins)
	s.counts[pattern>>31][bin]++
}

// shorter is so many draws, or an eighth of them under -short.
func shorter(draws int) int {
	if testing.Short() {
		return draws / 8
	}
	return draws
}

// rows of draws in a block of the sample.
const sampleRows = 1 << 10

// sampleOf draws n components in blocks of sampleRows·16. Of a vector of the
// sphere, whose components depend on each other, it takes one.
func sampleOf(t *testing.T, e exact, n int) *sample {
	t.Helper()
	l, s := parse(t, e.name), new(sample)
	cell := stream.Open(stream.ID{Seed: 11, Cell: "distribution/" + e.name})
	var lanes stream.Lanes
	draws := make([][Width]float32, max(1, e.dimension)*sampleRows)
	vectors := Vectors(l)
	for block := uint64(0); int(s.n) < n/max(1, e.dimension); block++ {
		cell.Block(&lanes, block)
		if e.dimension == 0 {
			vectors(&lanes, draws)
			for j := range draws {
				s.addRow(&draws[j])
			}
			continue
		}
		for j := range sampleRows {
			vector := draws[:e.dimension]
			vectors(&lanes, vector)
			s.addRow(&vector[j%e.dimension])
		}
	}
	return s
}

func (s *sample) addRow(row *[Width]float32) {
	for _, x := range row {
		s.add(x)
	}
}

// distance is the greatest between the shares of the non-zero draws beyond an edge, on either
// side, and what the distribution says: Kolmogorov's statistic.
func (s *sample) distance(e exact) (most float64) {
	n := float64(s.n - s.zeros)
	for sign := range s.counts {
		var beyond int64
		for bin := bins; bin >= 0; bin-- {
			beyond += int64(s.counts[sign][bin])
			most = max(most, math.Abs(float64(beyond)/n-e.survival(edge(bin))))
		}
	}
	return most
}
