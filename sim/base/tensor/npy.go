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

// magic is the beginning of a .npy file (NumPy's documentation, numpy.lib.format). After it come
// the version of the format and the length of the header.
const magic = "\x93NUMPY"

// maxNumPyHeader is the maximum length of a header. NumPy also refuses longer ones.
const maxNumPyHeader = 10_000

// openNumPy returns the array of a .npy file.
func openNumPy(file io.ReaderAt, fileSize int64) (*Array, error) {
	a, headerSize, dataSize, err := readNumPyHeader(io.NewSectionReader(file, 0, fileSize))
	if err != nil {
		return nil, err
	}
	if err := a.checkSize(fileSize-headerSize, dataSize); err != nil {
		return nil, err
	}
	a.open = func() (io.ReaderAt, error) { return io.NewSectionReader(file, headerSize, dataSize), nil }
	return a, nil
}

// checkSize compares the number of bytes after a header with the number that the header declares.
func (a *Array) checkSize(size, declared int64) error {
	switch {
	case size < declared:
		return fmt.Errorf("ends after %d of the %d bytes that %s of type %s take", size, declared, a.Dimensions(),
			a.Type)
	case size > declared:
		return fmt.Errorf("goes on after the %d bytes that %s of type %s take", declared, a.Dimensions(), a.Type)
	}
	return nil
}

// Patterns of a header: a literal of a Python dict as NumPy writes it, with its keys in any order.
var (
	dictPattern    = regexp.MustCompile(`^\{(.*?),?\s*\}\s*$`)
	descrPattern   = regexp.MustCompile(`'descr':\s*'([^']*)'`)
	fortranPattern = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	shapePattern   = regexp.MustCompile(`'shape':\s*\(([0-9, ]*)\)`)
)

// readNumPyHeader reads the header of a .npy file. It returns the array and the sizes of the
// header and of the numbers in bytes.
func readNumPyHeader(source io.Reader) (a *Array, headerSize, dataSize int64, err error) {
	var start [8]byte
	if _, err := io.ReadFull(source, start[:]); err != nil || string(start[:6]) != magic {
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
	_, err = io.ReadFull(source, b[:size])
	length := binary.LittleEndian.Uint32(b[:])
	if err != nil || length > maxNumPyHeader {
		return nil, 0, 0, fmt.Errorf("has no header of at most %d bytes", maxNumPyHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(source, text); err != nil {
		return nil, 0, 0, errors.New("ends within its header")
	}
	a, dataSize, err = parseNumPyHeader(string(text))
	return a, int64(len(start) + size + len(text)), dataSize, err
}

// parseNumPyHeader parses the dict of a header. It returns the array and the size of its numbers in
// bytes.
func parseNumPyHeader(text string) (a *Array, dataSize int64, err error) {
	descr, fortran := descrPattern.FindStringSubmatch(text), fortranPattern.FindStringSubmatch(text)
	shape := shapePattern.FindStringSubmatch(text)
	if !dictPattern.MatchString(text) || descr == nil || fortran == nil || shape == nil {
		return nil, 0, errors.New("has a header that is not one of plain numbers: it needs descr, fortran_order " +
			"and shape")
	}
	a = &Array{columnMajor: fortran[1] == "True"}
	if err := a.setNumPyType(descr[1]); err != nil {
		return nil, 0, err
	}
	for length := range strings.SplitSeq(shape[1], ",") {
		length = strings.TrimSpace(length)
		if length == "" {
			continue
		}
		n, err := strconv.Atoi(length)
		if err != nil || len(a.Shape) > maxAxes { // byteSize reports a shape with one axis too many
			return nil, 0, fmt.Errorf("has the shape (%.80s)", shape[1])
		}
		a.Shape = append(a.Shape, n)
	}
	dataSize, err = byteSize(a.Shape, widths[a.Type])
	return a, dataSize, err
}

// setNumPyType sets the type from NumPy's name, which has a character each for the byte order, the
// kind and the size.
func (a *Array) setNumPyType(text string) error {
	kinds := map[string]string{"f2": "F16", "f4": "F32", "f8": "F64", "i1": "I8", "i2": "I16", "i4": "I32", "i8": "I64",
		"u1": "U8", "u2": "U16", "u4": "U32", "u8": "U64", "b1": "BOOL"}
	if len(text) != 3 || !strings.ContainsRune("<>|=", rune(text[0])) || kinds[text[1:]] == "" {
		return fmt.Errorf("has the type %.20q; read are real numbers of 2, 4 or 8 bytes (f2, f4, f8)", text)
	}
	a.Type, a.bigEndian = kinds[text[1:]], text[0] == '>'
	return nil
}
