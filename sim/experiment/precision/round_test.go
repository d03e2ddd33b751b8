package precision

import (
	"encoding/csv"
	"math"
	"math/big"
	"math/rand/v2"
	"mcsim/sim/names"
	"os"
	"strconv"
	"testing"
)

// listNumbers returns all non-negative numbers of a format with at most 16 bits in ascending
// order, from their bits and not by Round: with s stored digits, the bits e and m mean m·2^(min−s)
// if e is 0, and otherwise (1 + m/2^s)·2^(e−1+min).
func listNumbers(f *Format) (numbers []float64) {
	stored := f.Digits - 1
	for bits := 0; ; bits++ {
		e, m := bits>>stored, bits&(1<<stored-1)
		x := math.Ldexp(float64(m), f.MinExponent-stored)
		if e > 0 {
			x = math.Ldexp(float64(1<<stored+m), e-1+f.MinExponent-stored)
		}
		if x > f.Max {
			return numbers
		}
		numbers = append(numbers, x)
	}
}

// roundBig rounds x by math/big.
func roundBig(f *Format, x float64) float64 {
	if math.IsInf(x, 0) || x == 0 {
		return f.Round(x)
	}
	return roundOperation(f, x, math.Copysign(0, x), (*big.Float).Add, new(bool))
}

// sameBits reports whether two numbers have the same bits, or are both NaN.
func sameBits(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Float64bits(a) == math.Float64bits(b)
}

// checkRound checks that x rounds to want, and −x to −want.
func checkRound(t *testing.T, f *Format, x, want float64) {
	t.Helper()
	for _, sign := range []float64{1, -1} {
		if got := f.Round(sign * x); !sameBits(got, sign*want) {
			t.Errorf("%s: %v rounds to %v, want %v", f.Name, sign*x, got, sign*want)
		}
		if rounded := roundBig(f, sign*x); !sameBits(rounded, sign*want) {
			t.Errorf("%s: %v rounds to %v by math/big, want %v", f.Name, sign*x, rounded, sign*want)
		}
	}
}

// TestEveryNumberAndMiddle checks that every number of each small format rounds to itself, that
// the midpoint of two neighbours rounds to the one with an even last digit, and that the float64
// numbers next to the midpoint round to the nearer neighbour. The expected values follow from the
// order of the numbers, and are compared with math/big.
func TestEveryNumberAndMiddle(t *testing.T) {
	for _, f := range Formats[1:] {
		numbers := listNumbers(f)
		if want := map[string]int{names.FormatBFloat16: 255 * 128, names.FormatFloat16: 31 * 1024,
			names.FormatE4M3Saturating: 127, "e4m3fn-nan": 127,
			names.FormatE5M2: 31 * 4}[f.Name]; len(numbers) != want {
			t.Errorf("%s has %d numbers, want %d", f.Name, len(numbers), want)
		}
		for i, x := range numbers {
			checkRound(t, f, x, x)
			if i == 0 {
				continue
			}
			low := numbers[i-1]
			middle, nearestEven := low+(x-low)/2, low
			if i%2 == 0 { // the bits of the i-th number are i
				nearestEven = x
			}
			checkRound(t, f, middle, nearestEven)
			checkRound(t, f, math.Nextafter(middle, 0), low)
			checkRound(t, f, math.Nextafter(middle, x), x)
			checkRound(t, f, math.Nextafter(x, 0), x)
			if i < len(numbers)-1 {
				checkRound(t, f, math.Nextafter(x, math.Inf(1)), x)
			}
		}
	}
}

