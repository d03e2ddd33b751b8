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

// values are all numbers of a format of at most 16 bits that are not negative, in rising
// order, made of their bits and not of Round: with s stored digits, the bits e and m stand
// for m·2^(least−s) where e is 0, and else for (1 + m/2^s)·2^(e−1+least).
func values(f *Format) (all []float64) {
	stored := f.Digits - 1
	for bits := 0; ; bits++ {
		e, m := bits>>stored, bits&(1<<stored-1)
		x := math.Ldexp(float64(m), f.Least-stored)
		if e > 0 {
			x = math.Ldexp(float64(1<<stored+m), e-1+f.Least-stored)
		}
		if x > f.Max {
			return all
		}
		all = append(all, x)
	}
}

// nearest is x rounded by math/big.
func nearest(f *Format, x float64) float64 {
	if math.IsInf(x, 0) || x == 0 {
		return f.Round(x)
	}
	return exactly(f, x, math.Copysign(0, x), (*big.Float).Add, new(bool))
}

// same reports whether two numbers have the same bits, or are both none.
func same(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Float64bits(a) == math.Float64bits(b)
}

// holds wants x, and −x, rounded to want.
func holds(t *testing.T, f *Format, x, want float64) {
	t.Helper()
	for _, sign := range []float64{1, -1} {
		if got := f.Round(sign * x); !same(got, sign*want) {
			t.Errorf("%s: %v rounds to %v, want %v", f.Name, sign*x, got, sign*want)
		}
		if big := nearest(f, sign*x); !same(big, sign*want) {
			t.Errorf("%s: %v rounds to %v by math/big, want %v", f.Name, sign*x, big, sign*want)
		}
	}
}

// Every number of each small format rounds to itself; halfway between two neighbours the
// one with an even last digit is taken, and the next numbers of float64 on either side of
// the middle go to their own side. All of that is told by the order of the numbers alone,
// and math/big agrees.
func TestEveryNumberAndMiddle(t *testing.T) {
	for _, f := range Formats[1:] {
		all := values(f)
		if want := map[string]int{names.FormatBFloat16: 255 * 128, names.FormatFloat16: 31 * 1024,
			names.FormatE4M3Saturating: 127, "e4m3fn-nan": 127, names.FormatE5M2: 31 * 4}[f.Name]; len(all) != want {
			t.Errorf("%s has %d numbers, want %d", f.Name, len(all), want)
		}
		for i, x := range all {
			holds(t, f, x, x)
			if i == 0 {
				continue
			}
			low := all[i-1]
			middle, even := low+(x-low)/2, low
			if i%2 == 0 { // the number of the bits i is even
				even = x
			}
			holds(t, f, middle, even)
			holds(t, f, math.Nextafter(middle, 0), low)
			holds(t, f, math.Nextafter(middle, x), x)
			holds(t, f, math.Nextafter(x, 0), x)
			if i < len(all)-1 {
				holds(t, f, math.Nextafter(x, math.Inf(1)), x)
			}
		}
	}
}

// What is published of the formats: of float16 and float32 in IEEE 754-2019, table 3.5, of
// e4m3 and e5m2 in the OFP8 specification, revision 1.0, of bfloat16 in Intel's
// BFLOAT16 – Hardware Numerics Definition (2018); at the ends, halfway to what would be the next
// number, and on either side.
func TestPublishedTables(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name                           string
		most, middle                   float64
		atMiddle, farther              float64
		minNormal, maxSubnormal, least float64
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
		f := Named(c.name)
		if f.Max != c.most || math.Ldexp(1, f.Least) != c.minNormal {
			t.Errorf("%s goes from %v to %v", c.name, math.Ldexp(1, f.Least), f.Max)
		}
		for _, x := range []float64{c.minNormal, c.maxSubnormal, c.least} {
			holds(t, f, x, x)
		}
		holds(t, f, c.maxSubnormal+0.5*c.least, c.minNormal) // whose last digit is even
		holds(t, f, 0.5*c.least, 0)
		holds(t, f, math.Nextafter(0.5*c.least, 1), c.least)
		holds(t, f, 0x1p-1074, 0)
		holds(t, f, c.most, c.most)
		holds(t, f, math.Nextafter(c.middle, 0), c.most)
		holds(t, f, c.middle, c.atMiddle)
		holds(t, f, math.Nextafter(c.middle, inf), c.farther)
		for _, x := range []float64{2 * c.most, math.MaxFloat64} {
			holds(t, f, x, c.farther)
		}
		if got := f.Round(inf); !same(got, c.farther) {
			t.Errorf("%s: infinity becomes %v, want %v", c.name, got, c.farther)
		}
		if !math.IsNaN(f.Round(nan)) {
			t.Errorf("%s has a number for what is none", c.name)
		}
		for x, want := range map[float64]bool{c.most: false, math.Nextafter(c.middle, 0): false,
			math.Nextafter(c.middle, inf): true, inf: true, -inf: true} {
			if f.Overflows(x) != want {
				t.Errorf("%s: it is not %v that %v overflows", c.name, want, x)
			}
		}
	}
}

// Float32 has too many numbers to try all: random ones of every size, those of float32 with
// their middles among them, are rounded as the processor rounds, and by math/big.
func TestFloat32(t *testing.T) {
	f, r := Named(names.FormatFloat32), rand.New(rand.NewPCG(1, 2))
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
			middle = f.limit
		}
		for _, at := range []float64{x, middle, math.Nextafter(middle, 0), math.Nextafter(middle, math.Inf(1)),
			x + r.Float64()*(middle-x)} {
			holds(t, f, at, float64(float32(at)))
		}
	}
}

// testdata/rounded.csv: numbers as PyTorch 1.13.0 has them in float16 and bfloat16.
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
			if got := Named(name).Round(x[0]); !same(got, x[1+i]) {
				t.Errorf("%s: %v rounds to %v, PyTorch has %v", name, x[0], got, x[1+i])
			}
		}
	}
}
