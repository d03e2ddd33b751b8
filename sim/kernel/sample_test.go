package kernel

import (
	"math"
	"testing"

	"mcsim/sim/stream"
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
	cell := stream.Open(stream.Key{Seed: 11, Cell: "distribution/" + e.name})
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

// A point is an edge with the share of the non-zero draws on its side that
// lies beyond it, and what the law says.
type point struct{ negative, share, want float64 }

// points lists the edges upwards, each with the tail that it cuts off: below
// it for those under 0, above it for the others.
func (s *sample) points(e exact) []point {
	n := float64(s.n - s.zeros)
	beyond := func(sign int) []point {
		list := make([]point, bins+1)
		var count int64
		for bin := bins; bin >= 0; bin-- {
			count += int64(s.counts[sign][bin])
			list[bin] = point{float64(sign), float64(count) / n, e.survival(edge(bin))}
		}
		return list
	}
	var all []point
	for bin, negative := bins, beyond(1); bin >= 0; bin-- {
		all = append(all, negative[bin])
	}
	return append(all, beyond(0)...)
}

// kolmogorov is √n·D, andersonDarling A² = n∫(F_n−F)²/(F(1−F))dF by trapezia.
func (s *sample) statistics(e exact) (kolmogorov, andersonDarling float64) {
	n := float64(s.n - s.zeros)
	var last, lastF float64
	for _, p := range s.points(e) {
		difference, f := p.share-p.want, p.want
		if p.negative == 0 {
			f = 1 - p.want
		}
		kolmogorov = max(kolmogorov, math.Abs(difference))
		g := 0.0
		if p.want > 0 {
			g = difference * difference / (p.want * (1 - p.want))
		}
		andersonDarling += (f - lastF) * (g + last) / 2
		last, lastF = g, f
	}
	return math.Sqrt(n) * kolmogorov, n * andersonDarling
}

// kolmogorovP is the chance of a larger √n·D, for large n (Kolmogorov 1933).
func kolmogorovP(x float64) float64 {
	if x < 1 {
		sum := 0.0
		for j := 1.0; j < 20; j += 2 {
			sum += math.Exp(-j * j * math.Pi * math.Pi / (8 * x * x))
		}
		return 1 - math.Sqrt(2*math.Pi)/x*sum
	}
	sum, sign := 0.0, 1.0
	for j := 1.0; j < 20; j++ {
		sum += sign * math.Exp(-2*j*j*x*x)
		sign = -sign
	}
	return 2 * sum
}

// andersonDarlingP is the chance of a larger A², for large n: Marsaglia and
// Marsaglia, J. Stat. Software 9 (2004), issue 2, to 2·10⁻⁶; where that is not
// small against it, Zolotarev's √3·erfc(√z), the part of the slowest of the
// terms Z_j²/(j(j+1)) whose sum A² is.
func andersonDarlingP(z float64) float64 {
	switch {
	case z < 2:
		return 1 - math.Exp(-1.2337141/z)/math.Sqrt(z)*
			(2.00012+(.247105-(.0649821-(.0347962-(.011672-.00168691*z)*z)*z)*z)*z)
	case z < 7:
		return 1 - math.Exp(-math.Exp(1.0776-(2.30695-(.43424-(.082433-(.008056-.0003146*z)*z)*z)*z)*z))
	}
	return math.Sqrt(3) * math.Erfc(math.Sqrt(z))
}
