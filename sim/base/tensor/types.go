package tensor

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// widths are the bits of a number of each type that safetensors knows
// (huggingface/safetensors, safetensors/src/tensor.rs, enum Dtype).
var widths = map[string]uint64{
	"BOOL": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8,
	"I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32, "C64": 64, "F64": 64, "I64": 64, "U64": 64,
}

// decode turns bytes, of which the lowest of a number stands first, into numbers.
func decode[T float32 | float64](kind string, to []T, from []byte) error {
	little := binary.LittleEndian
	switch kind {
	case "F64":
		for i := range to {
			to[i] = T(math.Float64frombits(little.Uint64(from[8*i:])))
		}
	case "F32":
		for i := range to {
			to[i] = T(math.Float32frombits(little.Uint32(from[4*i:])))
		}
	case "F16":
		table := halves()
		for i := range to {
			to[i] = T(table[little.Uint16(from[2*i:])])
		}
	case "BF16":
		for i := range to {
			to[i] = T(math.Float32frombits(uint32(little.Uint16(from[2*i:])) << 16))
		}
	default:
		return decodeWhole(kind, to, from)
	}
	return nil
}

// IsWhole reports whether an array holds integers or truth values.
func (a *Array) IsWhole() bool { return a.Type == "BOOL" || a.Type[0] == 'I' || a.Type[0] == 'U' }

// decodeWhole does so for integers and truth values.
func decodeWhole[T float32 | float64](kind string, to []T, from []byte) error {
	little := binary.LittleEndian
	of := map[string]func(i int) T{
		"BOOL": func(i int) T { return T(min(from[i], 1)) },
		"I8":   func(i int) T { return T(int8(from[i])) },
		"U8":   func(i int) T { return T(from[i]) },
		"I16":  func(i int) T { return T(int16(little.Uint16(from[2*i:]))) },
		"U16":  func(i int) T { return T(little.Uint16(from[2*i:])) },
		"I32":  func(i int) T { return T(int32(little.Uint32(from[4*i:]))) },
		"U32":  func(i int) T { return T(little.Uint32(from[4*i:])) },
		"I64":  func(i int) T { return T(int64(little.Uint64(from[8*i:]))) },
		"U64":  func(i int) T { return T(little.Uint64(from[8*i:])) },
	}[kind]
	if of == nil {
		return fmt.Errorf("has the type %s, which is not read: save it as BF16, F16, F32 or F64", kind)
	}
	for i := range to {
		to[i] = of(i)
	}
	return nil
}

// halves are the values of all numbers of 16 bits of IEEE 754.
var halves = sync.OnceValue(func() *[1 << 16]float32 {
	var all [1 << 16]float32
	for i := range all {
		all[i] = half(uint16(i))
	}
	return &all
})

// half is the value of such a number: that of 32 bits with the same parts, whose
// exponents begin 112 lower, and end at 255 in place of 31.
func half(b uint16) float32 {
	parts := uint32(b&0x7fff) << 13
	x := math.Float32frombits(parts) * 0x1p112
	if b&0x7c00 == 0x7c00 { // infinite, or no number
		x = math.Float32frombits(parts | 0x7f800000)
	}
	if b>>15 == 1 {
		x = -x
	}
	return x
}

// mostAxes is how many an array may have: NumPy's own bound.
const mostAxes = 64

// sizeOf is the bytes that a shape takes.
func sizeOf(shape []int, width uint64) (bytes int64, err error) {
	if len(shape) > mostAxes {
		return 0, fmt.Errorf("has %d axes; at most %d are read", len(shape), mostAxes)
	}
	all := width
	if slices.Contains(shape, 0) {
		return 0, nil
	}
	for _, n := range shape {
		high, low := bits.Mul64(all, uint64(n))
		if all = low; high > 0 || all > math.MaxInt64 {
			return 0, errors.New("has a shape of more than 2^63 bits")
		}
	}
	if all%8 != 0 {
		return 0, errors.New("does not end with a whole byte")
	}
	return int64(all / 8), nil
}
