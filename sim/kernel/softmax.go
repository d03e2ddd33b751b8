package kernel

import "math"

// The functions of this file compute softmax sums of many attention rows, one row in each lane: the
// score of key j in row i is scores[j][i]. The quantities of a row follow from sums over all keys
// except the key with the greatest score. These sums keep their relative accuracy if one weight is
// nearly 1 and the others are nearly 0 (see package attention).
//
// The sums are relative to the second greatest score, the runner-up. They are then at least 1 and
// at most the number of keys, for any gap between the two greatest scores. If they were relative to
// the greatest score, the third powers would leave the range of float32 at a gap of 29.

// Peaks holds the two greatest scores of every lane. First is the greatest score and Index its
// index, the lowest if several scores are equal. Second is the greatest of the other scores: −Inf
// if there are none, and 0 if it is −0.
type Peaks struct {
	First, Second [Width]float32
	Index         [Width]int32
}

// RowSums holds numbers of every lane. With e = exp(scale·(s − Second)) for a key with the score s,
// E, E2 and E3 are the sums of e, e² and e³, and ELog is the sum of e·log₂(e), over all keys except
// Index. Gap = scale·(First − Second); Runner = exp(−Gap), to within 2·10⁻⁸; and LogZ = ln(1 +
// Runner·E), to within 10⁻¹³. All are 0 for a single key.
//
// The sum of e^k has a relative error of at most 2⁻²⁴(15 + 4k + 3k·m), where m is the mean of |ln
// e| weighted by e^k. The first terms are 16 roundings of sums, 3 roundings of e (k times) and k −
// 1 roundings of products; 3k·m is the effect of 3 roundings of ln e. If First equals Second, the
// absolute error is larger by 2⁻²⁰, since the sums include a term 1 of the key Index, which
// omitTies subtracts. For 4096 keys the error of Σe is at most 2.4·10⁻⁶ for any scores. The largest
// error in the tests is 2.4·10⁻⁷.
type RowSums struct {
	E, E2, E3, ELog [Width]float64
	Gap, Runner     [Width]float64
	LogZ            [Width]float64
}

const (
	// sumKeys is the number of keys whose terms are added in float32: first two neighbours each,
	// then these pairs in order. The results for every sumKeys keys are added in float64.
	sumKeys = 32

	// sumCut is the largest log₂(e) of the keys that are ignored. Their e³ could be less than a
	// normal number of float32 (2^−126). n ignored keys change a sum by less than n·3.2·10⁻¹³.
	sumCut = -41.5
)

// FindPeaks finds the two greatest scores of every lane. Scores must not be NaN, and their
// absolute values must be below 1.7·10³⁸, so that the differences of scores are finite.
func FindPeaks(scores [][Width]float32, p *Peaks) { active.findPeaks(scores, p) }

// SumRows writes the sums of the rows with the given peaks, for scores multiplied by scale, 0 ≤
// scale ≤ 2¹²⁶. The peaks are the same for every scale.
func SumRows(scores [][Width]float32, p *Peaks, scale float64, sums *RowSums) {
	active.sumRows(scores, p, scale, sums)
}

func (i implementation) findPeaks(scores [][Width]float32, p *Peaks) {
	if len(scores) == 0 || len(scores) > math.MaxInt32 {
		panic("kernel: a row must have 1 to 2³¹−1 keys")
	}
	if i.assembly == nil {
		portablePeaks(scores, p)
		return
	}
	for lane := 0; lane < Width; lane += i.assembly.lanes {
		i.assembly.peaks(&scores[0][lane], len(scores), &p.First[lane])
	}
}

// portablePeaks defines the bits of FindPeaks.
func portablePeaks(scores [][Width]float32, p *Peaks) {
	for lane := range Width {
		first, second := float32(math.Inf(-1)), float32(math.Inf(-1))
		index := 0
		for j := range scores {
			s := scores[j][lane]
			switch {
			case s <= second: // nearly all
			case s <= first:
				second = s
			default:
				first, second, index = s, first, j
			}
		}
		p.First[lane], p.Second[lane], p.Index[lane] = first, second+0, int32(index)
	}
}

