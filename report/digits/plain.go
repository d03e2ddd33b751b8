package digits

import (
	"math"
	"strconv"
	"strings"
)

// Short writes a number that has no error (an exact value, a band, a setting) with at most six
// significant digits and without trailing zeros.
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
	_, exponent := leadingDigits(math.Abs(x), 6)
	decimals := max(0, 5-exponent)
	if x == math.Trunc(x) {
		decimals = 0
	}
	plain := trimZeros(strconv.FormatFloat(x, 'f', decimals, 64))
	_, fraction, _ := strings.Cut(plain, ".")
	isSmall := exponent < -2 && len(fraction) > maxDecimals
	isLarge := exponent >= maxIntegers
	if isSmall || isLarge {
		mantissa, power, _ := strings.Cut(strconv.FormatFloat(x, 'e', 5, 64), "e")
		n, _ := strconv.Atoi(power)
		mantissa = setMinus(trimZeros(mantissa))
		if mantissa == "1" {
			return powerOfTen(n)
		}
		return mantissa + times + powerOfTen(n)
	}
	return groupDigits(plain)
}

// TwoDigits writes a measured value whose error is not known. It writes at most two significant
// digits, since it is not known whether more are certain.
func TwoDigits(x float64) string {
	if !isFinite(x) {
		return None
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 1, 64), 64)
	if err != nil { // x is so large that its rounded value overflows
		rounded = x
	}
	return Short(rounded)
}

// Significant writes a number with n significant digits, including trailing zeros. It is for
// numbers without a sampling error, or with an unknown one.
func Significant(x float64, n int) string {
	if !isFinite(x) {
		return None
	}
	exponent := 0
	if x != 0 {
		_, exponent = leadingDigits(math.Abs(x), n)
	}
	texts, power := formatInUnits(exponent-n+1, x)
	return appendPower(texts[0], power)
}

// UnknownErrorMark follows a value whose error is not known.
const UnknownErrorMark = "†"

// ZeroCountLimit writes the estimated proportion of an event that was never seen as "< hi", where
// hi is the upper end of its interval. It returns "" for any other estimate.
func ZeroCountLimit(value, se, hi float64) string {
	isZero := value == 0 && !(se > 0) // se may be NaN
	if !isZero || !(hi > 0) || !isFinite(hi) {
		return ""
	}
	return "< " + TwoDigits(hi)
}

// Count writes an integer. If it has five or more digits, they are in groups of three.
func Count(n int64) string { return groupDigits(strconv.FormatInt(n, 10)) }

// denominators are the denominators that Fraction tries, in increasing order, so that the first
// that fits gives the fraction in lowest terms.
var denominators = []int{1, 2, 3, 4, 6, 8}

// Fraction writes an exponent as a fraction, such as 1/2, 2/3 or 1. If none of the denominators
// fits, it writes the same as Short.
func Fraction(p float64) string {
	for _, d := range denominators {
		n := math.Round(p * float64(d))
		const maxNumerator = 99
		const tolerance = 1e-14 // accepts a third that was typed with 15 digits
		if math.Abs(p*float64(d)-n) > tolerance || math.Abs(n) > maxNumerator {
			continue
		}
		text := strconv.Itoa(int(n))
		if d > 1 {
			text += "/" + strconv.Itoa(d)
		}
		return setMinus(text)
	}
	return Short(p)
}

// Percent writes a proportion as a percentage, such as 95 %.
func Percent(x float64) string {
	if !isFinite(x) {
		return None
	}
	// Short writes only six digits, which hides the rounding error of the multiplication.
	return Short(x*100) + "\u202f%"
}

// formatFixed writes x rounded to a multiple of 10^place, with the decimals that this needs. It
// writes a zero without a sign.
func formatFixed(x float64, place int) string {
	if place > 0 {
		unit := math.Pow10(place)
		x = math.RoundToEven(x/unit) * unit
	}
	text := strconv.FormatFloat(x, 'f', max(0, -place), 64)
	if strings.Trim(text, "-0.") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	return groupDigits(text)
}

// trimZeros removes the trailing zeros of a decimal fraction.
func trimZeros(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// groupDigits replaces a leading hyphen by a minus sign. It separates groups of three digits before
// the decimal point if there are five or more such digits: 4096, but 16 384.
func groupDigits(text string) string {
	integer, fraction, hasPoint := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if len(integer) > 4 {
		for i := len(integer) - 3; i > 0; i -= 3 {
			integer = integer[:i] + GroupSeparator + integer[i:]
		}
	}
	if hasPoint {
		integer += "." + fraction
	}
	if strings.HasPrefix(text, "-") {
		return minus + integer
	}
	return integer
}

// setMinus replaces a leading hyphen by the minus sign.
func setMinus(text string) string {
	if rest, isNegative := strings.CutPrefix(text, "-"); isNegative {
		return minus + rest
	}
	return text
}

var superscripts = strings.NewReplacer("-", "⁻",
	"0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
	"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

func powerOfTen(power int) string { return "10" + superscripts.Replace(strconv.Itoa(power)) }

// FixedDecimals writes a number with the given number of decimals, whatever its size, so that the
// numbers of a column are aligned. It is for numbers without a sampling error.
func FixedDecimals(x float64, decimals int) string {
	if !isFinite(x) {
		return None
	}
	return formatFixed(x, -decimals)
}

// Decimals writes a number with the given number of decimals, or with two significant digits if its
// absolute value is below a tenth. It is for numbers without a sampling error.
func Decimals(x float64, decimals int) string {
	if math.Abs(x) < 0.1 {
		return TwoDigits(x)
	}
	return FixedDecimals(x, decimals)
}
