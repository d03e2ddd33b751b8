// Package digits writes numbers with the digits that their errors support.
// No other package rounds numbers or writes ±.
//
// An error is rounded by the rule of the Particle Data Group (Review of
// Particle Physics, introduction, "Rounding"): read its three leading digits;
// 100 to 354 keep two digits, 355 to 949 keep one, 950 to 999 become 1000 and
// keep two. The value is then rounded to the same decimal place. So an error
// never claims more than about 5 % of precision for itself, and a value never
// shows a digit that its error has already washed out.
//
// All functions return finished text: U+2212 as the minus sign, a narrow
// no-break space between groups of three digits from 10 000 on, powers of ten
// in superscript digits. They round in decimal through strconv, so the same
// number gives the same text on every machine.
package digits

import (
	"math"
	"strconv"
	"strings"
)

const (
	// None is written in place of an absent number.
	None = "–"

	// GroupSeparator separates the digits of a large number: a narrow no-break space.
	GroupSeparator = "\u202f"

	minus = "−"
	times = "·"
)

// Numbers below 0.01 with more decimals than these, and numbers with more
// integer digits than these, are written with a power of ten.
const (
	maxDecimals = 5
	maxIntegers = 9
)

// PlusMinus writes value ± se. If the error is unknown (not finite, or negative), it writes the
// value with two digits, and the caller marks it with UnknownErrorMark. An error of exactly 0 is
// not written.
func PlusMinus(value, se float64) string {
	return formatWithError(value, se, func(x []string) string { return x[0] + " ± " + x[1] })
}

// ValueOnly writes a value with the digits that its error supports, without the error.
func ValueOnly(value, se float64) string {
	return formatWithError(value, se, func(x []string) string { return x[0] })
}

// Concise writes value(se), with the error in units of the value's last digit: 64.03(5) means
// 64.03 ± 0.05. Tables of many columns use this form.
func Concise(value, se float64) string {
	return formatWithError(value, se, func(x []string) string {
		if strings.Contains(x[1], ".") {
			x[1] = strings.TrimLeft(strings.Replace(x[1], ".", "", 1), "0")
		}
		return x[0] + "(" + x[1] + ")"
	})
}

// formatWithError applies layout to the texts of the value and of its error. If the error is
// unknown or 0, only the value is written.
func formatWithError(value, se float64, layout func(x []string) string) string {
	if text, ok := formatWithoutError(value, se); ok {
		return text
	}
	x, power := formatInUnits(lastPlace(se), value, se)
	return appendPower(layout(x), power)
}

// formatWithoutError writes a measured value that is absent, or whose error is unknown or exactly
// 0. For any other value, ok is false.
func formatWithoutError(value, se float64) (text string, ok bool) {
	switch {
	case !finite(value):
		return None, true
	case !finite(se) || se < 0:
		return TwoDigits(value), true
	case se == 0:
		return Short(value), true
	}
	return "", false
}

// Interval writes the interval from lo to hi in brackets. Its ends have the digits that its
// half-width supports.
func Interval(lo, hi float64) string { return IntervalWithSE(lo, hi, (hi-lo)/2) }

// IntervalWithSE writes the interval of an estimate with as many decimals as the estimate, which
// are those that its standard error supports. If se is not finite, the half-width replaces it.
func IntervalWithSE(lo, hi, se float64) string {
	if math.IsNaN(lo) && math.IsNaN(hi) {
		return None
	}
	if !finite(se) {
		se = (hi - lo) / 2
	}
	if !finite(se) || hi <= lo || se <= 0 {
		return "[" + formatEnd(lo, "−∞") + ", " + formatEnd(hi, "∞") + "]"
	}
	x, power := formatInUnits(lastPlace(se), lo, hi)
	return appendPower("["+x[0]+", "+x[1]+"]", power)
}

// WithInterval writes a value and then its interval, all with the digits that the interval's
// half-width supports, and in one unit: 95.1 [94.8, 95.4].
func WithInterval(value, lo, hi float64) string {
	halfWidth := (hi - lo) / 2
	if !finite(value) || !finite(halfWidth) || halfWidth <= 0 {
		return Short(value)
	}
	x, power := formatInUnits(lastPlace(halfWidth), value, lo, hi)
	if value != 0 && strings.Trim(x[0], "0."+minus) == "" { // the value is far below the half-width
		return TwoDigits(value) + " [" + TwoDigits(lo) + ", " + TwoDigits(hi) + "]"
	}
	return appendPower(x[0]+" ["+x[1]+", "+x[2]+"]", power)
}

