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

// pinnedRows is the beginning of the SHA-256 of the peaks and sums for all shapes, lengths and
// scales. It must be the same for every kernel.
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
			t.Errorf("%s: the digest of peaks and sums is %q, want %q", k.name, got, pinnedRows)
		}
	}
}

// TestPeaks compares FindPeaks with a simple search.
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

// exactSums returns the sums E, E2, E3 and ELog of one row in float64, with an error of about
// 10⁻¹³. It also returns the weighted sums in the error bounds of the four: Σ e^k·|ln e| for the
// sum of e^k, and Σ e·(ln e)²/ln 2 for ELog.
func exactSums(scores [][Width]float32, lane int, p *Peaks, scale float64) (sums, logWeighted [4]float64) {
	for j := range scores {
		if j == int(p.Index[lane]) {
			continue
		}
		x := scale * (float64(scores[j][lane]) - float64(p.Second[lane]))
		for k := 1; k <= 3; k++ {
			power := math.Exp(float64(k) * x)
			sums[k-1] += power
			if power > 0 {
				logWeighted[k-1] -= power * x
			}
		}
		if e := math.Exp(x); e > 0 {
			sums[3] += e * x / math.Ln2
			logWeighted[3] += e * x * x / math.Ln2
		}
	}
	return sums, logWeighted
}

// powerSumBound returns the error bound of the sum of e^k over n keys: the bound that RowSums
// states, and the effect of omitted keys.
func powerSumBound(k, n int, sum, logWeighted float64, isTied bool) float64 {
	power := float64(k)
	bound := ((15+4*power)*sum+3*power*logWeighted)*roundoff + omittedBound(n)
	if isTied {
		bound += 16 * roundoff // 2⁻²⁰: 1 is added and subtracted
	}
	return bound
}

// logSumBound returns the error bound of ELog over n keys. A term e·log₂ e has 7 roundings: 3 of e,
// 3 of log₂ e and one of the product. Each sum has 16. The 3 roundings of ln e also change e.
// |log₂ e| is below 42 for the largest omitted terms.
func logSumBound(n int, sum, logWeighted float64) float64 {
	return ((7+16)*math.Abs(sum)+3*logWeighted)*roundoff + 42*omittedBound(n)
}

// omittedBound bounds the sum of e over n keys below sumCut.
func omittedBound(n int) float64 { return float64(n) * 0x1p-41 }

// TestRowsAgainstFloat64 compares every sum with exactSums, to within powerSumBound and
// logSumBound.
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
					want, logWeighted := exactSums(scores, lane, &p, scale)
					check := func(name string, got, want, bound float64) {
						if !(math.Abs(got-want) <= bound) {
							t.Fatalf("%s, %d keys, scale %v, lane %d: %s is %v, want %v ± %v",
								shape.name, n, scale, lane, name, got, want, bound)
						}
					}
					isTied := p.First[lane] == p.Second[lane]
					for i, got := range []float64{sums.E[lane], sums.E2[lane], sums.E3[lane]} {
						name := []string{"E", "E2", "E3"}[i]
						check(name, got, want[i], powerSumBound(i+1, n, want[i], logWeighted[i], isTied))
					}
					check("ELog", sums.ELog[lane], want[3], logSumBound(n, want[3], logWeighted[3]))
					if want[0] > 0 {
						worst = max(worst, math.Abs(sums.E[lane]/want[0]-1))
					}
				}
			}
		}
	}
	t.Logf("the largest relative error of Σe is %.2g", worst)
}

// TestLog1p compares log1p with math.Log1p for x from 10⁻²⁰ to 10¹⁰, to within the relative error
// that log1p states.
func TestLog1p(t *testing.T) {
	worst := 0.0
	for x := 1e-20; x < 1e10; x *= 1.0007 {
		worst = max(worst, math.Abs(log1p(x)/math.Log1p(x)-1))
	}
	t.Logf("the largest relative error is %.2g", worst)
	if worst > 1e-13 {
		t.Errorf("the largest relative error is %v, want at most 1e-13", worst)
	}
	for _, x := range []float64{0, 1e-300} { // ln(1 + x) rounds to x
		if got := log1p(x); got != x {
			t.Errorf("log1p(%v) = %v, want %[1]v", x, got)
		}
	}
}

// TestExpMinus compares expMinus with math.Exp down to results of 0. The tolerance is the relative
// error 2·10⁻⁸ of Runner, the effect of the rounding of gap·log₂ e, and the smallest float64.
func TestExpMinus(t *testing.T) {
	for gap := 0.0; gap < 760; gap += 0.00917 {
		got, want := expMinus(gap), math.Exp(-gap)
		if math.Abs(got-want) > (2e-8+gap*0x1p-51)*want+0x1p-1074 {
			t.Fatalf("exp(−%v) = %v, want %v", gap, got, want)
		}
	}
	for gap, want := range map[float64]float64{0: 1, 1e300: 0, math.Inf(1): 0} {
		if got := expMinus(gap); got != want {
			t.Errorf("exp(−%v) = %v, want %v", gap, got, want)
		}
	}
}
