package kernel

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"mcsim/sim/law"
	"mcsim/sim/stream"
)

var lawNames = []string{
	"normal", "uniform", "rademacher", "laplace", "triangular", "truncated-normal",
	"student-t(2.001)", "student-t(3)", "student-t(5)", "student-t(10)", "student-t(20)", "student-t(1000)",
	"bernoulli-gaussian(0.1)", "bernoulli-gaussian(0.5)", "bernoulli-gaussian(0.999)", "sphere",
}

func parse(t testing.TB, name string) law.Law {
	t.Helper()
	l, err := law.Parse(name, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func lanesOf(cell string) *stream.Lanes {
	s := new(stream.Lanes)
	stream.Open(stream.Key{Seed: 1, Cell: cell}).Block(s, 0)
	return s
}

func TestNextIsTheStreams(t *testing.T) {
	want := lanesOf("next").Lane(3)
	got := want
	for range 1000 {
		var word uint32
		got, word = next(got)
		if w := want.Next(); word != w || got != want {
			t.Fatalf("word %#x, stream has %#x", word, w)
		}
	}
}

// A pair's score is the sum over its alternating draws.
func TestPairsSumComponents(t *testing.T) {
	for _, name := range lawNames {
		l := parse(t, name)
		if !l.Independent() {
			continue
		}
		a, b := lanesOf(name), lanesOf(name)
		for _, d := range []int{1, 2, 3, 8, 15, 16, 17, 31, 32, 33, 64, 100} {
			var scores, sum [Width]float32
			Pairs(l)(a, d, &scores)
			dst := make([][Width]float32, 2*d)
			Components(l)(b, dst)
			for j := 0; j < 2*d; j += 2 {
				for i := range Width {
					sum[i] += float32(dst[j][i] * dst[j+1][i])
				}
			}
			if scores != sum || *a != *b {
				t.Errorf("%s d=%d: scores %v, sums %v", name, d, scores, sum)
			}
		}
	}
}

func TestComponentsRefusesTheSphere(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Components took the sphere")
		}
	}()
	Components(parse(t, "sphere"))
}

// draws is the sample size of the moment tests.
const draws = 1 << 22

// Sample moments against the exact ones, within 5 standard errors, for the
// first and the second draw of each group apart. The errors of orders 1, 2
// and 4 are exact, those of 6 and 8 the sample's; where moment 2k is infinite,
// order k has none and is left out.
func TestMoments(t *testing.T) {
	if testing.Short() {
		t.Skip("TestConformanceLaws holds fewer draws to them")
	}
	for _, name := range lawNames {
		l := parse(t, name)
		if !l.Independent() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for parity, m := range sampleMoments(l) {
				checkMoments(t, l, parity, m)
			}
		})
	}
}

func checkMoments(t *testing.T, l law.Law, parity int, m [17]float64) {
	for _, k := range []int{1, 2, 4, 6, 8} {
		if l.Name() == "student-t" && l.Param() <= float64(2*k) {
			continue
		}
		want, variance := 0.0, 1.0
		if k > 1 {
			want = l.Moment(k)
			variance = m[2*k] - m[k]*m[k]
		}
		if k == 2 || k == 4 {
			variance = l.Moment(2*k) - want*want
		}
		// 1e-6·k bounds k times the relative error of a draw, see TestLog
		tolerance := 5*math.Sqrt(variance/draws) + 1e-6*float64(k)*want
		if math.Abs(m[k]-want) > tolerance {
			t.Errorf("draw %d: E x^%d = %v, exact %v, tolerance %v", parity, k, m[k], want, tolerance)
		}
	}
}

// sampleMoments returns E x and E x^k for even k up to 16.
func sampleMoments(l law.Law) (m [2][17]float64) {
	s := lanesOf("moments/" + l.String())
	dst := make([][Width]float32, 512)
	fill := Components(l)
	for range 2 * draws / (Width * len(dst)) {
		fill(s, dst)
		for j := range dst {
			for _, x := range dst[j] {
				addPowers(&m[j%2], float64(x))
			}
		}
	}
	for parity := range m {
		for k := range m[parity] {
			m[parity][k] /= draws
		}
	}
	return m
}

