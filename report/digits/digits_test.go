package digits

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var nan, inf = math.NaN(), math.Inf(1)

// The expected texts were worked out by hand from the rule in the package
// comment.
func TestPlusMinus(t *testing.T) {
	for _, c := range []struct {
		value, se float64
		want      string
	}{
		{64.0312, 0.0512, "64.03 ± 0.05"},
		{64.0312, 0.0354, "64.031 ± 0.035"},
		{64.0312, 0.0355, "64.03 ± 0.04"},
		{0.827, 0.0967, "0.83 ± 0.10"}, // the PDG's own case: .967 becomes 1.0
		{0.827, 0.119, "0.83 ± 0.12"},  // the PDG's own example
		{0.827, 0.367, "0.8 ± 0.4"},    // the PDG's own example
		{1.00031, 0.00098, "1.0003 ± 0.0010"},
		{4096.3, 12.4, "4096 ± 12"},
		{4096.3, 1.24, "4096.3 ± 1.2"},
		{262144.7, 520, "262\u202f100 ± 500"},
		{-0.0004, 0.0011, "−0.0004 ± 0.0011"},
		{-0.00004, 0.0011, "0.0000 ± 0.0011"},
		{0, 0.5, "0.0 ± 0.5"},
		{0.000244140625, 0.00000025, "(2.4414 ± 0.0025)·10⁻⁴"},
		{3.8147e-6, 2.1e-9, "(3.8147 ± 0.0021)·10⁻⁶"},
		{1e-9, 3e-4, "0.00000 ± 0.00030"}, // 300 keeps two digits
		{0.0019499, 0.0000019, "(1.9499 ± 0.0019)·10⁻³"},
		{0.49988, 0.00000013, "0.49988000 ± 0.00000013"},
		{1, 3e-8, "1.000000000 ± 0.000000030"},
		{1.5e12, 2e9, "(1.5000 ± 0.0020)·10¹²"},
		{1, 0, "1"},
		{-1.99999947, 0, "−2"},
		{1.23456789, nan, "1.2"},
		{8.13282, nan, "8.1"},
		{1.2, inf, "1.2"},
		{nan, 1, None},
		{2, 7, "2 ± 7"},
	} {
		if got := PlusMinus(c.value, c.se); got != c.want {
			t.Errorf("PlusMinus(%v, %v) = %q, want %q", c.value, c.se, got, c.want)
		}
	}
}

func TestConcise(t *testing.T) {
	for _, c := range []struct {
		value, se float64
		want      string
	}{
		{64.0312, 0.0512, "64.03(5)"},
		{64.0312, 0.0354, "64.031(35)"},
		{1.00031, 0.00098, "1.0003(10)"},
		{4096.3, 12.4, "4096(12)"},
		{4096.34, 1.24, "4096.3(12)"},
		{-0.0004, 0.0011, "−0.0004(11)"},
		{3.8147e-6, 2.1e-9, "3.8147(21)·10⁻⁶"},
		{1, 0, "1"},
		{1.12525, nan, "1.1"},
		{0.5, nan, "0.5"},
		{nan, nan, None},
	} {
		if got := Concise(c.value, c.se); got != c.want {
			t.Errorf("Concise(%v, %v) = %q, want %q", c.value, c.se, got, c.want)
		}
	}
}

// A number with a power of ten whatever its size, so that a column has one notation.
func TestPowered(t *testing.T) {
	for _, c := range []struct {
		value, se float64
		want      string
	}{
		{0.003643, 0.000032, "3.643(32)·10⁻³"}, {0.004031, 0.000041, "4.03(4)·10⁻³"}, {0.12, 0.04, "1.2(4)·10⁻¹"},
		{-52.1, 0.9, "−5.21(9)·10¹"}, {2.66e-8, 2.6e-10, "2.660(26)·10⁻⁸"}, {0, 0.02, "0.0(20)·10⁻²"}, {0, 0, "0"}, {nan, 1, None},
	} {
		if got := Powered(c.value, c.se); got != c.want {
			t.Errorf("%v ± %v is %s, want %s", c.value, c.se, got, c.want)
		}
	}
}

