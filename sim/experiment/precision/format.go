package precision

import (
	"math"

	"mcsim/sim/names"
)

// Format is a binary floating-point format with subnormal numbers and a rule for overflow.
type Format struct {
	Name        string
	Digits      int     // binary digits of the significand, including the leading digit, which is not stored
	MinExponent int     // exponent of the smallest normal number
	Max         float64 // the largest number

	overflow      overflowRule
	overflowLimit float64 // the smallest number that overflows
	minStored     uint64  // MinExponent as stored in a float64, which adds a bias
	shift         uint64  // what Round adds to the stored exponent of a float64
}

// overflowRule defines the result of rounding a number that overflows.
type overflowRule int

const (
	overflowsToInfinity overflowRule = iota
	overflowsToNaN
	overflowsToMax // the largest number
)

// Formats lists the known formats. IEEE 754-2019 defines float32 and float16. A bfloat16 number is
// the upper half of a float32 number. The Open Compute Project's OCP 8-bit Floating Point
// Specification (OFP8), revision 1.0 of 2023, defines e4m3fn and e5m2. It allows a conversion to
// e4m3fn to saturate or to give NaN, since this format does not have an infinity.
var Formats = []*Format{
	newFormat(names.FormatFloat32, 24, -126, 0xffffffp104, false, overflowsToInfinity),
	newFormat(names.FormatBFloat16, 8, -126, 0xffp120, false, overflowsToInfinity),
	newFormat(names.FormatFloat16, 11, -14, 65504, false, overflowsToInfinity),
	newFormat(names.FormatE4M3Saturating, 4, -6, 448, true, overflowsToMax),
	newFormat("e4m3fn-nan", 4, -6, 448, true, overflowsToNaN),
	newFormat(names.FormatE5M2, 3, -14, 57344, false, overflowsToInfinity),
}

// E2M1 is the element of OCP MX formats with four bits. Int8 has the whole numbers from −127 to 127,
// which are all below its smallest normal number. Both are stored with scales (package floor).
var (
	E2M1 = newFormat("e2m1", 2, 0, 6, false, overflowsToMax)
	Int8 = newFormat("int8", 8, 7, 127, false, overflowsToMax)
)

// newFormat returns a format. A number overflows if it is above the midpoint between the largest
// number and the next number that the format would have without a limit. The midpoint itself
// overflows unless maxIsEven, which means that the last digit of the largest number is even.
func newFormat(name string, digits, minExponent int, maxNumber float64, maxIsEven bool, rule overflowRule) *Format {
	f := &Format{Name: name, Digits: digits, MinExponent: minExponent, Max: maxNumber, overflow: rule}
	_, exponent := math.Frexp(maxNumber)
	f.overflowLimit = maxNumber + math.Ldexp(0.5, exponent-digits)
	if maxIsEven {
		f.overflowLimit = math.Nextafter(f.overflowLimit, math.Inf(1))
	}
	const bias = 1023 // of the exponent of a float64
	f.minStored = uint64(minExponent + bias)
	f.shift = uint64(float64Digits - (digits - 1))
	return f
}

// float64Digits is the number of stored digits of the significand of a float64.
const float64Digits = 52

// Lookup returns the format with the given name, or nil if it is unknown.
func Lookup(name string) *Format {
	for _, f := range Formats {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Names returns the names of the formats.
func Names() []string { return names.Map(Formats, func(f *Format) string { return f.Name }) }

// Overflows reports whether x rounds beyond the largest number, or is NaN.
func (f *Format) Overflows(x float64) bool { return !(math.Abs(x) < f.overflowLimit) }