// sumRows implements SumRows. The functions that sum over keys take scale/ln 2 (the assembly takes
// its negative), so that they compute powers of 2.
func (i implementation) sumRows(scores [][Width]float32, p *Peaks, scale float64, sums *RowSums) {
	if len(scores) == 0 || !(scale >= 0 && scale <= 0x1p126) {
		panic("kernel: SumRows needs at least one key, and a scale in [0, 2¹²⁶]")
	}
	*sums = RowSums{}
	if len(scores) == 1 {
		return
	}
	sums.omitTies(p)
	scaleLog2 := float32(scale * math.Log2E)
	if i.assembly == nil {
		portableGaps(p, scale, sums)
		portableSumRows(scores, p, scaleLog2, sums)
		portableLogs(sums)
		return
	}
	for lane := 0; lane < Width; lane += i.assembly.lanes {
		i.assembly.gaps(&p.First[lane], scale, &sums.E[lane])
		i.assembly.sums(&scores[0][lane], len(scores), &p.First[lane], -scaleLog2, &sums.E[lane])
		i.assembly.logs(&sums.E[lane])
	}
}

// portableSumRows defines the bits of the sums over keys; scale is the scale of SumRows divided by
// ln 2.
func portableSumRows(scores [][Width]float32, p *Peaks, scale float32, sums *RowSums) {
	for start := 0; start < len(scores); start += sumKeys {
		block := scores[start:min(start+sumKeys, len(scores))]
		for lane := range Width {
			second := p.Second[lane]
			var sum rowTerms
			for j := 0; j+1 < len(block); j += 2 {
				a, b := newRowTerms(block[j][lane], second, scale), newRowTerms(block[j+1][lane], second, scale)
				sum.add(rowTerms{a.e + b.e, a.e2 + b.e2, a.e3 + b.e3, a.eLog + b.eLog})
			}
			if len(block)%2 == 1 {
				sum.add(newRowTerms(block[len(block)-1][lane], second, scale))
			}
			sums.E[lane] += float64(sum.e)
			sums.E2[lane] += float64(sum.e2)
			sums.E3[lane] += float64(sum.e3)
			sums.ELog[lane] += float64(sum.eLog)
		}
	}
}

// rowTerms are the terms of one key in the sums of its row.
type rowTerms struct{ e, e2, e3, eLog float32 }

func (r *rowTerms) add(t rowTerms) {
	r.e += t.e
	r.e2 += t.e2
	r.e3 += t.e3
	r.eLog += t.eLog
}

// newRowTerms returns the terms of a key with the score s. They are 0 if s is greater than the
// runner-up or below the cut. If s is the greatest score but equals the runner-up, omitTies
// corrects the sums.
func newRowTerms(s, second, scale float32) rowTerms {
	x := float32((s - second) * scale)
	if s > second || !(x > sumCut) {
		return rowTerms{}
	}
	y := power2(x)
	square := float32(y * y)
	return rowTerms{y, square, float32(square * y), float32(y * x)}
}

// roundEighth is 1.5·2²⁰ + 64. Adding it to a float32 x in [sumCut, 0] rounds x to a multiple of
// 1/8. The 12 low bits of the sum are the number of eighths plus 512. The 512 keeps this number
// positive, so that the higher bits are the same for every x.
const roundEighth = 1572928

// roots[k] is the bit pattern of 2^(k/8) minus (512 + k)·2²⁰. When power2 adds the low bits of a
// shifted number, multiplied by 2²⁰, this difference cancels.
var roots = func() (t [8]uint32) {
	for k, x := range [...]float32{root0, root1, root2, root3, root4, root5, root6, root7} {
		t[k] = math.Float32bits(x) - uint32(512+k)<<20
	}
	return t
}()