// TestPublishedTables compares with the published tables: float16 and float32 in IEEE 754-2019,
// table 3.5, e4m3 and e5m2 in the OFP8 specification, revision 1.0, bfloat16 in Intel's BFLOAT16 –
// Hardware Numerics Definition (2018). It checks the extreme numbers, the midpoint to the next
// number after the largest, and both sides of it.
func TestPublishedTables(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name                                  string
		maxNumber, middle                     float64
		roundedMiddle, roundedBeyond          float64
		minNormal, maxSubnormal, minSubnormal float64
	}{
		{names.FormatFloat32, (2 - 0x1p-23) * 0x1p127, 0x1.ffffffp127, inf, inf, 0x1p-126, (1 - 0x1p-23) * 0x1p-126,
			0x1p-149},
		{names.FormatBFloat16, (2 - 0x1p-7) * 0x1p127, 0x1.ffp127, inf, inf, 0x1p-126, (1 - 0x1p-7) * 0x1p-126,
			0x1p-133},
		{names.FormatFloat16, 65504, 65520, inf, inf, 0x1p-14, 1023 * 0x1p-24, 0x1p-24},
		{names.FormatE4M3Saturating, 448, 464, 448, 448, 0x1p-6, 0.875 * 0x1p-6, 0x1p-9},
		{"e4m3fn-nan", 448, 464, 448, nan, 0x1p-6, 0.875 * 0x1p-6, 0x1p-9},
		{names.FormatE5M2, 57344, 61440, inf, inf, 0x1p-14, 0.75 * 0x1p-14, 0x1p-16},
	} {
		f := Lookup(c.name)
		if f.Max != c.maxNumber || math.Ldexp(1, f.MinExponent) != c.minNormal {
			t.Errorf("%s goes from %v to %v", c.name, math.Ldexp(1, f.MinExponent), f.Max)
		}
		for _, x := range []float64{c.minNormal, c.maxSubnormal, c.minSubnormal} {
			checkRound(t, f, x, x)
		}
		checkRound(t, f, c.maxSubnormal+0.5*c.minSubnormal, c.minNormal) // whose last digit is even
		checkRound(t, f, 0.5*c.minSubnormal, 0)
		checkRound(t, f, math.Nextafter(0.5*c.minSubnormal, 1), c.minSubnormal)
		checkRound(t, f, 0x1p-1074, 0)
		checkRound(t, f, c.maxNumber, c.maxNumber)
		checkRound(t, f, math.Nextafter(c.middle, 0), c.maxNumber)
		checkRound(t, f, c.middle, c.roundedMiddle)
		checkRound(t, f, math.Nextafter(c.middle, inf), c.roundedBeyond)
		for _, x := range []float64{2 * c.maxNumber, math.MaxFloat64} {
			checkRound(t, f, x, c.roundedBeyond)
		}
		if got := f.Round(inf); !sameBits(got, c.roundedBeyond) {
			t.Errorf("%s: infinity becomes %v, want %v", c.name, got, c.roundedBeyond)
		}
		if !math.IsNaN(f.Round(nan)) {
			t.Errorf("%s rounds NaN to a number", c.name)
		}
		for x, want := range map[float64]bool{c.maxNumber: false, math.Nextafter(c.middle, 0): false,
			math.Nextafter(c.middle, inf): true, inf: true, -inf: true} {
			if got := f.Overflows(x); got != want {
				t.Errorf("%s: %v overflows: %v, want %v", c.name, x, got, want)
			}
		}
	}
}

// TestFloat32 compares the rounding of random numbers of every size, including float32 numbers and
// their midpoints, with the processor and with math/big. Float32 has too many numbers to check
// all.
func TestFloat32(t *testing.T) {
	f, r := Lookup(names.FormatFloat32), rand.New(rand.NewPCG(1, 2))
	count := 1_000_000
	if testing.Short() {
		count = 50_000
	}
	for range count {
		x := float64(math.Float32frombits(r.Uint32() >> 1))
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		next := float64(math.Nextafter32(float32(x), float32(math.Inf(1))))
		middle := x + (next-x)/2
		if math.IsInf(next, 0) {
			middle = f.overflowLimit
		}
		for _, number := range []float64{x, middle, math.Nextafter(middle, 0), math.Nextafter(middle, math.Inf(1)),
			x + r.Float64()*(middle-x)} {
			checkRound(t, f, number, float64(float32(number)))
		}
	}
}

// TestAgainstPyTorch compares with float16 and bfloat16 numbers of PyTorch 1.13.0
// (testdata/rounded.csv).
func TestAgainstPyTorch(t *testing.T) {
	file, err := os.Open("testdata/rounded.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil || len(lines) < 4000 {
		t.Fatal(len(lines), err)
	}
	for _, line := range lines[1:] {
		var x [3]float64
		for i := range x {
			if x[i], err = strconv.ParseFloat(line[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		for i, name := range []string{names.FormatFloat16, names.FormatBFloat16} {
			if got := Lookup(name).Round(x[0]); !sameBits(got, x[1+i]) {
				t.Errorf("%s: %v rounds to %v, PyTorch has %v", name, x[0], got, x[1+i])
			}
		}
	}
}
