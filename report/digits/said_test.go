package digits

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// Running text says three digits or two where they are certain, and else the error.
func TestSaid(t *testing.T) {
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
		if got := strings.ReplaceAll(Said(c.value, c.se, c.resolution), Group, " "); got != c.want {
			t.Errorf("Said(%g, %g, %g) = %q, want %q", c.value, c.se, c.resolution, got, c.want)
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
		if got := SaidBounded(c.value, c.lo, c.hi, 0); got != c.want {
			t.Errorf("SaidBounded(%g, %g, %g) = %q, want %q", c.value, c.lo, c.hi, got, c.want)
		}
	}
}

// A number that is said without its error has three digits at most, and two errors away
// from the value is still less than a unit of the last digit away from what is said.
func TestSaidDigitsAreCertain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	said := 0
	for range 20000 {
		value := math.Pow(10, random.Float64()*9-5)
		se := value * math.Pow(10, -random.Float64()*6)
		text := strings.ReplaceAll(Said(value, se, 0), Group, "")
		if strings.Contains(text, "±") {
			continue
		}
		said++
		mantissa, power := text, 0.0
		if at := strings.Index(text, "·10"); at >= 0 {
			mantissa = text[:at]
			power, _ = strconv.ParseFloat(plainDigits.Replace(text[at+len("·10"):]), 64)
		}
		x, err := strconv.ParseFloat(mantissa, 64)
		if err != nil {
			t.Fatalf("Said(%g, %g) = %q, which is no number", value, se, text)
		}
		whole, fraction, _ := strings.Cut(mantissa, ".")
		significant := strings.TrimLeft(whole+fraction, "0")
		if fraction == "" {
			significant = strings.TrimRight(significant, "0")
		}
		unit := math.Pow(10, power-float64(len(fraction)))
		if fraction == "" && len(whole) > maxSaid {
			unit *= math.Pow10(len(whole) - maxSaid)
		}
		if off := math.Abs(x*math.Pow(10, power) - value); len(significant) > maxSaid || off+2*se > unit*(1+1e-9) {
			t.Errorf("Said(%g, %g) = %q: %d digits, and the truth may be %g off, a unit being %g", value, se, text, len(significant), off+2*se, unit)
		}
	}
	if said < 5000 {
		t.Errorf("only %d numbers were said without their error", said)
	}
}

// plainDigits turns raised digits into plain ones.
var plainDigits = strings.NewReplacer("⁻", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")
