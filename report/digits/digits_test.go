package digits

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var nan, inf = math.NaN(), math.Inf(1)

// TestNumbersWithErrors compares the texts of numbers with texts that were worked out by hand from
// the rule in the package comment. The cases of 0.827 are the examples of the Particle Data Group.
func TestNumbersWithErrors(t *testing.T) {
	for i, c := range []struct{ got, want string }{
		{PlusMinus(64.0312, 0.0512), "64.03 ± 0.05"}, {PlusMinus(64.0312, 0.0354), "64.031 ± 0.035"},
		{PlusMinus(64.0312, 0.0355), "64.03 ± 0.04"}, {PlusMinus(0.827, 0.0967), "0.83 ± 0.10"},
		{PlusMinus(0.827, 0.119), "0.83 ± 0.12"}, {PlusMinus(0.827, 0.367), "0.8 ± 0.4"},
		{PlusMinus(1.00031, 0.00098), "1.0003 ± 0.0010"}, {PlusMinus(4096.3, 12.4), "4096 ± 12"},
		{PlusMinus(4096.3, 1.24), "4096.3 ± 1.2"}, {PlusMinus(262144.7, 520), "262\u202f100 ± 500"},
		{PlusMinus(-0.0004, 0.0011), "−0.0004 ± 0.0011"}, {PlusMinus(-0.00004, 0.0011), "0.0000 ± 0.0011"},
		{PlusMinus(0, 0.5), "0.0 ± 0.5"}, {PlusMinus(0.000244140625, 0.00000025), "(2.4414 ± 0.0025)·10⁻⁴"},
		{PlusMinus(3.8147e-6, 2.1e-9), "(3.8147 ± 0.0021)·10⁻⁶"}, {PlusMinus(1e-9, 3e-4), "0.00000 ± 0.00030"},
		{PlusMinus(0.0019499, 0.0000019), "(1.9499 ± 0.0019)·10⁻³"},
		{PlusMinus(0.49988, 0.00000013), "0.49988000 ± 0.00000013"},
		{PlusMinus(1, 3e-8), "1.000000000 ± 0.000000030"}, {PlusMinus(1.5e12, 2e9), "(1.5000 ± 0.0020)·10¹²"},
		{PlusMinus(1, 0), "1"}, {PlusMinus(-1.99999947, 0), "−2"}, {PlusMinus(1.23456789, nan), "1.2"},
		{PlusMinus(8.13282, nan), "8.1"}, {PlusMinus(1.2, inf), "1.2"}, {PlusMinus(nan, 1), None},
		{PlusMinus(2, 7), "2 ± 7"},
		// The error in units of the value's last digit.
		{Concise(64.0312, 0.0512), "64.03(5)"}, {Concise(64.0312, 0.0354), "64.031(35)"},
		{Concise(1.00031, 0.00098), "1.0003(10)"}, {Concise(4096.3, 12.4), "4096(12)"},
		{Concise(4096.34, 1.24), "4096.3(12)"}, {Concise(-0.0004, 0.0011), "−0.0004(11)"},
		{Concise(3.8147e-6, 2.1e-9), "3.8147(21)·10⁻⁶"}, {Concise(1, 0), "1"}, {Concise(1.12525, nan), "1.1"},
		{Concise(0.5, nan), "0.5"}, {Concise(nan, nan), None},
		// Intervals, with the digits that their half-widths support.
		{Interval(63.36, 64.64), "[63.4, 64.6]"}, {Interval(63.9012, 64.1234), "[63.90, 64.12]"},
		{Interval(-0.0012, 0.0034), "[−0.0012, 0.0034]"}, {Interval(nan, nan), None},
		{Interval(-inf, 0.95), "[−∞, 0.95]"}, {Interval(1.05, inf), "[1.05, ∞]"}, {Interval(1, 1), "[1, 1]"},
		{Interval(3.81e-6, 3.83e-6), "[3.810, 3.830]·10⁻⁶"},
		// A band has one digit more than the interval that is compared with it.
		{Band(63.36, 64.64, 0.3), "[63.36, 64.64]"}, {Band(1013.76, 1034.24, 5), "[1013.8, 1034.2]"},
		{Band(-0.00552427, 0.00552427, 0.0032), "[−0.00552, 0.00552]"}, {Band(0.99, inf, 0.004), "[0.99, ∞]"},
		{Band(nan, 1.01, 0.004), "[−∞, 1.01]"}, {Band(0.99, 1.01, nan), "[0.99, 1.01]"},
		{Band(0.0019337, 0.0019727, 0.0000091), "[1.9337, 1.9727]·10⁻³"},
		// An exact value has one digit more than the measured value next to it.
		{Reference(0.00860499, 0.00015), "0.008605"}, {Reference(0.0620214, 0.0001), "0.062021"},
		{Reference(0.0171, 0.00014), "0.0171"}, {Reference(64, 0.06), "64"},
		{Reference(0.00860499, nan), "8.60499·10⁻³"},
		{Reference(0.5, 0), "0.5"},
		// The ends of an estimate's interval have as many decimals as the estimate.
		{IntervalWithSE(1.99824, 2.00536, 0.0018), "[1.9982, 2.0054]"}, {IntervalWithSE(0.99, 1.01, 0), "[0.99, 1.01]"},
		{IntervalWithSE(0.9, 1.1, math.NaN()), "[0.90, 1.10]"}, {IntervalWithSE(math.NaN(), math.NaN(), 1), None},
		// Only a proportion of events that were never seen has a limit.
		{ZeroCountLimit(0, 0, 1.0583e-5), "< 1.1·10⁻⁵"}, {ZeroCountLimit(0, 0, 0), ""}, {ZeroCountLimit(0, 1, 2), ""},
		{ZeroCountLimit(0.1, 0, 1), ""}, {ZeroCountLimit(0, 0, math.NaN()), ""},
		{ZeroCountLimit(0, 0, math.Inf(1)), ""},
		// A value without its error has the same power of ten as with it.
		{ValueOnly(2.1e-24, 3.6e-24), "2·10⁻²⁴"}, {ValueOnly(0.98987, 0.0001), "0.98987"},
		{ValueOnly(1234.5, 2), "1234.5"},
		{ValueOnly(1, 0), "1"}, {ValueOnly(4.4517e-6, 7.9e-9), "4.452·10⁻⁶"}, {ValueOnly(math.NaN(), 1), None},
		// Values with an interval and no standard error: a proportion, proportions of 0 and 1 with
		// their limits, an atom, small proportions, and a quantile with a wide bin.
		{IntervalEstimate(0.00012, 0.00008, 0.00017, 0), "0.00012 [0.00008, 0.00017]"},
		{IntervalEstimate(0, 0, 0.000056, 0), "< 5.6·10⁻⁵"}, {IntervalEstimate(1, 0.99994, 1, 0), "> 0.99994"},
		{IntervalEstimate(0.25, 0.25-1e-9, 0.25+1e-9, 1e-9), "0.25"},
		{IntervalEstimate(0.000011, 0.000003, 0.000029, 0), "(1.1 [0.3, 2.9])·10⁻⁵"},
		{IntervalEstimate(0.0001, 0.000069, 0.000139, 0), "(1.00 [0.69, 1.39])·10⁻⁴"},
		{IntervalEstimate(0.31, 0.2, 0.4, 0.05), "0.31 [0.20, 0.40], in bins of 0.05"},
		{BinWidthSuffix(0), ""}, {BinWidthSuffix(nan), ""}, {BinWidthSuffix(0.013), ", in bins of 0.013"},
	} {
		if c.got != c.want {
			t.Errorf("case %d: got %q, want %q", i+1, c.got, c.want)
		}
	}
}

