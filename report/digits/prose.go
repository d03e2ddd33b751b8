package digits

import "math"

// Numbers in running text have two or three significant digits, while tables have all digits that
// the errors support. A digit is written only if twice the standard error is at most half a unit of
// the digit. Then, 19 times in 20, the written number differs from the true number by less than one
// unit of its last digit.
const maxProseDigits, minProseDigits = 3, 2

// Prose writes a value for running text. It writes only two or three significant digits if these
// are certain, given the standard error and resolution, which is the width of the bin of a quantile
// and 0 for other values. Otherwise, it writes the value with its error.
func Prose(value, se, resolution float64) string {
	if _, ok := formatWithoutError(value, se); ok && se != 0 { // the value is absent, or its error unknown
		return TwoDigits(value)
	}
	if text, ok := formatCertainDigits(value, 2*se+max(0, resolution)); ok {
		return text
	}
	return PlusMinus(value, se) + BinWidthSuffix(resolution)
}

// ProseIntervalEstimate writes, for running text, a value that has an interval and no standard
// error. It writes only two or three significant digits if the interval leaves these certain.
// Otherwise, it writes the same as IntervalEstimate.
func ProseIntervalEstimate(value, lo, hi, resolution float64) string {
	if math.IsNaN(hi) {
		return "at least " + TwoDigits(value)
	}
	if ZeroCountLimit(value, 0, hi) == "" && value != 1 {
		if text, ok := formatCertainDigits(value, max(hi-value, value-lo)+max(0, resolution)); ok {
			return text
		}
	}
	return IntervalEstimate(value, lo, hi, resolution)
}

// formatCertainDigits writes a value with the digits that are certain if its error is at most
// maxError, but with at most maxProseDigits. ok is false if fewer than minProseDigits are certain.
//
// Digits before the decimal point are rounded only if maxProseDigits others remain: 65 573 becomes
// 65 600, but 512 does not become 510. If maxError is 0, the text has no trailing zeros.
func formatCertainDigits(value, maxError float64) (text string, ok bool) {
	if !isFinite(value) || !isFinite(maxError) {
		return "", false
	}
	exponent := 0
	if value != 0 {
		_, exponent = leadingDigits(math.Abs(value), maxProseDigits)
	}
	for digitCount := maxProseDigits; digitCount >= minProseDigits; digitCount-- {
		place := exponent - digitCount + 1
		if digitCount < maxProseDigits && place > 0 {
			break
		}
		if maxError > math.Pow10(place)/2 {
			continue
		}
		texts, power := formatInUnits(place, value)
		if maxError == 0 {
			texts[0] = trimZeros(texts[0])
		}
		return appendPower(texts[0], power), true
	}
	return "", false
}
