package precision

import (
	"encoding/csv"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"mcsim/sim/names"
)

// listNumbers returns all non-negative numbers of a format with at most 16 bits in ascending order.
// It does not use Round but the bits of a number: the exponent e, followed by s stored digits m of
// the significand. With the smallest exponent min, they represent m·2^(min−s) if e is 0, and
// otherwise (1 + m/2^s)·2^(e−1+min).
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

// roundBig rounds x with math/big.
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

// checkRound checks that x rounds to want, and −x to −want, by Round and with math/big.
func checkRound(t *testing.T, f *Format, x, want float64) {
	t.Helper()
	for _, sign := range []float64{1, -1} {
		if got := f.Round(sign * x); !sameBits(got, sign*want) {
			t.Errorf("%s: Round(%v) = %v, want %v", f.Name, sign*x, got, sign*want)
		}
		if rounded := roundBig(f, sign*x); !sameBits(rounded, sign*want) {
			t.Errorf("%s: roundBig(%v) = %v, want %v", f.Name, sign*x, rounded, sign*want)
		}
	}
}

// TestEveryNumberAndMiddle checks that every number of each small format rounds to itself, that the
// midpoint of two neighbours rounds to the neighbour with an even last digit, and that the float64
// numbers next to a number or a midpoint round to the nearest number.
func TestEveryNumberAndMiddle(t *testing.T) {
	numberCount := map[string]int{
		names.FormatBFloat16:       255 * 128,
		names.FormatFloat16:        31 * 1024,
		names.FormatE4M3Saturating: 127,
		"e4m3fn-nan":               127,
		names.FormatE5M2:           31 * 4,
	}
	for _, f := range Formats[1:] {
		numbers := listNumbers(f)
		if want := numberCount[f.Name]; len(numbers) != want {
			t.Errorf("%s: got %d non-negative numbers, want %d", f.Name, len(numbers), want)
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

// TestPublishedTables checks the extreme numbers of the formats, and how numbers near them round.
// The tables are published: float16 and float32 in IEEE 754-2019, table 3.5, e4m3 and e5m2 in the
// OFP8 specification, revision 1.0, and bfloat16 in Intel's BFLOAT16 – Hardware Numerics Definition
// (2018). middle is the midpoint between the largest number and the number that would follow it.
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
		if f.Max != c.maxNumber {
			t.Errorf("%s: largest number: got %v, want %v", c.name, f.Max, c.maxNumber)
		}
		if got := math.Ldexp(1, f.MinExponent); got != c.minNormal {
			t.Errorf("%s: smallest normal number: got %v, want %v", c.name, got, c.minNormal)
		}
		for _, x := range []float64{c.minNormal, c.maxSubnormal, c.minSubnormal} {
			checkRound(t, f, x, x)
		}
		checkRound(t, f, c.maxSubnormal+0.5*c.minSubnormal, c.minNormal) // the last digit of minNormal is even
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
			t.Errorf("%s: Round(+Inf) = %v, want %v", c.name, got, c.roundedBeyond)
		}
		if got := f.Round(nan); !math.IsNaN(got) {
			t.Errorf("%s: Round(NaN) = %v, want NaN", c.name, got)
		}
		for x, want := range map[float64]bool{c.maxNumber: false, math.Nextafter(c.middle, 0): false,
			math.Nextafter(c.middle, inf): true, inf: true, -inf: true} {
			if got := f.Overflows(x); got != want {
				t.Errorf("%s: Overflows(%v) = %v, want %v", c.name, x, got, want)
			}
		}
	}
}

// TestFloat32 compares Round for the format float32 with the processor's conversion. It rounds
// random float32 numbers of every magnitude, the midpoints to their neighbours, and numbers next to
// the midpoints and between.
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

// TestAgainstPyTorch compares Round for float16 and bfloat16 with PyTorch 1.13.0
// (testdata/rounded.csv).
func TestAgainstPyTorch(t *testing.T) {
	file, err := os.Open("testdata/rounded.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) < 4000 {
		t.Fatalf("the table has %d lines, want at least 4000", len(lines))
	}
	for _, line := range lines[1:] {
		var numbers [3]float64 // a number, and the same rounded to float16 and to bfloat16
		for i := range numbers {
			numbers[i], err = strconv.ParseFloat(line[i], 64)
			if err != nil {
				t.Fatal(err)
			}
		}
		for i, name := range []string{names.FormatFloat16, names.FormatBFloat16} {
			x, want := numbers[0], numbers[1+i]
			if got := Lookup(name).Round(x); !sameBits(got, want) {
				t.Errorf("%s: Round(%v) = %v, want %v by PyTorch", name, x, got, want)
			}
		}
	}
}