func TestPlainNumbers(t *testing.T) {
	for name, c := range map[string]struct {
		format func(float64) string
		want   map[float64]string
	}{
		"Fraction": {Fraction, map[float64]string{
			0: "0", 1: "1", 2: "2", 0.5: "1/2", 0.25: "1/4", 0.75: "3/4", 0.3333333333333333: "1/3",
			0.6666666666666666: "2/3", 1.0 / 6: "1/6", 0.125: "1/8", 0.45: "0.45", 0.333: "0.333", -0.5: "−1/2",
			0.1: "0.1",
		}},
		"Short": {Short, map[float64]string{
			0: "0", 1: "1", 64: "64", 4096: "4096", 16384: "16\u202f384", 0.5: "0.5", -0.5: "−0.5", 63.36: "63.36",
			64 * 1.01: "64.64", 0.1 + 0.2: "0.3", 1e-6: "10⁻⁶", 2.5e-7: "2.5·10⁻⁷", 0.000244140625: "2.44141·10⁻⁴",
			0.001: "0.001", 0.0005: "0.0005", 0.001953125: "1.95312·10⁻³", 0.0156250: "0.015625",
			22.627416997969522: "22.6274", 1e9: "10⁹", -3e10: "−3·10¹⁰", inf: "∞", -inf: "−∞",
			123456.7: "123\u202f457", 999999.9: "1\u202f000\u202f000", nan: None,
		}},
		"TwoDigits": {TwoDigits, map[float64]string{
			0: "0", 1: "1", 1.12525: "1.1", 8.13282: "8.1", 9.96: "10", 0.0456: "0.046", 4096.3: "4100",
			16384: "16\u202f000", -3.14159: "−3.1", 3.8147e-6: "3.8·10⁻⁶", 1.234e12: "1.2·10¹²",
			math.MaxFloat64: "1.79769·10³⁰⁸", nan: None, inf: None,
		}},
		"Decimals": {func(x float64) string { return Decimals(x, 3) }, map[float64]string{
			1.02641: "1.026", 0.99972: "1.000", -0.5: "−0.500", 0.0999: "0.1", 0.004428: "0.0044", 0: "0", nan: None,
			12345.6789: "12\u202f345.679",
		}},
		"Percent": {Percent, map[float64]string{0.01: "1\u202f%", 0.95: "95\u202f%", 0.07: "7\u202f%"}},
		"Count": {func(x float64) string { return Count(int64(x)) }, map[float64]string{
			0: "0", 4096: "4096", 10000: "10\u202f000", 2097152: "2\u202f097\u202f152", -12345: "−12\u202f345",
		}},
		"Significant": {func(x float64) string { return Significant(x, 2) }, map[float64]string{
			1: "1.0", 0.82: "0.82", 0.998: "1.0", 154: "150", 0: "0.0", -4.04: "−4.0", 8.04e13: "8.0·10¹³", inf: None,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			for x, want := range c.want {
				if got := c.format(x); got != want {
					t.Errorf("%s(%v) = %q, want %q", name, x, got, want)
				}
			}
		})
	}
}

