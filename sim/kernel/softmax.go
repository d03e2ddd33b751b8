package kernel

import "math"

// Softmax of many rows at once, a row in each lane: key j of row i is
// scores[j][i]. What softmax makes of a row is a matter of sums over the keys
// other than the greatest, which stay exact in relation to each other where
// the weights themselves are 1 and nothing (see package attention).
//
// The sums are relative to the second greatest score, the runner-up: they are
// then at least 1 and at most the number of keys, whatever the gap to the
// greatest, where sums relative to the greatest would leave the range of
// float32 at a gap of 29 for the third powers.

// Peaks holds the two greatest scores of every lane. First is at Index, the
// first of them where several are equal, and Second is the greatest of all
// others, −Inf where there is none.
type Peaks struct {
	First, Second [Width]float32
	Index         [Width]int32
}

// RowSums holds, for every lane, sums over the keys other than Index, of powers
// of e = exp(scale·(s − Second)) and of e·log₂ e; further Gap, which is
// scale·(First − Second), and Runner, exp(−Gap) to within 2·10⁻⁸. All are 0 for a
// single key.
//
// The sum of e^k has a relative error of at most 2⁻²⁴(7 + 4k + 3k·m), m being
// the mean of |ln e| weighted by e^k: 8 roundings of sums, 3 of each e, k − 1
// of its powers, 3 of ln e. With one runner-up and n−2 keys at the same
// distance below it m is at its greatest, 5.6 for 4096 keys, so that Σe is
// right to 1.7·10⁻⁶ whatever the scores; the tests find 2·10⁻⁷.
type RowSums struct {
	E, E2, E3, ELog [Width]float64
	Gap, Runner     [Width]float64
}

const (
	// sumKeys is the number of keys whose terms are added in float32, even and
	// odd keys apart. These sums are added in float64.
	sumKeys = 16

	// sumCut is the log₂ e at which a key counts as nothing. The third power
	// above it is a normal number, 2^−124.5; n keys below it are less than
	// n·3.2·10⁻¹³ of the sum.
	sumCut = -41.5
)

// FindPeaks finds the two greatest scores of every lane. Scores must not be
// NaN, and of a size below 1.7·10³⁸, so that they have finite differences.
func FindPeaks(scores [][Width]float32, p *Peaks) { active.findPeaks(scores, p) }

// Rows writes the sums of the rows whose peaks are given, for a scale that a
// score is multiplied by, 0 or greater and at most 2¹²⁶. The peaks serve every
// scale.
func Rows(scores [][Width]float32, p *Peaks, scale float64, sums *RowSums) {
	active.rows(scores, p, scale, sums)
}

// rowKernel is FindPeaks and Rows in assembly, lanes rows at a time.
type rowKernel struct {
	lanes int
	peaks func(scores *float32, keys int, first *float32)
	sums  func(scores *float32, keys int, first *float32, scale float32, sums *float64)
}

func (i implementation) findPeaks(scores [][Width]float32, p *Peaks) {
	if len(scores) == 0 || len(scores) > math.MaxInt32 {
		panic("kernel: a row has 1 to 2³¹−1 keys")
	}
	if i.row.peaks == nil {
		portablePeaks(scores, p)
		return
	}
	for lane := 0; lane < Width; lane += i.row.lanes {
		i.row.peaks(&scores[0][lane], len(scores), &p.First[lane])
	}
}

func portablePeaks(scores [][Width]float32, p *Peaks) {
	for lane := range Width {
		first, second := float32(math.Inf(-1)), float32(math.Inf(-1))
		index := 0
		for j := range scores {
			s := scores[j][lane]
			lesser := s
			if first < s {
				lesser = first
			}
			if lesser > second {
				second = lesser
			}
			if s > first {
				first, index = s, j
			}
		}
		p.First[lane], p.Second[lane], p.Index[lane] = first, second, int32(index)
	}
}

func (i implementation) rows(scores [][Width]float32, p *Peaks, scale float64, sums *RowSums) {
	if len(scores) == 0 || !(scale >= 0 && scale <= 0x1p126) {
		panic("kernel: Rows wants a key or more, and a scale of 0 to 2¹²⁶")
	}
	*sums = RowSums{}
	if len(scores) > 1 {
		sums.addGaps(p, scale)
	}
	binary := float32(scale * math.Log2E)
	if i.row.sums == nil {
		portableRows(scores, p, binary, sums)
		return
	}
	for lane := 0; lane < Width; lane += i.row.lanes {
		i.row.sums(&scores[0][lane], len(scores), &p.First[lane], binary, &sums.E[lane])
	}
}

func portableRows(scores [][Width]float32, p *Peaks, scale float32, sums *RowSums) {
	for from := 0; from < len(scores); from += sumKeys {
		block := scores[from:min(from+sumKeys, len(scores))]
		for lane := range Width {
			second, index := p.Second[lane], int(p.Index[lane])-from
			var e, e2, e3, eLog [2]float32 // of even and of odd keys
			for j := range block {
				x := float32((block[j][lane] - second) * scale)
				if j == index || !(x > sumCut) {
					continue
				}
				y := power2(x)
				square := float32(y * y)
				e[j&1] += y
				e2[j&1] += square
				e3[j&1] += float32(square * y)
				eLog[j&1] += float32(y * x)
			}
			sums.E[lane] += float64(e[0] + e[1])
			sums.E2[lane] += float64(e2[0] + e2[1])
			sums.E3[lane] += float64(e3[0] + e3[1])
			sums.ELog[lane] += float64(eLog[0] + eLog[1])
		}
	}
}

// power2 is 2^x for sumCut < x ≤ 0: with x = n + r, |r| ≤ ½, both exact, it is
// 2^r, between √½ and √2, whose exponent then grows by n. It is 1 at 0 and
// never above it, and its relative error is at most 3·2⁻²⁴.
func power2(x float32) float32 {
	shifted := x + roundInt
	r := x - (shifted - roundInt)
	v := float32(r * r)
	p := two2 + float32(r*two3) + float32(v*(two4+float32(r*two5)))
	p = two0 + float32(r*two1) + float32(v*p)
	y := 1 + float32(r*p)
	return math.Float32frombits(math.Float32bits(y) + math.Float32bits(shifted)<<23)
}

func (r *RowSums) addGaps(p *Peaks, scale float64) {
	for lane := range Width {
		r.Gap[lane] = scale * (float64(p.First[lane]) - float64(p.Second[lane]))
		r.Runner[lane] = below1(r.Gap[lane])
	}
}

// below1 is exp(−gap), by the polynomial of power2 in float64.
func below1(gap float64) float64 {
	const least = 1080 // 2^−1080 is 0
	x := float64(gap * math.Log2E)
	if x > least {
		return 0
	}
	n := int(x + 0.5)
	r := float64(n) - x
	v := float64(r * r)
	p := two2 + float64(r*two3) + float64(v*(two4+float64(r*two5)))
	p = two0 + float64(r*two1) + float64(v*p)
	y := 1 + float64(r*p) // more than ½
	if n > 1020 {
		return math.Ldexp(y, -n)
	}
	return math.Float64frombits(math.Float64bits(y) - uint64(n)<<52)
}