// power2 returns 2^x for sumCut < x ≤ 0. It splits x = k/8 + r with |r| ≤ 1/16, without rounding,
// takes t = 2^(k/8) from the table, and returns t + t(2^r − 1), whose second term is at most t/22.
// The result is 1 at 0 and never larger. Its relative error is at most 3·2⁻²⁴: 2⁻²⁴ each of t and
// of the sum, and less than 2⁻²⁴ of all other operations.
func power2(x float32) float32 {
	shifted := x + roundEighth
	r := x - (shifted - roundEighth)
	bits := math.Float32bits(shifted)
	t := math.Float32frombits(roots[bits&7] + bits<<20)
	p := near0 + float32(r*(near1+float32(r*near2))) // (2^r − 1)/r
	return t + float32(float32(t*r)*p)
}

// omitTies subtracts 1 from the sums if the greatest score equals the runner-up, since newRowTerms
// then returns terms of 1 for the key with the greatest score.
func (r *RowSums) omitTies(p *Peaks) {
	for lane := range Width {
		if p.First[lane] == p.Second[lane] {
			r.E[lane], r.E2[lane], r.E3[lane] = -1, -1, -1
		}
	}
}

// portableGaps defines the bits of Gap and Runner.
func portableGaps(p *Peaks, scale float64, sums *RowSums) {
	for lane := range Width {
		sums.Gap[lane] = scale * (float64(p.First[lane]) - float64(p.Second[lane]))
		sums.Runner[lane] = expMinus(sums.Gap[lane])
	}
}

// roundWhole is 1.5·2⁵². Adding it to a float64 of absolute value below 2⁵¹ rounds that number to
// an integer. The low bits of the sum are this integer.
const roundWhole = 0x1.8p52

// expMinus returns exp(−gap) for gap ≥ 0. It computes 2^−n·2^r with an integer n and |r| ≤ ½, and
// 2^r = 1 + r·p(r) with a polynomial p.
func expMinus(gap float64) float64 {
	const maxExponent = 1100 // 2^−1100 is 0
	x := float64(gap * math.Log2E)
	if x > maxExponent {
		x = maxExponent
	}
	shifted := x + roundWhole
	r := (shifted - roundWhole) - x
	v := float64(r * r)
	p := two2 + float64(r*two3) + float64(v*(two4+float64(r*two5)))
	p = two0 + float64(r*two1) + float64(v*p) // (2^r − 1)/r
	y := 1 + float64(r*p)
	// Multiply by 2^−n in two steps, since 2^−n may be below the normal numbers.
	n := math.Float64bits(shifted)
	return float64(y*powerMinus2(n>>1)) * powerMinus2(n-n>>1)
}

// powerMinus2 returns 2^−n for the 12 low bits n of a word.
func powerMinus2(n uint64) float64 { return math.Float64frombits(0x3ff<<52 - n<<52) }

// portableLogs defines the bits of LogZ.
func portableLogs(sums *RowSums) {
	for lane := range Width {
		sums.LogZ[lane] = log1p(float64(sums.Runner[lane] * sums.E[lane]))
	}
}

// log1p returns ln(1 + x) for x ≥ 0, with a relative error below 10⁻¹³. Let 1 + x = 2ⁿ·m with √½ ≤
// m < √2, f = m − 1, and s = f/(2+f). The result is n ln 2 + 2s(1 + s²/3 + s⁴/5 + …). If n is 0, f
// is x itself, so that a small x keeps all its bits.
func log1p(x float64) float64 {
	const sqrtHalf = 0x3fe6a09e667f3bcd // bit pattern of √½
	i := math.Float64bits(1+x) - sqrtHalf
	n, f := float64(i>>52), math.Float64frombits(i&(1<<52-1)+sqrtHalf)-1
	if n == 0 {
		f = x
	}
	s := f / (2 + f)
	z := float64(s * s)
	p := 1.0 / 15
	for _, c := range [...]float64{1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1} {
		p = c + float64(z*p)
	}
	return float64(n*math.Ln2) + float64(2*s*p)
}
