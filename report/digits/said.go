package digits

import "math"

// Running text has numbers with three or two significant digits; tables have all digits. A digit is
// written only if twice the standard error is at most half a unit of it. So 19 times in 20 the written
// number is less than a unit of its last digit off.
const maxSaid, minSaid = 3, 2

// Said writes a value for running text: with three significant digits, or with two, if its standard
// error and the width of its bin allow; else with its error.
func Said(value, se, resolution float64) string {
	if _, ok := withoutError(value, se); ok && se != 0 {
		return Rough(value)
	}
	if text, ok := certain(value, 2*se+max(0, resolution)); ok {
		return text
	}
	return PlusMinus(value, se) + InBins(resolution)
}

// SaidBounded writes a value that has an interval and no standard error for running text, or with its
// interval.
func SaidBounded(value, lo, hi, resolution float64) string {
	if math.IsNaN(hi) {
		return "at least " + Rough(value)
	}
	if NoneSeen(value, 0, hi) == "" && value != 1 {
		if text, ok := certain(value, max(hi-value, value-lo)+max(0, resolution)); ok {
			return text
		}
	}
	return Bounded(value, lo, hi, resolution)
}

// certain writes a value with the digits that are certain within a doubt, if these
// are enough. A digit before the decimal point is rounded only after three others:
// nobody says 510 of a number near 512. A value without a doubt ends without zeros.
func certain(value, doubt float64) (string, bool) {
	if !finite(value) || !finite(doubt) {
		return "", false
	}
	exponent := 0
	if value != 0 {
		_, exponent = leading(math.Abs(value), maxSaid)
	}
	for kept := maxSaid; kept >= minSaid; kept-- {
		place := exponent - kept + 1
		if kept < maxSaid && place > 0 {
			break
		}
		if doubt > math.Pow10(place)/2 {
			continue
		}
		text, power := inUnits(place, value)
		if doubt == 0 {
			text[0] = trim(text[0])
		}
		return withPower(text[0], power), true
	}
	return "", false
}
