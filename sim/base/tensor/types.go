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

// widths has the number of bits of a number of each type (huggingface/safetensors,
// safetensors/src/tensor.rs, enum Dtype).
var widths = map[string]uint64{
	"BOOL": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8,
	"I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32,
	"C64": 64, "F64": 64, "I64": 64, "U64": 64,
}

// IsWhole reports whether an array has integers or truth values, which Read does not support.
func (a *Array) IsWhole() bool { return a.Type == "BOOL" || a.Type[0] == 'I' || a.Type[0] == 'U' }

// decode converts len(target) little-endian numbers of a type. It fails for unsupported types.
func decode[T float32 | float64](kind string, target []T, source []byte) error {
	little := binary.LittleEndian
	switch kind {
	case "F64":
		for i := range target {
			target[i] = T(math.Float64frombits(little.Uint64(source[8*i:])))
		}
	case "F32":
		for i := range target {
			target[i] = T(math.Float32frombits(little.Uint32(source[4*i:])))
		}
	case "F16":
		table := float16Table()
		for i := range target {
			target[i] = T(table[little.Uint16(source[2*i:])])
		}
	case "BF16":
		for i := range target {
			target[i] = T(math.Float32frombits(uint32(little.Uint16(source[2*i:])) << 16))
		}
	default:
		return fmt.Errorf("has the type %s, which is not read: save it as BF16, F16, F32 or F64", kind)
	}
	return nil
}

// float16Table returns the numbers of decodeFloat16 by their bits. It is twice as fast.
var float16Table = sync.OnceValue(func() *[1 << 16]float32 {
	var table [1 << 16]float32
	for i := range table {
		table[i] = decodeFloat16(uint16(i))
	}
	return &table
})

// decodeFloat16 returns the number with the 16 bits of the IEEE 754 format binary16. It makes a
// float32 with the same exponent and fraction bits and multiplies it by 2¹¹², since the exponent of
// float32 has a bias that is 112 larger. The exponent of infinity and NaN is 31 in binary16 and 255
// in float32.
func decodeFloat16(b uint16) float32 {
	exponentAndFraction := uint32(b&0x7fff) << 13
	x := math.Float32frombits(exponentAndFraction) * 0x1p112
	if b&0x7c00 == 0x7c00 { // infinite or NaN
		x = math.Float32frombits(exponentAndFraction | 0x7f800000)
	}
	isNegative := b>>15 == 1
	if isNegative {
		x = -x
	}
	return x
}

// maxAxes is the maximum number of axes, as in NumPy.
const maxAxes = 64

// byteSize returns the number of bytes of an array with numbers of width bits.
func byteSize(shape []int, width uint64) (size int64, err error) {
	if len(shape) > maxAxes {
		return 0, fmt.Errorf("has %d axes; at most %d are read", len(shape), maxAxes)
	}
	if slices.Contains(shape, 0) {
		return 0, nil
	}
	bitCount := width
	for _, n := range shape {
		high, low := bits.Mul64(bitCount, uint64(n))
		bitCount = low
		if high > 0 || bitCount > math.MaxInt64 {
			return 0, errors.New("has a shape of more than 2^63 bits")
		}
	}
	if bitCount%8 != 0 {
		return 0, errors.New("does not end with a whole byte")
	}
	return int64(bitCount / 8), nil
}

// Scalar returns the number of an array of one floating-point number or little-endian integer.
func (f *Files) Scalar(name string) (float64, error) {
	a, err := f.Lookup(name)
	if err != nil {
		return 0, err
	}
	m, err := a.Matrix()
	switch {
	case err != nil || m.Rows*m.Columns != 1:
		return 0, fmt.Errorf("%s: array %q has the shape %v; it must be one number", a.File, name, a.Shape)
	case a.Type != "I64" && a.Type != "I32":
		number := []float64{0}
		err := Read(m, number)
		return number[0], err
	}
	file, err := a.open()
	if err != nil {
		return 0, a.wrapError(err)
	}
	bytes := make([]byte, widths[a.Type]/8)
	if _, err := file.ReadAt(bytes, 0); err != nil || a.bigEndian {
		return 0, fmt.Errorf("%s: array %q cannot be read", a.File, name)
	}
	if len(bytes) == 4 {
		return float64(int32(binary.LittleEndian.Uint32(bytes))), nil
	}
	return float64(int64(binary.LittleEndian.Uint64(bytes))), nil
}
