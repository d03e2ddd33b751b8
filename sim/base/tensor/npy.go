package tensor

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// magic begins every .npy file (NumPy's documentation, numpy.lib.format); the version of
// the format and the length of the header follow.
const magic = "\x93NUMPY"

// maxNumPyHeader is how long a header may be: NumPy itself refuses to read a longer one.
const maxNumPyHeader = 10_000

// numpyAt returns the array of a .npy file of a size.
func numpyAt(file io.ReaderAt, size int64) (*Array, error) {
	a, data, bytes, err := numpyHeader(io.NewSectionReader(file, 0, size))
	if err != nil {
		return nil, err
	}
	if err := a.fits(size-data, bytes); err != nil {
		return nil, err
	}
	a.open = func() (io.ReaderAt, error) { return io.NewSectionReader(file, data, bytes), nil }
	return a, nil
}

// fits compares the bytes after a header with those that it declares.
func (a *Array) fits(there, declared int64) error {
	switch {
	case there < declared:
		return fmt.Errorf("ends after %d of the %d bytes that %s of type %s take", there, declared, a.Dimensions(),
			a.Type)
	case there > declared:
		return fmt.Errorf("goes on after the %d bytes that %s of type %s take", declared, a.Dimensions(), a.Type)
	}
	return nil
}

// The header is a literal of Python's dict, in the form in which NumPy writes it; others
// may put its keys in another order.
var (
	dictForm    = regexp.MustCompile(`^\{(.*?),?\s*\}\s*$`)
	descrForm   = regexp.MustCompile(`'descr':\s*'([^']*)'`)
	fortranForm = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	shapeForm   = regexp.MustCompile(`'shape':\s*\(([0-9, ]*)\)`)
)

// numpyHeader reads up to the first number. It returns the array, the bytes of the header and those of
// the numbers.
func numpyHeader(in io.Reader) (a *Array, taken, bytes int64, err error) {
	var start [8]byte
	if _, err := io.ReadFull(in, start[:]); err != nil || string(start[:6]) != magic {
		return nil, 0, 0, errors.New("is not a .npy file")
	}
	if start[6] < 1 || start[6] > 3 {
		return nil, 0, 0, fmt.Errorf("has the version %d of the format; versions 1 to 3 are read", start[6])
	}
	var b [4]byte
	size := 2
	if start[6] > 1 {
		size = 4
	}
	_, err = io.ReadFull(in, b[:size])
	length := binary.LittleEndian.Uint32(b[:])
	if err != nil || length > maxNumPyHeader {
		return nil, 0, 0, fmt.Errorf("has no header of at most %d bytes", maxNumPyHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, 0, 0, errors.New("ends within its header")
	}
	a, bytes, err = parseHeader(string(text))
	return a, int64(len(start) + size + len(text)), bytes, err
}

// parseHeader reads the literal.
func parseHeader(text string) (a *Array, bytes int64, err error) {
	descr, fortran := descrForm.FindStringSubmatch(text), fortranForm.FindStringSubmatch(text)
	shape := shapeForm.FindStringSubmatch(text)
	if !dictForm.MatchString(text) || descr == nil || fortran == nil || shape == nil {
		return nil, 0, errors.New("has a header that is not one of plain numbers: it needs descr, fortran_order " +
			"and shape")
	}
	a = &Array{fortran: fortran[1] == "True"}
	if err := a.numpyType(descr[1]); err != nil {
		return nil, 0, err
	}
	for part := range strings.SplitSeq(shape[1], ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || len(a.Shape) > maxAxes {
			return nil, 0, fmt.Errorf("has the shape (%s)", shape[1])
		}
		a.Shape = append(a.Shape, n)
	}
	bytes, err = byteSize(a.Shape, widths[a.Type])
	return a, bytes, err
}

// numpyType reads NumPy's name of a type: the order of bytes, the kind and the size.
func (a *Array) numpyType(text string) error {
	kinds := map[string]string{"f2": "F16", "f4": "F32", "f8": "F64", "i1": "I8", "i2": "I16", "i4": "I32", "i8": "I64",
		"u1": "U8", "u2": "U16", "u4": "U32", "u8": "U64", "b1": "BOOL"}
	if len(text) != 3 || !strings.ContainsRune("<>|=", rune(text[0])) || kinds[text[1:]] == "" {
		return fmt.Errorf("has the type %q; read are real numbers of 2, 4 or 8 bytes (f2, f4, f8)", text)
	}
	a.Type, a.big = kinds[text[1:]], text[0] == '>'
	return nil
}
