package precision

import (
	"math"

	"mcsim/sim/names"
)

// Format is a set of binary floating-point numbers with subnormal ones, and what becomes
// of a number that rounds to none of them.
type Format struct {
	Name   string
	Digits int     // of the significand, with the one that is not stored
	Least  int     // exponent of the least normal number
	Max    float64 // the greatest number

	beyond   beyond
	limit    float64 // from here on a number rounds beyond the greatest
	exponent uint64  // Least as float64 stores it
	shift    uint64  // what Round adds to a stored exponent
}

// beyond says what becomes of a number beyond the greatest.
type beyond int

const (
	infinite  beyond = iota // an infinity
	undefined               // not a number
	saturated               // the greatest number
)

// Formats are the formats that are known, from the most digits to the fewest. The first
// and the third are those of IEEE 754-2019; bfloat16 is the upper half of float32; e4m3fn
// and e5m2 are those of the Open Compute Project's OCP 8-bit Floating Point Specification
// (OFP8), revision 1.0 of 2023. That lets a conversion to e4m3fn either saturate
// or give NaN, which is the only thing that is there beyond its greatest number.
var Formats = []*Format{
	newFormat(names.FormatFloat32, 24, -126, 0xffffffp104, 0, infinite),
	newFormat(names.FormatBFloat16, 8, -126, 0xffp120, 0, infinite),
	newFormat(names.FormatFloat16, 11, -14, 65504, 0, infinite),
	newFormat(names.FormatE4M3Saturating, 4, -6, 448, 1, saturated),
	newFormat("e4m3fn-nan", 4, -6, 448, 1, undefined),
	newFormat(names.FormatE5M2, 3, -14, 57344, 0, infinite),
}

// newFormat returns a format. Halfway from its greatest number to what would be the next, a
// number rounds to the greatest if that has an even last digit, tie = 1.
func newFormat(name string, digits, minExponent int, greatest float64, tie int, b beyond) *Format {
	f := &Format{Name: name, Digits: digits, Least: minExponent, Max: greatest, beyond: b}
	_, exponent := math.Frexp(greatest)
	f.limit = greatest + math.Ldexp(0.5, exponent-digits)
	if tie == 1 {
		f.limit = math.Nextafter(f.limit, math.Inf(1))
	}
	const bias, stored = 1023, 52
	f.exponent = uint64(minExponent + bias)
	f.shift = uint64(stored - (digits - 1))
	return f
}

// Named returns the format of a name, nil if there is none.
func Named(name string) *Format {
	for _, f := range Formats {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Names returns the names of the formats.
func Names() []string { return names.Map(Formats, func(f *Format) string { return f.Name }) }

// Overflows reports whether x lies so far out that it rounds beyond the greatest number,
// or is no number at all.
func (f *Format) Overflows(x float64) bool { return !(math.Abs(x) < f.limit) }
