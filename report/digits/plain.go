package digits

import (
	"math"
	"strconv"
	"strings"
)

// Short writes a number that has no error of its own (a theory, a band, a
// setting): at most six significant digits, no trailing zeros.
func Short(x float64) string {
	switch {
	case math.IsNaN(x):
		return None
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return minus + "∞"
	case x == 0:
		return "0"
	}
	_, exponent := leading(math.Abs(x), 6)
	decimals := max(0, 5-exponent)
	if x == math.Trunc(x) {
		decimals = 0
	}
	plain := trim(strconv.FormatFloat(x, 'f', decimals, 64))
	_, fraction, _ := strings.Cut(plain, ".")
	if exponent < -2 && len(fraction) > maxDecimals || exponent >= maxIntegers {
		mantissa, power, _ := strings.Cut(strconv.FormatFloat(x, 'e', 5, 64), "e")
		n, _ := strconv.Atoi(power)
		mantissa = sign(trim(mantissa))
		if mantissa == "1" {
			return tenTo(n)
		}
		return mantissa + times + tenTo(n)
	}
	return pretty(plain)
}

// Rough writes a measured value whose error is not known: with at most two significant
// digits, since nobody knows whether more are certain.
func Rough(x float64) string {
	if !finite(x) {
		return None
	}
	two, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 1, 64), 64)
	if err != nil { // beyond the largest number when rounded up
		two = x
	}
	return Short(two)
}

// Significant writes a number without a sampling error, or with an unknown error, with n significant
// digits, including zeros at its end.
func Significant(x float64, n int) string {
	if !finite(x) {
		return None
	}
	exponent := 0
	if x != 0 {
		_, exponent = leading(math.Abs(x), n)
	}
	text, power := inUnits(exponent-n+1, x)
	return withPower(text[0], power)
}

// Unsure marks a value whose error is not known.
const Unsure = "†"

// NoneSeen writes the proportion of an event that was not seen: below the upper end
// of its interval. It is empty for any other value.
func NoneSeen(value, se, hi float64) string {
	if value != 0 || se > 0 || !(hi > 0) || !finite(hi) {
		return ""
	}
	return "< " + Rough(hi)
}

// Count writes an integer in groups of three digits.
func Count(n int64) string { return pretty(strconv.FormatInt(n, 10)) }

// fractions are the denominators under which exponents are read as fractions;
// the first that fits is in lowest terms.
var fractions = []int{1, 2, 3, 4, 6, 8}

// Fraction writes an exponent as people say it: 1/2, 2/3, 1; or as a short
// decimal if no small denominator fits.
func Fraction(p float64) string {
	for _, d := range fractions {
		n := math.Round(p * float64(d))
		// Six ulps of a number near one: a third is typed with at least 15 digits.
		if math.Abs(p*float64(d)-n) > 1e-14 || math.Abs(n) > 99 {
			continue
		}
		text := strconv.Itoa(int(n))
		if d > 1 {
			text += "/" + strconv.Itoa(d)
		}
		return sign(text)
	}
	return Short(p)
}

// Percent writes a share of one as a percentage.
func Percent(x float64) string {
	if !finite(x) {
		return None
	}
	// Six digits hide what the multiplication adds to the last bit.
	return Short(x*100) + "\u202f%"
}

// fixed writes x with its last digit at 10^place. A result of zero has no sign.
func fixed(x float64, place int) string {
	if place > 0 {
		unit := math.Pow10(place)
		x = math.RoundToEven(x/unit) * unit
	}
	text := strconv.FormatFloat(x, 'f', max(0, -place), 64)
	if strings.Trim(text, "-0.") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	return pretty(text)
}

// trim drops the zeros that end a decimal fraction.
func trim(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// pretty sets the minus sign and groups the integer digits by three, from
// five digits on: 4096, but 16 384.
func pretty(text string) string {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if len(whole) > 4 {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + Group + whole[i:]
		}
	}
	if point {
		whole += "." + fraction
	}
	if strings.HasPrefix(text, "-") {
		return minus + whole
	}
	return whole
}

// sign writes a minus as typographers do.
func sign(text string) string {
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		return minus + rest
	}
	return text
}

var superscripts = strings.NewReplacer("-", "⁻",
	"0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
	"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

func tenTo(power int) string { return "10" + superscripts.Replace(strconv.Itoa(power)) }

// Places writes a number without a sampling error with that number of decimals, whatever its
// size, so that the numbers of a column are aligned.
func Places(x float64, places int) string {
	if !finite(x) {
		return None
	}
	return fixed(x, -places)
}

// Decimals writes a number without a sampling error with that number of decimals, and one
// below a tenth with two significant digits.
func Decimals(x float64, places int) string {
	if math.Abs(x) < 0.1 {
		return Rough(x)
	}
	return Places(x, places)
}
