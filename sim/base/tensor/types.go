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
	"I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32,
	"C64": 64, "F64": 64, "I64": 64, "U64": 64,
}

// IsWhole reports whether an array holds integers or truth values, which are not read.
func (a *Array) IsWhole() bool { return a.Type == "BOOL" || a.Type[0] == 'I' || a.Type[0] == 'U' }

// decode converts numbers of a type, little endian.
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
		return fmt.Errorf("has the type %s, which is not read: save it as BF16, F16, F32 or F64", kind)
	}
	return nil
}

// halves are the numbers of all 16 bits of IEEE 754: a table is twice as fast as half.
var halves = sync.OnceValue(func() *[1 << 16]float32 {
	var all [1 << 16]float32
	for i := range all {
		all[i] = half(uint16(i))
	}
	return &all
})

// half returns the number of 16 bits of IEEE 754: that of 32 bits with the same parts, whose
// exponents begin 112 lower, and end at 255 in place of 31.
func half(b uint16) float32 {
	parts := uint32(b&0x7fff) << 13
	x := math.Float32frombits(parts) * 0x1p112
	if b&0x7c00 == 0x7c00 { // infinite or NaN
		x = math.Float32frombits(parts | 0x7f800000)
	}
	if b>>15 == 1 {
		x = -x
	}
	return x
}

// maxAxes is how many axes an array may have: NumPy's own bound.
const maxAxes = 64

// byteSize returns the bytes that a shape takes.
func byteSize(shape []int, width uint64) (bytes int64, err error) {
	if len(shape) > maxAxes {
		return 0, fmt.Errorf("has %d axes; at most %d are read", len(shape), maxAxes)
	}
	if slices.Contains(shape, 0) {
		return 0, nil
	}
	all := width
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