func TestInterval(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{63.36, 64.64, "[63.4, 64.6]"}, // half width 0.64 keeps one digit
		{63.9012, 64.1234, "[63.90, 64.12]"},
		{-0.0012, 0.0034, "[−0.0012, 0.0034]"},
		{nan, nan, None},
		{-inf, 0.95, "[−∞, 0.95]"},
		{1.05, inf, "[1.05, ∞]"},
		{1, 1, "[1, 1]"},
		{3.81e-6, 3.83e-6, "[3.810, 3.830]·10⁻⁶"},
	} {
		if got := Interval(c.lo, c.hi); got != c.want {
			t.Errorf("Interval(%v, %v) = %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
}

func TestBand(t *testing.T) {
	for _, c := range []struct {
		lo, hi, half float64
		want         string
	}{
		{63.36, 64.64, 0.3, "[63.36, 64.64]"},     // 0.30 ends at hundredths, the band at thousandths
		{1013.76, 1034.24, 5, "[1013.8, 1034.2]"}, // 5 ends at units
		{-0.00552427, 0.00552427, 0.0032, "[−0.00552, 0.00552]"},
		{0.99, inf, 0.004, "[0.99, ∞]"},
		{nan, 1.01, 0.004, "[−∞, 1.01]"},
		{0.99, 1.01, nan, "[0.99, 1.01]"},
		{0.0019337, 0.0019727, 0.0000091, "[1.9337, 1.9727]·10⁻³"}, // 0.0000091 ends at 10⁻⁶
	} {
		if got := Band(c.lo, c.hi, c.half); got != c.want {
			t.Errorf("Band(%v, %v, %v) = %q, want %q", c.lo, c.hi, c.half, got, c.want)
		}
	}
}

func TestShort(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1", 64: "64", 4096: "4096", 16384: "16\u202f384",
		0.5: "0.5", -0.5: "−0.5", 63.36: "63.36", 64 * 1.01: "64.64",
		0.1 + 0.2: "0.3", 1e-6: "10⁻⁶", 2.5e-7: "2.5·10⁻⁷", 0.000244140625: "2.44141·10⁻⁴", 0.001: "0.001", 0.0005: "0.0005",
		0.001953125: "1.95312·10⁻³", 0.0156250: "0.015625",
		22.627416997969522: "22.6274", 1e9: "10⁹", -3e10: "−3·10¹⁰", inf: "∞", -inf: "−∞",
		123456.7: "123\u202f457", 999999.9: "1\u202f000\u202f000",
	} {
		if got := Short(x); got != want {
			t.Errorf("Short(%v) = %q, want %q", x, got, want)
		}
	}
	if got := Short(nan); got != None {
		t.Errorf("Short(NaN) = %q", got)
	}
}

func TestRough(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1", 1.12525: "1.1", 8.13282: "8.1", 9.96: "10", 0.0456: "0.046", 4096.3: "4100", 16384: "16\u202f000",
		-3.14159: "−3.1", 3.8147e-6: "3.8·10⁻⁶", 1.234e12: "1.2·10¹²", math.MaxFloat64: "1.79769·10³⁰⁸", nan: None, inf: None,
	} {
		if got := Rough(x); got != want {
			t.Errorf("Rough(%v) = %q, want %q", x, got, want)
		}
	}
}

func TestFraction(t *testing.T) {
	for p, want := range map[float64]string{
		0: "0", 1: "1", 2: "2", 0.5: "1/2", 0.25: "1/4", 0.75: "3/4",
		0.3333333333333333: "1/3", 0.6666666666666666: "2/3", 1.0 / 6: "1/6",
		0.125: "1/8", 0.45: "0.45", 0.333: "0.333", -0.5: "−1/2", 0.1: "0.1",
	} {
		if got := Fraction(p); got != want {
			t.Errorf("Fraction(%v) = %q, want %q", p, got, want)
		}
	}
}

func TestCountAndPercent(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 4096: "4096", 10000: "10\u202f000", 2097152: "2\u202f097\u202f152", -12345: "−12\u202f345",
	} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
	for x, want := range map[float64]string{0.01: "1\u202f%", 0.95: "95\u202f%", 0.07: "7\u202f%"} {
		if got := Percent(x); got != want {
			t.Errorf("Percent(%v) = %q, want %q", x, got, want)
		}
	}
}

func TestMagnitude(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 950: "950", 12345: "1.2·10⁴", 2.1e9: "2.1·10⁹", inf: None} {
		if got := Magnitude(x); got != want {
			t.Errorf("Magnitude(%v) = %q, want %q", x, got, want)
		}
	}
}

func TestBeside(t *testing.T) {
	for _, c := range []struct {
		value, se float64
		want      string
	}{
		{0.00860499, 0.00015, "0.008605"},
		{0.0620214, 0.0001, "0.062021"},
		{0.0171, 0.00014, "0.0171"},
		{64, 0.06, "64"},
		{0.00860499, nan, "8.60499·10⁻³"},
		{0.5, 0, "0.5"},
	} {
		if got := Beside(c.value, c.se); got != c.want {
			t.Errorf("Beside(%g, %g) = %q, want %q", c.value, c.se, got, c.want)
		}
	}
}

