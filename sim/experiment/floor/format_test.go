package floor

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"mcsim/sim/experiment/precision"
	"mcsim/sim/names"
)

// listCodes returns the numbers of the codes of an element from 0 upward: sign aside, the exponent
// e, then s stored digits m. They represent m·2^(min−s) if e is 0, and (1 + m/2^s)·2^(e−1+min)
// otherwise (OCP MX 1.0, 5.3; OFP8 1.0, 3).
func listCodes(stored, minExponent, count int) (numbers []float64) {
	for code := range count {
		e, m := code>>stored, float64(code&(1<<stored-1))
		if e > 0 {
			e, m = e-1, m+float64(int(1)<<stored)
		}
		numbers = append(numbers, math.Ldexp(m, e+minExponent-stored))
	}
	return numbers
}

// TestAllCodes checks all codes of e2m1 (16), e4m3 (256, of which two are NaN) and int8 (256, of
// which −128 is not used): each is stored as itself, a midpoint as its even neighbour, a number
// beyond the largest as the largest, and rounding is monotone.
func TestAllCodes(t *testing.T) {
	for _, c := range []struct {
		element *precision.Format
		numbers []float64
		largest float64
	}{
		{precision.E2M1, listCodes(1, 0, 8), 6},
		{e4m3, listCodes(3, -6, 127), 448},
		{precision.Int8, listCodes(7, 7, 128), 127},
	} {
		if got := c.numbers[len(c.numbers)-1]; got != c.largest {
			t.Fatalf("%s: the last code is %v, want %v", c.element.Name, got, c.largest)
		}
		last := math.Inf(-1)
		check := func(x, want float64) {
			for _, sign := range []float64{-1, 1} {
				if got := c.element.Round(sign * x); got != sign*want {
					t.Errorf("%s: Round(%v) = %v, want %v", c.element.Name, sign*x, got, sign*want)
				}
			}
			rounded := c.element.Round(x)
			if rounded < last {
				t.Errorf("%s: Round(%v) = %v is below that of a smaller number", c.element.Name, x, rounded)
			}
			last = rounded
		}
		for i, x := range c.numbers {
			check(x, x)
			if i == len(c.numbers)-1 {
				check(x*1.0001, x)
				check(1e6*x, x)
				continue
			}
			next := c.numbers[i+1]
			middle, even := (x+next)/2, x
			if i%2 == 1 {
				even = next
			}
			check(math.Nextafter(middle, 0), x)
			check(middle, even)
			check(math.Nextafter(middle, next), next)
		}
	}
}

// TestPowerScales checks that each of the 255 numbers of e8m0, 2^−127 to 2^127, is the scale of
// blocks whose largest magnitude has its exponent, and that scales saturate.
func TestPowerScales(t *testing.T) {
	for _, name := range []string{names.FormatMXFP4, names.FormatMXFP8} {
		f, maxPower := Lookup(name), map[string]float64{names.FormatMXFP4: 4, names.FormatMXFP8: 256}[name]
		for code := range 255 {
			want := math.Ldexp(1, code-127)
			for _, amax := range []float64{want * maxPower, math.Nextafter(2*want*maxPower, 0)} {
				if got := f.scale(amax, amax); got != want {
					t.Errorf("%s: the scale of %v is %v, want %v", name, amax, got, want)
				}
			}
		}
		if low, high := f.scale(1e-300, 1), f.scale(1e300, 1); low != 0x1p-127 || high != 0x1p127 {
			t.Errorf("%s: the scales of 10^−300 and 10^300 are %v and %v, want 2^−127 and 2^127", name, low, high)
		}
	}
}

// TestStored compares a tensor of two rows of 128 numbers, as each format stores it, with another
// program: NumPy 1.24.2, by search in the list of codes. The tensor has zeros, a block of zeros and
// a block of small numbers.
func TestStored(t *testing.T) {
	file, err := os.Open("testdata/stored.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	readColumn := func(column int) (numbers []float64) {
		for _, record := range records[1:] {
			x, err := strconv.ParseFloat(record[column], 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, x)
		}
		return numbers
	}
	tensor := readColumn(0)
	for i, name := range records[0][1:] {
		got, want := Lookup(name).store(tensor, 128), readColumn(i+1)
		for j := range want {
			if got[j] != want[j] {
				t.Errorf("%s: number %d, %v: got %v, want %v", name, j, tensor[j], got[j], want[j])
			}
		}
	}
}

// TestStoreProperties checks for random tensors in every format that a stored tensor stays the same
// if it is stored again, that signs are symmetric, and that a format without scales or with powers
// of two commutes with a multiplication by 2.
func TestStoreProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, f := range Formats {
		for range 50 {
			length := 1 + r.IntN(200)
			tensor, negative, double := make([]float64, 3*length), make([]float64, 3*length), make([]float64, 3*length)
			for i := range tensor {
				tensor[i] = math.Ldexp(r.NormFloat64(), r.IntN(8))
				negative[i], double[i] = -tensor[i], 2*tensor[i]
			}
			stored := f.store(tensor, length)
			minus, twice := f.store(negative, length), f.store(double, length)
			for i, x := range stored {
				if minus[i] != -x || f.scaling != twoLevels && twice[i] != 2*x {
					t.Fatalf("%s: %v is stored as %v, its negative as %v, its double as %v", f.Name, tensor[i], x,
						minus[i], twice[i])
				}
			}
			if again := f.store(stored, length); f.scaling == unscaled && !slices.Equal(again, stored) {
				t.Fatalf("%s: a stored tensor changes if it is stored again", f.Name)
			}
		}
	}
}
