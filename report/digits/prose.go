package digits

import "math"

// Running text has numbers of three or two significant digits; tables have all digits that the
// errors support. A digit is written only if twice the standard error is at most half a unit of it.
// So, 19 times in 20, the written number differs from the true one by less than a unit of its last
// digit.
const maxProseDigits, minProseDigits = 3, 2

// Prose writes a value for running text. It has three or two significant digits if its standard
// error and the width of its bin, resolution, allow it; otherwise its error follows.
func Prose(value, se, resolution float64) string {
	if _, ok := formatWithoutError(value, se); ok && se != 0 {
		return TwoDigits(value)
	}
	if text, ok := formatCertainDigits(value, 2*se+max(0, resolution)); ok {
		return text
	}
	return PlusMinus(value, se) + BinWidthSuffix(resolution)
}

// ProseIntervalEstimate writes a value that has an interval and no standard error for running
// text. It has three or two significant digits if the interval allows it; otherwise the interval
// follows.
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
// maxError; ok is false if these are too few. A digit before the decimal point is rounded only if
// it follows three others: nobody writes 510 for a number near 512. A value with a maxError of 0
// has no trailing zeros.
func formatCertainDigits(value, maxError float64) (text string, ok bool) {
	if !finite(value) || !finite(maxError) {
		return "", false
	}
	exponent := 0
	if value != 0 {
		_, exponent = leadingDigits(math.Abs(value), maxProseDigits)
	}
	for kept := maxProseDigits; kept >= minProseDigits; kept-- {
		place := exponent - kept + 1
		if kept < maxProseDigits && place > 0 {
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
