package kernel

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"testing"
)

// rowShapes compute score j of a row of n keys.
var rowShapes = []struct {
	name  string
	score func(rng *rand.Rand, j, n int) float64
}{
	{"normal", func(rng *rand.Rand, _, _ int) float64 { return rng.NormFloat64() }},
	{"wide", func(rng *rand.Rand, _, _ int) float64 { return 64 * rng.NormFloat64() }},
	{"ten thousand", func(rng *rand.Rand, _, _ int) float64 { return 2e4 * (rng.Float64() - 0.5) }},
	{"near ties", func(rng *rand.Rand, _, _ int) float64 { return 1e4 + float64(rng.IntN(4))*0x1p-10 }},
	{"equal", func(*rand.Rand, int, int) float64 { return -3.25 }},
	{"zeros of both signs", func(rng *rand.Rand, _, _ int) float64 { return math.Copysign(0, rng.Float64()-0.5) }},
	{"one greater", func(_ *rand.Rand, j, n int) float64 {
		if j == n/2 {
			return 9000
		}
		return -9000
	}},
	{"at the cut", func(rng *rand.Rand, j, _ int) float64 {
		return float64(j%2) * (-41.5 - 1e-4*rng.Float64()) * math.Ln2
	}},
	{"huge", func(rng *rand.Rand, j, _ int) float64 { return [3]float64{1e38, -1e38, 0}[rng.IntN(3)] }},
	{"tiny", func(rng *rand.Rand, _, _ int) float64 { return 1e-40 * rng.NormFloat64() }},
	{"increasing", func(_ *rand.Rand, j, n int) float64 { return float64(j-n) / 16 }},
}

var rowScales = []float64{0, 1e-24, 1.0 / 64, 0.125, 0.7071067811865476, 1, 8, 1e24}

var rowLengths = []int{1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 64, 100, 255, 256, 1000, 4096}

// newScores returns rows of n keys, lane by lane.
func newScores(rng *rand.Rand, n int, score func(*rand.Rand, int, int) float64) [][Width]float32 {
	scores := make([][Width]float32, n)
	for lane := range Width {
		for j := range scores {
			scores[j][lane] = float32(score(rng, j, n))
		}
	}
	return scores
}

// pinnedRows is the start of a SHA-256 of the peaks and sums of all shapes, lengths and scales. It
// is the same for every kernel.
const pinnedRows = "c5506acf7e430c6f4e390a16"

func TestRowBits(t *testing.T) {
	for _, k := range implementations {
		if !k.available {
			t.Logf("%s is not available here", k.name)
			continue
		}
		h, rng := sha256.New(), rand.New(rand.NewPCG(5, 6))
		write := func(values any) {
			must(t, binary.Write(h, binary.LittleEndian, values))
		}
		for _, shape := range rowShapes {
			for _, n := range rowLengths {
				scores := newScores(rng, n, shape.score)
				var p Peaks
				k.findPeaks(scores, &p)
				write(p)
				for _, scale := range rowScales {
					var sums RowSums
					k.sumRows(scores, &p, scale, &sums)
					write(sums)
				}
			}
		}
		if got := hex.EncodeToString(h.Sum(nil)[:12]); got != pinnedRows {
			t.Errorf("%q, by %s", got, k.name)
		}
	}
}

// TestPeaks compares with a simple search.
func TestPeaks(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, shape := range rowShapes {
		for _, n := range rowLengths {
			scores := newScores(rng, n, shape.score)
			var p Peaks
			FindPeaks(scores, &p)
			for lane := range Width {
				index := 0
				for j := range scores {
					if scores[j][lane] > scores[index][lane] {
						index = j
					}
				}
				second := float32(math.Inf(-1))
				for j := range scores {
					if j != index {
						second = max(second, scores[j][lane])
					}
				}
				if int(p.Index[lane]) != index || p.First[lane] != scores[index][lane] || p.Second[lane] != second {
					t.Fatalf("%s, %d keys: peaks %v and %v at %d, want %v and %v at %d", shape.name, n,
						p.First[lane], p.Second[lane], p.Index[lane], scores[index][lane], second, index)
				}
			}
		}
	}
}

