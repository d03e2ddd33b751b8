package tensor

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxHeader is the largest length of a header in bytes, MAX_HEADER_SIZE of the format
// (huggingface/safetensors, safetensors/src/tensor.rs).
const maxHeader = 100_000_000

// maxEntry is the largest size of the description of an array in bytes. A type, 64 axes and two
// offsets need less.
const maxEntry = 1 << 12

// maxArrays is the largest number of arrays of a file. Published models have fewer than 2^17 in all
// their files.
const maxArrays = 1 << 17

// entry is the description of an array in a header. begin and end are its offsets.
type entry struct {
	Type    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets []int  `json:"data_offsets"`

	name       string
	begin, end int64
}

// readSafetensors reads the arrays of a .safetensors file: 8 bytes with the length of the header,
// a JSON object with the type, shape and offsets of each array, and the numbers without gaps.
func readSafetensors(file io.ReaderAt, size int64) (arrays []*Array, err error) {
	var start [8]byte
	if _, err := file.ReadAt(start[:], 0); err != nil {
		return nil, errors.New("ends within its first 8 bytes")
	}
	length := binary.LittleEndian.Uint64(start[:])
	switch {
	case length > maxHeader:
		return nil, fmt.Errorf("has a header of %d bytes; the format allows %d", length, maxHeader)
	case int64(length) > size-8:
		return nil, fmt.Errorf("ends within its header of %d bytes", length)
	}
	entries, err := readHeader(io.NewSectionReader(file, 8, int64(length)))
	if err != nil {
		return nil, fmt.Errorf("has a header that is not one of safetensors: %w", err)
	}
	data := 8 + int64(length)
	if err := checkGaps(entries, size-data); err != nil {
		return nil, err
	}
	for _, e := range entries {
		arrays = append(arrays, &Array{Name: e.name, Type: e.Type, Shape: e.Shape,
			open: func() (io.ReaderAt, error) { return io.NewSectionReader(file, data+e.begin, e.end-e.begin), nil }})
	}
	return arrays, nil
}

// readHeader reads the descriptions of all arrays and sorts them by position. It fails if a name is
// repeated.
func readHeader(source io.Reader) (entries []entry, err error) {
	var values map[string]jsontext.Value
	if err := json.UnmarshalRead(bufio.NewReaderSize(source, 1<<16), &values); err != nil {
		return nil, err
	}
	if len(values) > maxArrays {
		return nil, fmt.Errorf("it has %d arrays; at most %d are read", len(values), maxArrays)
	}
	for name, value := range values {
		if err := checkName(name); err != nil {
			return nil, err
		}
		if name == "__metadata__" {
			continue
		}
		e, err := readEntry(value)
		if err != nil {
			return nil, fmt.Errorf("array %q: %w", name, err)
		}
		e.name = name
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end), cmp.Compare(a.name, b.name))
	})
	return entries, nil
}

// readEntry parses the description of an array. It fails if the offsets do not fit the type and the
// shape.
func readEntry(text jsontext.Value) (e entry, err error) {
	if len(text) > maxEntry {
		return e, fmt.Errorf("is described in %d bytes; at most %d are read", len(text), maxEntry)
	}
	if err := json.Unmarshal(text, &e); err != nil || slices.Min(append(e.Shape, 0)) < 0 {
		return e, fmt.Errorf("needs a dtype, and a shape and data_offsets of whole numbers from 0 on, not %.200s", text)
	}
	width := widths[e.Type]
	if width == 0 {
		return e, fmt.Errorf("has the type %.20q, which the format does not know", e.Type)
	}
	if len(e.Offsets) != 2 {
		return e, fmt.Errorf("has %d offsets; two are required, where it begins and where it ends", len(e.Offsets))
	}
	if e.Offsets[0] < 0 || e.Offsets[0] > e.Offsets[1] {
		return e, fmt.Errorf("has the offsets %v; two are required, where it begins and where it ends", e.Offsets)
	}
	size, err := byteSize(e.Shape, width)
	if err != nil {
		return e, err
	}
	e.begin, e.end = int64(e.Offsets[0]), int64(e.Offsets[1])
	if e.end-e.begin != size {
		return e, fmt.Errorf("has %d bytes; %s of type %s are %d", e.end-e.begin, dimensions(e.Shape), e.Type, size)
	}
	return e, nil
}

// checkGaps returns an error if the sorted arrays overlap, leave a gap, or do not fill the size
// bytes of data.
func checkGaps(entries []entry, size int64) error {
	end := int64(0)
	for _, e := range entries {
		width := int64(widths[e.Type] / 8)
		subject := fmt.Sprintf("array %q begins at byte %d of the data", e.name, e.begin)
		switch {
		case e.begin < end:
			return fmt.Errorf("%s, within the one before it, which ends at %d", subject, end)
		case e.begin > end:
			return fmt.Errorf("%s, and there is a gap from %d on", subject, end)
		case e.end > size:
			return fmt.Errorf("the data ends after %d bytes, within array %q, which ends at %d", size, e.name, e.end)
		case width > 0 && e.begin%width != 0:
			return fmt.Errorf("%s, which is not a multiple of the %d bytes of a number", subject, width)
		}
		end = e.end
	}
	if end != size {
		return fmt.Errorf("there are %d bytes of data, and the arrays end at %d", size, end)
	}
	return nil
}
