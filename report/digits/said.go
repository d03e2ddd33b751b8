package digits

import "math"

// Running text says numbers as a person would, and the tables have their digits: three
// significant ones at most. A digit is said only where twice the standard error, which
// holds the truth 19 times in 20, is no more than half a unit of it, so that the number
// as it is said is less than a unit of its last digit off.
const mostSaid, leastSaid = 3, 2

// Said writes a value as running text says it: with three significant digits, or with
// two, as its standard error and the width of the bin that it was read from allow; else
// with its error.
func Said(value, se, resolution float64) string {
	if _, ok := withoutError(value, se); ok && se != 0 {
		return Rough(value)
	}
	if text, ok := certain(value, 2*se+max(0, resolution)); ok {
		return text
	}
	return PlusMinus(value, se) + InBins(resolution)
}

// SaidBounded writes a value that has an interval and no standard error as running text
// says it, or with its interval.
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

// certain writes a value with the digits that a doubt about it leaves certain, where these
// are enough. A digit before the decimal point is rounded away only behind three others:
// nobody says 510 of a number near 512. A value without a doubt ends without zeros.
func certain(value, doubt float64) (string, bool) {
	if !finite(value) || !finite(doubt) {
		return "", false
	}
	exponent := 0
	if value != 0 {
		_, exponent = leading(math.Abs(value), mostSaid)
	}
	for kept := mostSaid; kept >= leastSaid; kept-- {
		place := exponent - kept + 1
		if kept < mostSaid && place > 0 {
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