// IntervalEstimate writes a value that has an interval and no standard error: a lower bound, whose
// interval is open above (hi is NaN), a proportion of few events, or a quantile on an atom. The
// resolution is the width of the quantile's bin, and 0 for other values. If the interval is not
// wider than a few narrow bins, IntervalEstimate writes only the value, which is the atom. If the
// bin is wider than a tenth of the interval, the bin's width follows.
func IntervalEstimate(value, lo, hi, resolution float64) string {
	limit := ZeroCountLimit(value, 0, hi)
	switch {
	case math.IsNaN(hi):
		return "≥ " + TwoDigits(value) + " [" + TwoDigits(lo) + ", ∞)"
	case limit != "":
		return limit
	case value == 1 && hi == 1 && lo < 1:
		return "> " + formatFixed(lo, lastPlace(1-lo))
	case hi-lo <= 4*resolution && resolution < 1e-7:
		return Short(value)
	case resolution > (hi-lo)/10:
		return WithInterval(value, lo, hi) + BinWidthSuffix(resolution)
	}
	return WithInterval(value, lo, hi)
}

// BinWidthSuffix returns ", in bins of …" with the width of a quantile's bin, to follow the
// quantile. It returns "" if the width is not positive or not finite.
func BinWidthSuffix(resolution float64) string {
	if !(resolution > 0) || !finite(resolution) {
		return ""
	}
	return ", in bins of " + TwoDigits(resolution)
}

// Reference writes an exact value that is compared with a measured value with the error se. It has
// one digit more than the measured value; further digits could not matter.
func Reference(value, se float64) string {
	if !finite(value) || !finite(se) || se <= 0 {
		return Short(value)
	}
	return trimZeros(formatFixed(value, lastPlace(se)-1))
}

// Band writes the ends of a band that is compared with an interval of the given half-width. They
// have one digit more than the interval; further digits could not matter. An end that is not finite
// is written as ±∞.
func Band(lo, hi, halfWidth float64) string {
	if !finite(halfWidth) || halfWidth <= 0 {
		return "[" + formatEnd(lo, "−∞") + ", " + formatEnd(hi, "∞") + "]"
	}
	place := lastPlace(halfWidth) - 1
	ends := [2]string{"−∞", "∞"}
	power := 0
	if finite(lo) && finite(hi) {
		power = commonPower(math.Max(math.Abs(lo), math.Abs(hi)), place)
	}
	for i, x := range [2]float64{lo, hi} {
		if finite(x) {
			ends[i] = trimZeros(formatFixed(x*math.Pow10(-power), place-power))
		}
	}
	return appendPower("["+ends[0]+", "+ends[1]+"]", power)
}

func formatEnd(x float64, infinite string) string {
	if !finite(x) {
		return infinite
	}
	return Short(x)
}

// appendPower appends the factor 10^power to the text of one or more numbers.
func appendPower(text string, power int) string {
	switch {
	case power == 0:
		return text
	case strings.Contains(text, " ") && text[0] != '[':
		text = "(" + text + ")"
	}
	return text + times + powerOfTen(power)
}

// formatInUnits writes numbers with their last digit at 10^place, all in units of 10^power.
func formatInUnits(place int, xs ...float64) (texts []string, power int) {
	largest := 0.0
	for _, x := range xs {
		largest = max(largest, math.Abs(x))
	}
	power = commonPower(largest, place)
	for _, x := range xs {
		texts = append(texts, formatFixed(x*math.Pow10(-power), place-power))
	}
	return texts, power
}

// lastPlace returns the power of ten of the last digit that the error keeps.
func lastPlace(se float64) int {
	lead, exponent := leadingDigits(se, 3)
	if lead < 355 {
		return exponent - 1
	}
	return exponent // 950..999 become 1000, whose second digit is here
}

// leadingDigits returns the first n significant digits of x > 0 as an integer, and the decimal
// exponent of the first digit.
func leadingDigits(x float64, n int) (digits, exponent int) {
	text := strconv.FormatFloat(x, 'e', n-1, 64)
	mantissa, power, _ := strings.Cut(text, "e")
	digits, _ = strconv.Atoi(strings.Replace(mantissa, ".", "", 1))
	exponent, _ = strconv.Atoi(power)
	return digits, exponent
}

// commonPower returns the power of ten by which numbers are divided before they are written. The
// largest has the absolute value largest, and the last digit of each is at 10^place. A power of 0
// means that they are written plainly.
func commonPower(largest float64, place int) int {
	if largest == 0 {
		return 0
	}
	_, exponent := leadingDigits(largest, 3)
	if exponent < -2 && -place > maxDecimals || exponent >= maxIntegers {
		return exponent
	}
	return 0
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