// The ends of an interval have the digits of the value that they surround.
func TestIntervalOf(t *testing.T) {
	for _, c := range []struct {
		lo, hi, se float64
		want       string
	}{
		{1.99824, 2.00536, 0.0018, "[1.9982, 2.0054]"},
		{0.99, 1.01, 0, "[0.99, 1.01]"},
		{0.9, 1.1, math.NaN(), "[0.90, 1.10]"},
		{math.NaN(), math.NaN(), 1, None},
	} {
		if got := IntervalOf(c.lo, c.hi, c.se); got != c.want {
			t.Errorf("%v to %v ± %v: %s, want %s", c.lo, c.hi, c.se, got, c.want)
		}
	}
}

func TestNoneSeen(t *testing.T) {
	for _, c := range []struct {
		value, se, hi float64
		want          string
	}{{0, 0, 1.0583e-5, "< 1.1·10⁻⁵"}, {0, 0, 0, ""}, {0, 1, 2, ""}, {0.1, 0, 1, ""}, {0, 0, math.NaN(), ""}, {0, 0, math.Inf(1), ""}} {
		if got := NoneSeen(c.value, c.se, c.hi); got != c.want {
			t.Errorf("%v ± %v, at most %v: %q, want %q", c.value, c.se, c.hi, got, c.want)
		}
	}
}

// A value alone keeps the power of ten that its error shares.
func TestAlone(t *testing.T) {
	for _, c := range []struct {
		value, se float64
		want      string
	}{
		{2.1e-24, 3.6e-24, "2·10⁻²⁴"}, {0.98987, 0.0001, "0.98987"}, {1234.5, 2, "1234.5"}, {1, 0, "1"},
		{4.4517e-6, 7.9e-9, "4.452·10⁻⁶"}, {math.NaN(), 1, None},
	} {
		if got := Alone(c.value, c.se); got != c.want {
			t.Errorf("%v, known to %v, is %s; want %s", c.value, c.se, got, c.want)
		}
	}
}

// What has an interval and no standard error is written by it; what is none at all, or
// all, by its limit; a number on an atom alone; a wide bin stands behind.
func TestBounded(t *testing.T) {
	for _, c := range []struct {
		value, lo, hi, resolution float64
		want                      string
	}{
		{0.00012, 0.00008, 0.00017, 0, "0.00012 [0.00008, 0.00017]"},
		{0, 0, 0.000056, 0, "< 5.6·10⁻⁵"},
		{1, 0.99994, 1, 0, "> 0.99994"},
		{0.25, 0.25 - 1e-9, 0.25 + 1e-9, 1e-9, "0.25"},
		{0.000011, 0.000003, 0.000029, 0, "(1.1 [0.3, 2.9])·10⁻⁵"},
		{0.0001, 0.000069, 0.000139, 0, "(1.00 [0.69, 1.39])·10⁻⁴"},
		{0.31, 0.2, 0.4, 0.05, "0.31 [0.20, 0.40], in bins of 0.05"},
	} {
		if got := Bounded(c.value, c.lo, c.hi, c.resolution); got != c.want {
			t.Errorf("%v from %v to %v in bins of %v is %q, want %q", c.value, c.lo, c.hi, c.resolution, got, c.want)
		}
	}
	if InBins(0) != "" || InBins(math.NaN()) != "" || InBins(0.013) != ", in bins of 0.013" {
		t.Errorf("%q", InBins(0.013))
	}
}

// A value and its interval are in one unit, whatever their magnitude: read as they stand,
// the numbers lie in the order that they have.
func TestBoundedHasOneUnit(t *testing.T) {
	number := regexp.MustCompile(`^\(?([0-9.]+) \[([0-9.]+), ([0-9.]+)\]\)?(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?$`)
	for exponent := -12; exponent <= 12; exponent++ {
		for mantissa := 1.0; mantissa < 10; mantissa += 0.13 {
			for _, width := range []float64{0.02, 0.3, 1.7} {
				value := mantissa * math.Pow10(exponent)
				text := strings.ReplaceAll(Bounded(value, value/(1+width), value*(1+width), 0), Group, "")
				m := number.FindStringSubmatch(text)
				if m == nil {
					t.Fatalf("%g: %q", value, text)
				}
				var x [3]float64
				for i := range x {
					x[i], _ = strconv.ParseFloat(m[i+1], 64)
				}
				if x[1] > x[0] || x[0] > x[2] || x[2] == 0 || math.Abs(x[2]/x[0]-1-width) > 0.3*width {
					t.Errorf("%g with the width %g: %q", value, width, text)
				}
			}
		}
	}
}
