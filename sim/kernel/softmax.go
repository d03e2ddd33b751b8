package kernel

import "math"

// The functions of this file compute softmax sums of many rows, one row in each lane: key j of row
// i is scores[j][i]. The quantities of a row follow from sums over all keys except the greatest.
// These sums keep their relative accuracy when the weights themselves are 1 and nearly 0 (see
// package attention).
//
// The sums are relative to the second greatest score, the runner-up. They are then at least 1 and
// at most the number of keys, for any gap to the greatest. The third powers relative to the
// greatest would leave the range of float32 at a gap of 29.

// Peaks holds the two greatest scores of every lane. First is at Index, the lowest index if
// several are equal. Second is the greatest of all others, −Inf if there is none, and 0 for −0.
type Peaks struct {
	First, Second [Width]float32
	Index         [Width]int32
}

// RowSums holds, for every lane, the sums over the keys other than Index of powers of
// e = exp(scale·(s − Second)) and of e·log₂ e; Gap = scale·(First − Second); Runner = exp(−Gap), to
// within 2·10⁻⁸; and LogZ = ln(1 + Runner·E), to within 10⁻¹³. All are 0 for a single key.
//
// The sum of e^k has a relative error of at most 2⁻²⁴(15 + 4k + 3k·m), where m is the mean of |ln
// e| weighted by e^k: 16 roundings of sums, 3 of each e, k − 1 of its powers, 3 of ln e. If First
// equals Second, the error is larger by 2⁻²⁰, since 1 is added and subtracted. The bound is largest
// for n−2 keys at the same distance below the runner-up: for 4096 keys the error of Σe is at most
// 2.4·10⁻⁶ for any scores; the tests find 2.4·10⁻⁷.
type RowSums struct {
	E, E2, E3, ELog [Width]float64
	Gap, Runner     [Width]float64
	LogZ            [Width]float64
}

const (
	// sumKeys is the number of keys whose terms are added in float32: first pairs of neighbours,
	// then the pairs. These sums are added in float64.
	sumKeys = 32

	// sumCut is the log₂ e at and below which keys are ignored. The third power at the cut,
	// 2^−124.5, is a normal number; n keys below it are less than n·3.2·10⁻¹³ of the sum.
	sumCut = -41.5
)

// FindPeaks finds the two greatest scores of every lane. Scores must not be NaN, and their
// absolute values must be below 1.7·10³⁸, so that they have finite differences.
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

// sumRows implements SumRows. It passes the scale of the sums in units of log₂, negated for
// assembly.
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

// portableSumRows defines the bits of the sums over keys; scale is in units of log₂.
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

// newRowTerms returns the terms of a key. They are 0 for the greatest score (but see omitTies) and
// for scores below the cut.
func newRowTerms(s, second, scale float32) rowTerms {
	x := float32((s - second) * scale)
	if s > second || !(x > sumCut) {
		return rowTerms{}
	}
	y := power2(x)
	square := float32(y * y)
	return rowTerms{y, square, float32(square * y), float32(y * x)}
}

// roundEighth is 1.5·2²⁰ + 64. Adding it to a float32 in [sumCut, 0] rounds that to an eighth; the
// number of eighths, plus 512, is then in the 12 low bits. The 512 makes the bits above them the
// same for all.
const roundEighth = 1572928

// roots are the bit patterns of 2^(k/8), minus the effect of k + 512 eighths.
var roots = func() (t [8]uint32) {
	for k, x := range [...]float32{root0, root1, root2, root3, root4, root5, root6, root7} {
		t[k] = math.Float32bits(x) - uint32(512+k)<<20
	}
	return t
}()

// power2 returns 2^x for sumCut < x ≤ 0. With x = k/8 + r, |r| ≤ 1/16, both exact, it is t =
// 2^(k/8), from the table, plus t(2^r − 1), which is at most t/22. It is 1 at 0 and never larger.
// Its relative error is at most 3·2⁻²⁴: 1 of t, 1 of the sum, and less than 1 of all other
// operations.
func power2(x float32) float32 {
	shifted := x + roundEighth
	r := x - (shifted - roundEighth)
	k := math.Float32bits(shifted)
	t := math.Float32frombits(roots[k&7] + k<<20)
	p := near0 + float32(r*(near1+float32(r*near2)))
	return t + float32(float32(t*r)*p)
}

// omitTies subtracts 1 from the sums if the greatest score equals the runner-up, since newRowTerms
// then counts it like the others.
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

// roundWhole is 1.5·2⁵². Adding it to a float64 of absolute value below 2⁵¹ rounds that to an
// integer, which is then in the low bits.
const roundWhole = 0x1.8p52

// expMinus returns exp(−gap), by a polynomial for 2^r in float64.
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
	p = two0 + float64(r*two1) + float64(v*p)
	y := 1 + float64(r*p)
	// 2^−n in two factors, both of which are normal numbers.
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

// log1p returns ln(1 + x) for x ≥ 0, with a relative error below 10⁻¹³. With 1 + x = 2ⁿ(1 + f), 1
// + f in [√½, √2), and s = f/(2+f), it is n ln 2 + 2s(1 + s²/3 + s⁴/5 + …). If n is 0, f is x
// itself, so that a small x keeps all its bits.
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
