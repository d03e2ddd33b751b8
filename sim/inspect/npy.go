package inspect

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// MostNumbers is how many numbers an array may have: half a gigabyte of float64.
const MostNumbers = 1 << 26

// Array is numbers in C order: the last index runs fastest. Real numbers and integers of
// any size come as float64, of an integer beyond 2⁵³ the nearest; of true and false 1 and 0.
type Array struct {
	Shape []int // of one number empty
	Data  []float64
	Type  string // as the file has it, such as "<f4"
}

// Dimensions writes a shape as 3 × 4, and that of one number as "one number".
func (a Array) Dimensions() string {
	if len(a.Shape) == 0 {
		return "one number"
	}
	var parts []string
	for _, n := range a.Shape {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, " × ")
}

// magic begins every .npy file (NumPy's documentation, numpy.lib.format); the version of
// the format and the length of the header follow.
const magic = "\x93NUMPY"

// longest is how long a header may be: NumPy itself refuses to read a longer one.
const longest = 10_000

// readArray reads a .npy file to its end. Files come from anywhere, so that nothing in them is
// trusted: sizes are checked against what is there before anything is kept.
func readArray(r io.Reader) (Array, error) {
	in := bufio.NewReader(r)
	h, err := readHeader(in)
	if err != nil {
		return Array{}, err
	}
	n, err := count(h.shape)
	if err != nil {
		return Array{}, err
	}
	a := Array{Shape: h.shape, Type: h.text}
	// What is announced is not kept before it is there.
	buffer := make([]byte, min(n, 4096)*h.size)
	for len(a.Data) < n {
		part := buffer[:min(n-len(a.Data), 4096)*h.size]
		if _, err := io.ReadFull(in, part); err != nil {
			return Array{}, fmt.Errorf("ends after %d of %d numbers", len(a.Data), n)
		}
		for i := 0; i < len(part); i += h.size {
			a.Data = append(a.Data, h.number(part[i:i+h.size]))
		}
	}
	if _, err := in.ReadByte(); !errors.Is(err, io.EOF) {
		return Array{}, fmt.Errorf("goes on after its %d numbers", n)
	}
	if h.fortran {
		a.transpose()
	}
	return a, nil
}

// header is what stands before the numbers.
type header struct {
	dtype
	shape   []int
	fortran bool // the first index runs fastest
}

// The header is a literal of Python's dict, in the form in which NumPy writes it; others
// may put its keys in another order.
var (
	dictForm    = regexp.MustCompile(`^\{(.*?),?\s*\}\s*$`)
	descrForm   = regexp.MustCompile(`'descr':\s*'([^']*)'`)
	fortranForm = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	shapeForm   = regexp.MustCompile(`'shape':\s*\(([0-9, ]*)\)`)
)

// readHeader reads up to the first number.
func readHeader(in io.Reader) (h header, err error) {
	var start [8]byte
	if _, err := io.ReadFull(in, start[:]); err != nil || string(start[:6]) != magic {
		return h, errors.New("is no .npy file")
	}
	if start[6] < 1 || start[6] > 3 {
		return h, fmt.Errorf("has the version %d of the format; versions 1 to 3 are read", start[6])
	}
	var b [4]byte
	size := 2
	if start[6] > 1 {
		size = 4
	}
	_, err = io.ReadFull(in, b[:size])
	length := binary.LittleEndian.Uint32(b[:])
	if err != nil || length > longest {
		return h, fmt.Errorf("has no header of at most %d bytes", longest)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(in, text); err != nil {
		return h, errors.New("ends within its header")
	}
	return parseHeader(string(text))
}

// parseHeader reads the literal.
func parseHeader(text string) (h header, err error) {
	descr, fortran, shape := descrForm.FindStringSubmatch(text), fortranForm.FindStringSubmatch(text), shapeForm.FindStringSubmatch(text)
	if !dictForm.MatchString(text) || descr == nil || fortran == nil || shape == nil {
		return h, errors.New("has a header that is not one of plain numbers")
	}
	h.fortran = fortran[1] == "True"
	if h.dtype, err = dtypeOf(descr[1]); err != nil {
		return h, err
	}
	for part := range strings.SplitSeq(shape[1], ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil {
			return h, fmt.Errorf("has the shape (%s)", shape[1])
		}
		h.shape = append(h.shape, n)
	}
	return h, nil
}

// count is how many numbers a shape has.
func count(shape []int) (int, error) {
	n := 1
	for _, s := range shape {
		if s == 0 {
			return 0, errors.New("has no numbers")
		}
		if n > MostNumbers/s {
			return 0, fmt.Errorf("has more than %d numbers", MostNumbers)
		}
		n *= s
	}
	return n, nil
}

// transpose turns the first index running fastest into the last.
func (a *Array) transpose() {
	out := make([]float64, len(a.Data))
	index := make([]int, len(a.Shape))
	for _, x := range a.Data {
		at := 0
		for k, n := range a.Shape {
			at = at*n + index[k]
		}
		out[at] = x
		for k := range index {
			if index[k]++; index[k] < a.Shape[k] {
				break
			}
			index[k] = 0
		}
	}
	a.Data = out
}

// dtype is how a number is written.
type dtype struct {
	text   string
	size   int
	number func([]byte) float64
}

// dtypeOf reads NumPy's name of a type: the order of bytes, the kind and the size.
func dtypeOf(text string) (dtype, error) {
	unknown := fmt.Errorf("has the type %q; read are real numbers of 2, 4 or 8 bytes (f2, f4, f8), integers (i1 to i8, u1 to u8) and truth values (b1)", text)
	if len(text) != 3 || !strings.ContainsRune("<>|=", rune(text[0])) {
		return dtype{}, unknown
	}
	var order binary.ByteOrder = binary.LittleEndian
	if text[0] == '>' {
		order = binary.BigEndian
	}
	numbers := map[string]func([]byte) float64{
		"f2": func(b []byte) float64 { return half(order.Uint16(b)) },
		"f4": func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) },
		"f8": func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) },
		"i1": func(b []byte) float64 { return float64(int8(b[0])) },
		"i2": func(b []byte) float64 { return float64(int16(order.Uint16(b))) },
		"i4": func(b []byte) float64 { return float64(int32(order.Uint32(b))) },
		"i8": func(b []byte) float64 { return float64(int64(order.Uint64(b))) },
		"u1": func(b []byte) float64 { return float64(b[0]) },
		"u2": func(b []byte) float64 { return float64(order.Uint16(b)) },
		"u4": func(b []byte) float64 { return float64(order.Uint32(b)) },
		"u8": func(b []byte) float64 { return float64(order.Uint64(b)) },
		"b1": func(b []byte) float64 { return float64(min(b[0], 1)) },
	}
	number, ok := numbers[text[1:]]
	if !ok {
		return dtype{}, unknown
	}
	return dtype{text, int(text[2] - '0'), number}, nil
}

// half is the value of an IEEE 754 number of 16 bits: that of 32 bits with the same parts, whose
// exponents begin 112 lower, and end at 255 in place of 31.
func half(b uint16) float64 {
	bits := uint32(b&0x7fff) << 13
	x := float64(math.Float32frombits(bits)) * 0x1p112
	if b&0x7c00 == 0x7c00 { // infinite, or no number
		x = float64(math.Float32frombits(bits | 0x7f800000))
	}
	if b>>15 == 1 {
		x = -x
	}
	return x
}
