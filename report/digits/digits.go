// Package digits writes numbers with the digits that their errors support.
// No other package rounds numbers or writes ±.
//
// An error is rounded by the rule of the Particle Data Group (Review of Particle Physics,
// introduction, "Rounding"). The rule depends on the three leading digits of the error: 100 to 354
// keep two digits, 355 to 949 keep one digit, and 950 to 999 become 1000 and keep two digits. The
// value is then rounded to the same decimal place. So rounding changes an error by at most
// 13 %, and a value does not show digits that its error makes meaningless.
//
// All functions return finished text, with U+2212 as the minus sign, a narrow no-break space
// between groups of three digits from 10 000 on, and powers of ten in superscript digits. They
// round in decimal through strconv, so that the same number gives the same text on every machine.
package digits

import (
	"math"
	"strconv"
	"strings"
)

const (
	// None replaces an absent number.
	None = "–"

	// GroupSeparator is the narrow no-break space between groups of three digits of a large number.
	GroupSeparator = "\u202f"

	minus = "−"
	times = "·"
)

// A number is written with a power of ten if it has more than maxDecimals decimals and is below
// 0.01, or if it has more than maxIntegers digits before the decimal point.
const (
	maxDecimals = 5
	maxIntegers = 9
)

// PlusMinus writes value ± se. If the error is unknown (not finite, or negative), it writes only
// the value, with two digits; the caller adds UnknownErrorMark. If the error is exactly 0, it also
// writes only the value.
func PlusMinus(value, se float64) string {
	return formatWithError(value, se, func(valueText, errorText string) string {
		return valueText + " ± " + errorText
	})
}

// ValueOnly writes a value with the digits that its error supports, without the error.
func ValueOnly(value, se float64) string {
	return formatWithError(value, se, func(valueText, _ string) string { return valueText })
}

// Concise writes value(se), with the error in units of the value's last digit: 64.03(5) means
// 64.03 ± 0.05. Tables of many columns use this form.
func Concise(value, se float64) string {
	return formatWithError(value, se, func(valueText, errorText string) string {
		if strings.Contains(errorText, ".") {
			errorText = strings.TrimLeft(strings.Replace(errorText, ".", "", 1), "0")
		}
		return valueText + "(" + errorText + ")"
	})
}

// formatWithError rounds a value and its error, and writes them by calling join with their texts.
// It does not call join if the value is absent, or if the error is unknown or 0.
func formatWithError(value, se float64, join func(valueText, errorText string) string) string {
	if text, ok := formatWithoutError(value, se); ok {
		return text
	}
	se = max(se, math.Abs(value)*0x1p-52) // a float64 has no more digits
	texts, power := formatInUnits(lastPlace(se), value, se)
	return appendPower(join(texts[0], texts[1]), power)
}

// formatWithoutError writes a measured value that is absent, or whose error is unknown or exactly
// 0. For any other value, ok is false.
func formatWithoutError(value, se float64) (text string, ok bool) {
	switch {
	case !isFinite(value):
		return None, true
	case !isFinite(se) || se < 0:
		return TwoDigits(value), true
	case se == 0:
		return Short(value), true
	}
	return "", false
}

// Interval writes the interval from lo to hi in brackets. Its ends have the digits that its
// half-width supports.
func Interval(lo, hi float64) string { return IntervalWithSE(lo, hi, (hi-lo)/2) }

// IntervalWithSE writes the interval of an estimate with as many decimals as the estimate has,
// which its standard error determines. If se is not finite, the half-width of the interval replaces
// it.
func IntervalWithSE(lo, hi, se float64) string {
	if math.IsNaN(lo) && math.IsNaN(hi) {
		return None
	}
	if !isFinite(se) {
		se = (hi - lo) / 2
	}
	if !isFinite(se) || hi <= lo || se <= 0 {
		return "[" + formatEnd(lo, "−∞") + ", " + formatEnd(hi, "∞") + "]"
	}
	texts, power := formatInUnits(lastPlace(se), lo, hi)
	return appendPower("["+texts[0]+", "+texts[1]+"]", power)
}

// WithInterval writes a value and then its interval, such as 95.1 [94.8, 95.4]. All numbers have
// the digits that the interval's half-width supports, and the same power of ten.
func WithInterval(value, lo, hi float64) string {
	halfWidth := (hi - lo) / 2
	if !isFinite(value) || !isFinite(halfWidth) || halfWidth <= 0 {
		return Short(value)
	}
	texts, power := formatInUnits(lastPlace(halfWidth), value, lo, hi)
	isRoundedToZero := value != 0 && strings.Trim(texts[0], "0."+minus) == ""
	if isRoundedToZero {
		return TwoDigits(value) + " [" + TwoDigits(lo) + ", " + TwoDigits(hi) + "]"
	}
	return appendPower(texts[0]+" ["+texts[1]+", "+texts[2]+"]", power)
}