func addPowers(m *[17]float64, x float64) {
	m[1] += x
	square, power := x*x, 1.0
	for k := 2; k <= 16; k += 2 {
		power *= square
		m[k] += power
	}
}

// E q·k = 0 and Var(q·k) = d within 5 standard errors, √(d/n) and
// d√((2 + γ₂)/n) with γ₂ = (κ²−3)/d, on the sphere −6/(d+2).
func TestScores(t *testing.T) {
	for _, name := range lawNames {
		l := parse(t, name)
		for _, d := range []int{1, 2, 16, 64} {
			excess := -6 / float64(d+2)
			if l.Independent() {
				excess = (l.Kurtosis()*l.Kurtosis() - 3) / float64(d)
			}
			if math.IsInf(excess, 1) || l.Name() == "student-t" && l.Param() < 8 {
				continue
			}
			s, scores, sum := lanesOf(fmt.Sprint("variance/", name, d)), [Width]float32{}, [2]float64{}
			calls := shorter(1 << 14)
			for range calls {
				Pairs(l)(s, d, &scores)
				for _, x := range scores {
					sum[0] += float64(x)
					sum[1] += float64(x) * float64(x)
				}
			}
			n := float64(calls * Width)
			if se := math.Sqrt(float64(d) / n); math.Abs(sum[0]/n) > 5*se {
				t.Errorf("%s d=%d: mean %v, standard error %v", name, d, sum[0]/n, se)
			}
			got, se := sum[1]/n/float64(d), math.Sqrt((2+excess)/n)
			if math.Abs(got-1) > 5*se+1e-6 {
				t.Errorf("%s d=%d: Var(q·k)/d = %v, standard error %v", name, d, got, se)
			}
		}
	}
}

// One dimension leaves the sphere its two poles.
func TestSphere(t *testing.T) {
	l, scores := parse(t, "sphere"), [Width]float32{}
	s := lanesOf("sphere")
	for range 1000 {
		Pairs(l)(s, 1, &scores)
		for _, x := range scores {
			if x != 1 && x != -1 {
				t.Fatalf("score %v in one dimension", x)
			}
		}
	}
	for _, d := range []int{1, 2, 3, 64, 1000} {
		dst := make([][Width]float32, d)
		Vectors(l)(s, dst)
		for i := range Width {
			norm := 0.0
			for j := range dst {
				norm += float64(dst[j][i]) * float64(dst[j][i])
			}
			// half an ulp for each of d rounded squares, sums and products
			if math.Abs(norm/float64(d)-1) > float64(d+6)*0x1p-24 {
				t.Errorf("d=%d: |x|² = %v", d, norm)
			}
		}
	}
}

var benchmarked = []string{
	"normal", "uniform", "rademacher", "laplace", "triangular", "truncated-normal",
	"student-t", "bernoulli-gaussian", "sphere",
}

func BenchmarkPairs(b *testing.B) {
	for _, name := range benchmarked {
		for _, by := range Names() {
			for _, d := range []int{64, 512, 4096} {
				b.Run(fmt.Sprintf("%s/%s/%d", name, by, d), func(b *testing.B) {
					var scores [Width]float32
					pairs, s := PairsBy(by, parse(b, name)), lanesOf(name)
					for b.Loop() {
						pairs(s, d, &scores)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*d*Width), "ns/component")
				})
			}
		}
	}
}

// BenchmarkPairsTogether says, with -cpu 1,2, what a second core adds.
func BenchmarkPairsTogether(b *testing.B) {
	const d = 512
	for _, name := range benchmarked {
		b.Run(name, func(b *testing.B) {
			l := parse(b, name)
			b.RunParallel(func(step *testing.PB) {
				var scores [Width]float32
				pairs, s := Pairs(l), lanesOf(name)
				for step.Next() {
					pairs(s, d, &scores)
				}
			})
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*d*Width), "ns/component")
		})
	}
}

func BenchmarkVectors(b *testing.B) {
	for _, name := range benchmarked {
		for _, kernel := range Names() {
			b.Run(name+"/"+kernel, func(b *testing.B) {
				dst := make([][Width]float32, 64)
				vectors, s := by(kernel).vectors(parse(b, name)), lanesOf(name)
				for b.Loop() {
					vectors(s, dst)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(dst)*Width), "ns/variate")
			})
		}
	}
}