// TestIntervalEstimateHasOneUnit checks that a value and the ends of its interval are written with
// the same power of ten. A reader can then compare their mantissas.
func TestIntervalEstimateHasOneUnit(t *testing.T) {
	number := regexp.MustCompile(`^\(?([0-9.]+) \[([0-9.]+), ([0-9.]+)\]\)?(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?$`)
	for exponent := -12; exponent <= 12; exponent++ {
		for mantissa := 1.0; mantissa < 10; mantissa += 0.13 {
			for _, width := range []float64{0.02, 0.3, 1.7} {
				value := mantissa * math.Pow10(exponent)
				text := strings.ReplaceAll(IntervalEstimate(value, value/(1+width), value*(1+width), 0),
					GroupSeparator, "")
				m := number.FindStringSubmatch(text)
				if m == nil {
					t.Fatalf("value %g: got %q, want a number, its interval and at most one power of ten", value, text)
				}
				var x [3]float64
				for i := range x {
					x[i], _ = strconv.ParseFloat(m[i+1], 64)
				}
				isInside := x[1] <= x[0] && x[0] <= x[2] && x[2] != 0
				gotWidth := x[2]/x[0] - 1
				if !isInside || math.Abs(gotWidth-width) > 0.3*width { // the numbers are rounded
					t.Errorf("got %q, want the value %g in an interval up to %g times the value", text, value, 1+width)
				}
			}
		}
	}
}