// exactSums returns the sums of one row in float64, and Σ e^k |ln e|, which the error bound of the
// k-th sum needs. The scores are exact; the error of float64 is about 10⁻¹³.
func exactSums(scores [][Width]float32, lane int, p *Peaks, scale float64) (sums, spread [4]float64) {
	for j := range scores {
		if j == int(p.Index[lane]) {
			continue
		}
		x := scale * (float64(scores[j][lane]) - float64(p.Second[lane]))
		for k := 1; k <= 3; k++ {
			power := math.Exp(float64(k) * x)
			sums[k-1] += power
			if power > 0 {
				spread[k-1] -= power * x
			}
		}
		if e := math.Exp(x); e > 0 {
			sums[3] += e * x / math.Ln2
			spread[3] += e * x * x / math.Ln2
		}
	}
	return sums, spread
}

// TestRowsAgainstFloat64 compares every sum with float64, to within the bound that RowSums states.
// A term of ELog has 7 roundings, 3 of e, 3 of log₂ e and that of the product. The terms of n keys
// below the cut are below n·2⁻⁴¹, and 42 times that for ELog.
func TestRowsAgainstFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	worst := 0.0
	for _, shape := range rowShapes {
		for _, n := range rowLengths {
			scores := newScores(rng, n, shape.score)
			var p Peaks
			FindPeaks(scores, &p)
			for _, scale := range rowScales {
				var sums RowSums
				SumRows(scores, &p, scale, &sums)
				for lane := range Width {
					want, spread := exactSums(scores, lane, &p, scale)
					cutError := float64(n) * 0x1p-41
					for k, got := range []float64{sums.E[lane], sums.E2[lane], sums.E3[lane], sums.ELog[lane]} {
						power := float64(k + 1)
						bound := ((15+4*power)*want[k]+3*power*spread[k])*roundoff + cutError
						if k == 3 {
							bound = (23*math.Abs(want[3])+3*spread[3])*roundoff + 42*cutError
						} else if p.First[lane] == p.Second[lane] {
							bound += 16 * roundoff
						}
						if math.IsNaN(got) || math.Abs(got-want[k]) > bound {
							t.Fatalf("%s, %d keys, scale %v, lane %d: sum %d is %v, want %v ± %v",
								shape.name, n, scale, lane, k, got, want[k], bound)
						}
						if k == 0 && want[0] > 0 {
							worst = max(worst, math.Abs(got/want[0]-1))
						}
					}
				}
			}
		}
	}
	t.Logf("relative error of Σe at most %.2g", worst)
}

// TestLog1p compares with math.Log1p, from numbers much smaller than 1 to those of many keys.
func TestLog1p(t *testing.T) {
	worst := 0.0
	for x := 1e-20; x < 1e10; x *= 1.0007 {
		worst = max(worst, math.Abs(log1p(x)/math.Log1p(x)-1))
	}
	t.Logf("relative error at most %.2g", worst)
	if worst > 1e-13 || log1p(0) != 0 || log1p(1e-300) != 1e-300 {
		t.Errorf("relative error %v; %v at 0, %v at 1e-300", worst, log1p(0), log1p(1e-300))
	}
}

// TestExpMinus compares with math.Exp, with the stated error and the rounding of gap·log₂ e, down
// to the smallest float64.
func TestExpMinus(t *testing.T) {
	for gap := 0.0; gap < 760; gap += 0.00917 {
		got, want := expMinus(gap), math.Exp(-gap)
		if math.Abs(got-want) > (2e-8+gap*0x1p-51)*want+0x1p-1074 {
			t.Fatalf("exp(−%v) = %v, want %v", gap, got, want)
		}
	}
	if expMinus(0) != 1 || expMinus(1e300) != 0 || expMinus(math.Inf(1)) != 0 {
		t.Errorf("exp of 0, −10³⁰⁰, −∞: %v, %v, %v", expMinus(0), expMinus(1e300), expMinus(math.Inf(1)))
	}
}
