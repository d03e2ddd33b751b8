package kernel

import (
	"math"
	"testing"

	"mcsim/sim/base/stream"
)

// sample counts draws in bins whose edges are the float32 numbers with few leading bits.
type sample struct {
	n, zeros int64
	counts   [2][bins + 1]uint32 // number of positive and of negative draws by bin; the last bin has no upper edge
}

// The bins of |x| have a relative width of 2^−10, from 2^−20 to 2^9. Smaller draws are in the first
// bin, which is nearly empty. Kolmogorov's statistic over the edges of such narrow bins is nearly
// the statistic over all draws: it is smaller by about √(probability of a bin) ≲ 2 % of its
// standard deviation.
const (
	droppedBits = 13
	firstBin    = (127 - 20) << (23 - droppedBits)
	bins        = 29 << (23 - droppedBits)
)

// edge returns the lower edge of a bin.
func edge(bin int) float64 {
	if bin == 0 {
		return 0
	}
	return float64(math.Float32frombits(uint32(bin+firstBin) << droppedBits))
}

func (s *sample) add(x float32) {
	s.n++
	pattern := math.Float32bits(x)
	size := pattern &^ signBit
	if size == 0 {
		s.zeros++
		return
	}
	bin := min(max(int(size>>droppedBits)-firstBin, 0), bins)
	s.counts[pattern>>31][bin]++
}

// reduceIfShort returns the number of draws, or an eighth of it with -short.
func reduceIfShort(draws int) int {
	if testing.Short() {
		return draws / 8
	}
	return draws
}

// sampleRows is the number of rows of draws in a block of the sample.
const sampleRows = 1 << 10

// newSample samples about n components, block by block. Components of a vector on the sphere depend
// on each other, so that it uses only one component of each vector there.
func newSample(t *testing.T, e exactDistribution, n int) *sample {
	t.Helper()
	dist, s := mustParse(t, e.name), new(sample)
	cell := stream.Open(stream.ID{Seed: 11, Cell: "distribution/" + e.name})
	var lanes stream.Lanes
	draws := make([][Width]float32, max(1, e.dimension)*sampleRows)
	vectors := Vectors(dist)
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

// distance returns Kolmogorov's statistic of the non-zero draws: the largest difference between the
// proportion and the probability of numbers beyond an edge, above 0 or below 0.
func (s *sample) distance(e exactDistribution) (maxDistance float64) {
	n := float64(s.n - s.zeros)
	for sign := range s.counts {
		var beyond int64
		for bin := bins; bin >= 0; bin-- {
			beyond += int64(s.counts[sign][bin])
			maxDistance = max(maxDistance, math.Abs(float64(beyond)/n-e.survival(edge(bin))))
		}
	}
	return maxDistance
}
