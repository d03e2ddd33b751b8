// Package digits writes numbers with the digits that their errors support.
// Rounding and ± live here and nowhere else.
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
	// None replaces an absent number.
	None = "–"

	// Group separates the digits of a large number: a narrow no-break space.
	Group = "\u202f"

	minus = "−"
	times = "·"
)

// Numbers below 0.01 with more decimals than these, and numbers with more
// integer digits than these, are written with a power of ten.
const (
	maxDecimals = 5
	maxIntegers = 9
)

// PlusMinus writes value ± se. If the error is absent, the value has two digits, and
// the caller says that the error is not known. If the error is exactly 0, it is not
// written.
func PlusMinus(value, se float64) string {
	return withError(value, se, func(x []string) string { return x[0] + " ± " + x[1] })
}

// Alone writes a value to the digits that its error supports, without the error.
func Alone(value, se float64) string {
	return withError(value, se, func(x []string) string { return x[0] })
}

// Concise writes value(se), the error in units of the value's last digits:
// 64.03(5) is 64.03 ± 0.05. It is the form for tables of many columns.
func Concise(value, se float64) string {
	return withError(value, se, func(x []string) string {
		if strings.Contains(x[1], ".") {
			x[1] = strings.TrimLeft(strings.Replace(x[1], ".", "", 1), "0")
		}
		return x[0] + "(" + x[1] + ")"
	})
}

// withError writes a measured value with its error in a form, if it has one.
func withError(value, se float64, form func(x []string) string) string {
	if text, ok := withoutError(value, se); ok {
		return text
	}
	x, power := inUnits(lastPlace(se), value, se)
	return withPower(form(x), power)
}

// withoutError writes a measured value that is absent, or whose error is absent or
// exactly 0. ok is false for any other.
func withoutError(value, se float64) (text string, ok bool) {
	switch {
	case !finite(value):
		return None, true
	case !finite(se) || se < 0:
		return Rough(value), true
	case se == 0:
		return Short(value), true
	}
	return "", false
}

// Interval writes the interval from lo to hi in brackets. Its ends carry the
// digits that half its width supports.
func Interval(lo, hi float64) string { return IntervalOf(lo, hi, (hi-lo)/2) }

// IntervalOf writes the interval of an estimate with the digits that its
// standard error supports, as its value has, or else half its width.
func IntervalOf(lo, hi, se float64) string {
	if math.IsNaN(lo) && math.IsNaN(hi) {
		return None
	}
	if !finite(se) {
		se = (hi - lo) / 2
	}
	if !finite(se) || hi <= lo || se <= 0 {
		return "[" + end(lo, "−∞") + ", " + end(hi, "∞") + "]"
	}
	x, power := inUnits(lastPlace(se), lo, hi)
	return withPower("["+x[0]+", "+x[1]+"]", power)
}

// Within writes a value and then its interval, all with the digits that
// half the interval's width supports, and in one unit: 95.1 [94.8, 95.4].
func Within(value, lo, hi float64) string {
	half := (hi - lo) / 2
	if !finite(value) || !finite(half) || half <= 0 {
		return Short(value)
	}
	x, power := inUnits(lastPlace(half), value, lo, hi)
	if value != 0 && strings.Trim(x[0], "0."+minus) == "" { // it is far below its limit
		return Rough(value) + " [" + Rough(lo) + ", " + Rough(hi) + "]"
	}
	return withPower(x[0]+" ["+x[1]+", "+x[2]+"]", power)
}

// Bounded writes a value that has an interval and no standard error: a lower bound, whose interval is
// open above (hi is NaN), a share of few events, or a quantile on an atom, whose bin has the width
// resolution (0 for none). On an atom, with an interval of no more than its bins, it is the atom's
// value; if the bin is wider than a tenth of the interval, its width follows.
func Bounded(value, lo, hi, resolution float64) string {
	switch text := NoneSeen(value, 0, hi); {
	case math.IsNaN(hi):
		return "≥ " + Rough(value) + " [" + Rough(lo) + ", ∞)"
	case text != "":
		return text
	case value == 1 && hi == 1 && lo < 1:
		return "> " + fixed(lo, lastPlace(1-lo))
	case hi-lo <= 4*resolution && resolution < 1e-7:
		return Short(value)
	case resolution > (hi-lo)/10:
		return Within(value, lo, hi) + InBins(resolution)
	}
	return Within(value, lo, hi)
}

// InBins returns the width of the bin of a quantile, to follow the quantile. It is empty for a width
// of 0.
func InBins(resolution float64) string {
	if !(resolution > 0) || !finite(resolution) {
		return ""
	}
	return ", in bins of " + Rough(resolution)
}

// Beside writes an exact value that is compared with a measured one with the error se. It has one
// digit more than the measured one; further digits could not matter.
func Beside(value, se float64) string {
	if !finite(value) || !finite(se) || se <= 0 {
		return Short(value)
	}
	return trim(fixed(value, lastPlace(se)-1))
}

// Band writes the ends of a band that is compared with an interval of the given half-width. They have
// one digit more than the interval; further digits could not matter. An absent end is open.
func Band(lo, hi, half float64) string {
	if !finite(half) || half <= 0 {
		return "[" + end(lo, "−∞") + ", " + end(hi, "∞") + "]"
	}
	place := lastPlace(half) - 1
	ends := [2]string{"−∞", "∞"}
	power := 0
	if finite(lo) && finite(hi) {
		power = commonPower(math.Max(math.Abs(lo), math.Abs(hi)), place)
	}
	for i, x := range [2]float64{lo, hi} {
		if finite(x) {
			ends[i] = trim(fixed(x*math.Pow10(-power), place-power))
		}
	}
	return withPower("["+ends[0]+", "+ends[1]+"]", power)
}

// end writes the end of an interval.
func end(x float64, infinite string) string {
	if !finite(x) {
		return infinite
	}
	return Short(x)
}

// withPower writes a power of ten after numbers in units of it.
func withPower(text string, power int) string {
	switch {
	case power == 0:
		return text
	case strings.Contains(text, " ") && text[0] != '[':
		text = "(" + text + ")"
	}
	return text + times + tenTo(power)
}

// inUnits writes numbers to one decimal place, all in units of one power of ten.
func inUnits(place int, xs ...float64) (texts []string, power int) {
	largest := 0.0
	for _, x := range xs {
		largest = max(largest, math.Abs(x))
	}
	power = commonPower(largest, place)
	for _, x := range xs {
		texts = append(texts, fixed(x*math.Pow10(-power), place-power))
	}
	return texts, power
}

// lastPlace returns the power of ten of the last digit that the error keeps.
func lastPlace(se float64) int {
	lead, exponent := leading(se, 3)
	if lead < 355 {
		return exponent - 1
	}
	return exponent // 950..999 become 1000, whose second digit is here
}

// leading returns the first n significant digits of x > 0 as an integer and
// the decimal exponent of the first of them.
func leading(x float64, n int) (digits, exponent int) {
	text := strconv.FormatFloat(x, 'e', n-1, 64)
	mantissa, power, _ := strings.Cut(text, "e")
	digits, _ = strconv.Atoi(strings.Replace(mantissa, ".", "", 1))
	exponent, _ = strconv.Atoi(power)
	return digits, exponent
}

// commonPower returns the power of ten to take out of a number of size at
// most largest whose last digit stands at 10^place, or 0 to write it plainly.
func commonPower(largest float64, place int) int {
	if largest == 0 {
		return 0
	}
	_, exponent := leading(largest, 3)
	if exponent < -2 && -place > maxDecimals || exponent >= maxIntegers {
		return exponent
	}
	return 0
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
