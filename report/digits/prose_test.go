package digits

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestProse(t *testing.T) {
	for _, c := range []struct {
		value, se, resolution float64
		want                  string
	}{
		{1.0011, 0.0009, 0, "1.00"},
		{0.50005, 0.00004, 0, "0.500"},
		{0.96936, 0.00015, 0, "0.969"},
		{0.9996, 0.0001, 0, "1.00"},
		{64.003, 0.06, 0, "64"},
		{512.5, 0.5, 0, "512.5 ± 0.5"}, // not 510
		{65570, 60, 0, "65 570 ± 60"},
		{65573, 10, 0, "65 600"},
		{1880, 70, 0, "1880 ± 70"},
		{1.67e-6, 5e-8, 0, "(1.67 ± 0.05)·10⁻⁶"},
		{1.672e-6, 1e-9, 0, "1.67·10⁻⁶"},
		{1.9552e-3, 1.8e-6, 0, "0.00196"},
		{-0.999, 0.0012, 0, "−1.00"},
		{0.283, 0.002, 0, "0.28"},
		{0.283, 0.004, 0, "0.283 ± 0.004"},
		{0.283, 0.004, 0.1, "0.283 ± 0.004, in bins of 0.1"},
		{0.00025, 0.00016, 0, "0.00025 ± 0.00016"},
		{0.5, 0, 0, "0.5"},
		{1.73778, 0, 0, "1.74"},
		{math.NaN(), 1, 0, None},
		{1.2345, math.NaN(), 0, "1.2"},
	} {
		if got := strings.ReplaceAll(Prose(c.value, c.se, c.resolution), GroupSeparator, " "); got != c.want {
			t.Errorf("Prose(%g, %g, %g) = %q, want %q", c.value, c.se, c.resolution, got, c.want)
		}
	}
	for _, c := range []struct {
		value, lo, hi float64
		want          string
	}{
		{0, 0, 1.1e-5, "< 1.1·10⁻⁵"},
		{0.25, 0.2499, 0.2502, "0.250"},
		{0.25, 0.2, 0.3, "0.25 [0.20, 0.30]"},
	} {
		if got := ProseIntervalEstimate(c.value, c.lo, c.hi, 0); got != c.want {
			t.Errorf("ProseIntervalEstimate(%g, %g, %g, 0) = %q, want %q", c.value, c.lo, c.hi, got, c.want)
		}
	}
}

// TestProseDigitsAreCertain checks numbers that Prose writes without their error. Such a number
// must have at most three digits. It must differ by at most one unit of its last digit from any
// true value that is within two standard errors of the estimate.
func TestProseDigitsAreCertain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	withoutError := 0
	for range 20000 {
		value := math.Pow(10, random.Float64()*9-5)
		se := value * math.Pow(10, -random.Float64()*6)
		text := strings.ReplaceAll(Prose(value, se, 0), GroupSeparator, "")
		if strings.Contains(text, "±") {
			continue
		}
		withoutError++
		mantissa, superscript, ok := strings.Cut(text, "·10")
		power := 0.0
		if ok {
			power, _ = strconv.ParseFloat(superscriptsToDigits.Replace(superscript), 64)
		}
		x, err := strconv.ParseFloat(mantissa, 64)
		if err != nil {
			t.Fatalf("Prose(%g, %g, 0) = %q, which is not a number", value, se, text)
		}
		integer, fraction, _ := strings.Cut(mantissa, ".")
		significant := strings.TrimLeft(integer+fraction, "0")
		if fraction == "" {
			significant = strings.TrimRight(significant, "0")
		}
		unit := math.Pow(10, power-float64(len(fraction)))
		if fraction == "" && len(integer) > maxProseDigits {
			unit *= math.Pow10(len(integer) - maxProseDigits)
		}
		if len(significant) > maxProseDigits {
			t.Errorf("Prose(%g, %g, 0) = %q has %d digits, want at most %d",
				value, se, text, len(significant), maxProseDigits)
		}
		if deviation := math.Abs(x*math.Pow(10, power)-value) + 2*se; deviation > unit*(1+1e-9) {
			t.Errorf("Prose(%g, %g, 0) = %q may differ by %g from the true value, want at most one unit, %g",
				value, se, text, deviation, unit)
		}
	}
	if withoutError < 5000 {
		t.Errorf("%d numbers were written without their error, want at least 5000", withoutError)
	}
}

var superscriptsToDigits = strings.NewReplacer("⁻", "-",
	"⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4",
	"⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")