// IntervalEstimate writes a value that has an interval and no standard error: a lower bound, whose
// interval is open above (hi is NaN), a proportion of few events, or a quantile of a distribution
// with an atom, a value of positive probability. The resolution is the width of the bin of a
// quantile, and 0 for other values. If the interval is not wider than a few narrow bins, the value
// is an atom, and IntervalEstimate writes only the value. If the bin is wider than a tenth of the
// interval, IntervalEstimate also writes the width of the bin.
func IntervalEstimate(value, lo, hi, resolution float64) string {
	const maxAtomBins, maxAtomBinWidth = 4, 1e-7
	limit := ZeroCountLimit(value, 0, hi)
	switch {
	case math.IsNaN(hi):
		return "≥ " + TwoDigits(value) + " [" + TwoDigits(lo) + ", ∞)"
	case limit != "":
		return limit
	case value == 1 && hi == 1 && lo < 1: // a proportion of an event that never failed to occur
		return "> " + formatFixed(lo, lastPlace(1-lo))
	case hi-lo <= maxAtomBins*resolution && resolution < maxAtomBinWidth:
		return Short(value)
	case resolution > (hi-lo)/10:
		return WithInterval(value, lo, hi) + BinWidthSuffix(resolution)
	}
	return WithInterval(value, lo, hi)
}

// BinWidthSuffix returns ", in bins of …" with the width of the bins from which a quantile was
// estimated. It returns "" if the width is not positive or not finite.
func BinWidthSuffix(resolution float64) string {
	if !(resolution > 0) || !isFinite(resolution) {
		return ""
	}
	return ", in bins of " + TwoDigits(resolution)
}

// Reference writes an exact value that is compared with a measured value, whose error is se. It
// writes one digit more than the measured value has; further digits could not matter.
func Reference(value, se float64) string {
	if !isFinite(value) || !isFinite(se) || se <= 0 {
		return Short(value)
	}
	return trimZeros(formatFixed(value, lastPlace(se)-1))
}

// Band writes the ends of a band that is compared with an interval of the given half-width. It
// writes one digit more than the interval has; further digits could not matter. It writes an end
// that is not finite as −∞ or ∞.
func Band(lo, hi, halfWidth float64) string {
	if !isFinite(halfWidth) || halfWidth <= 0 {
		return "[" + formatEnd(lo, "−∞") + ", " + formatEnd(hi, "∞") + "]"
	}
	place := lastPlace(halfWidth) - 1
	ends := [2]string{"−∞", "∞"}
	power := 0
	if isFinite(lo) && isFinite(hi) {
		power = commonPower(math.Max(math.Abs(lo), math.Abs(hi)), place)
	}
	for i, x := range [2]float64{lo, hi} {
		if isFinite(x) {
			ends[i] = trimZeros(formatFixed(x*math.Pow10(-power), place-power))
		}
	}
	return appendPower("["+ends[0]+", "+ends[1]+"]", power)
}

func formatEnd(x float64, infinity string) string {
	if !isFinite(x) {
		return infinity
	}
	return Short(x)
}

// appendPower appends the factor 10^power to the text of one or more numbers. It puts the text into
// parentheses if the text has several numbers and is not in brackets.
func appendPower(text string, power int) string {
	switch {
	case power == 0:
		return text
	case strings.Contains(text, " ") && text[0] != '[':
		text = "(" + text + ")"
	}
	return text + times + powerOfTen(power)
}

// formatInUnits rounds numbers to multiples of 10^place, and writes them in units of 10^power. It
// chooses the power.
func formatInUnits(place int, xs ...float64) (texts []string, power int) {
	maxAbs := 0.0
	for _, x := range xs {
		maxAbs = max(maxAbs, math.Abs(x))
	}
	power = commonPower(maxAbs, place)
	for _, x := range xs {
		texts = append(texts, formatFixed(x*math.Pow10(-power), place-power))
	}
	return texts, power
}

// lastPlace returns the decimal exponent of the last digit that an error keeps when it is rounded
// by the rule of the package comment.
func lastPlace(se float64) int {
	leading, exponent := leadingDigits(se, 3)
	if leading < 355 {
		return exponent - 1
	}
	return exponent // also for 950 to 999, since the second digit of 1000 has this exponent
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

// commonPower returns the decimal exponent of the factor by which numbers are divided before they
// are written, or 0 if they are written without a power of ten. maxAbs is the largest absolute
// value of the numbers, which are rounded to multiples of 10^place.
func commonPower(maxAbs float64, place int) int {
	if maxAbs == 0 {
		return 0
	}
	_, exponent := leadingDigits(maxAbs, 3)
	isSmall := exponent < -2 && -place > maxDecimals
	isLarge := exponent >= maxIntegers
	if isSmall || isLarge {
		return exponent
	}
	return 0
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
