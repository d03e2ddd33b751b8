package tensor

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// longestHeader is the format's own bound
// (huggingface/safetensors, safetensors/src/tensor.rs, MAX_HEADER_SIZE).
const longestHeader = 100_000_000

// stored is an array as a header has it.
type stored struct {
	array      *Array
	begin, end int64
}

// safetensors reads the header of a file: eight bytes of its length, an object of JSON with a
// type, a shape and offsets for each array, and the numbers without a gap.
func safetensors(file io.ReaderAt, size int64) ([]*Array, error) {
	var start [8]byte
	if _, err := file.ReadAt(start[:], 0); err != nil {
		return nil, errors.New("ends within its first 8 bytes")
	}
	length := binary.LittleEndian.Uint64(start[:])
	switch {
	case length > longestHeader:
		return nil, fmt.Errorf("has a header of %d bytes; the format allows %d", length, longestHeader)
	case int64(length) > size-8:
		return nil, fmt.Errorf("ends within its header of %d bytes", length)
	}
	all, err := readHeader(jsontext.NewDecoder(bufio.NewReaderSize(io.NewSectionReader(file, 8, int64(length)), 1<<16)))
	if err != nil {
		return nil, fmt.Errorf("has a header that is not one of safetensors: %w", err)
	}
	data := 8 + int64(length)
	if err := gapless(all, size-data); err != nil {
		return nil, err
	}
	var arrays []*Array
	for _, s := range all {
		s.array.from = func() (io.ReaderAt, error) { return io.NewSectionReader(file, data+s.begin, s.end-s.begin), nil }
		arrays = append(arrays, s.array)
	}
	return arrays, nil
}

// gapless sorts the arrays by where they stand, and refuses what overlaps or leaves a hole.
func gapless(all []stored, size int64) error {
	slices.SortFunc(all, func(a, b stored) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end))
	})
	at := int64(0)
	for _, s := range all {
		a, width := s.array, int64(widths[s.array.Type]/8)
		begins := fmt.Sprintf("array %q begins at byte %d of the data", a.Name, s.begin)
		switch {
		case s.begin < at:
			return fmt.Errorf("%s, within the one before it, which ends at %d", begins, at)
		case s.begin > at:
			return fmt.Errorf("%s, and there is a hole from %d on", begins, at)
		case s.end > size:
			return fmt.Errorf("the data ends after %d bytes, within array %q, which ends at %d", size, a.Name, s.end)
		case width > 0 && s.begin%width != 0:
			return fmt.Errorf("%s, which is no multiple of the %d bytes of a number", begins, width)
		}
		at = s.end
	}
	if at != size {
		return fmt.Errorf("there are %d bytes of data, and the arrays end at %d", size, at)
	}
	return nil
}

// readHeader reads the object of all arrays. The decoder refuses names that stand twice.
func readHeader(in *jsontext.Decoder) (all []stored, err error) {
	err = members(in, func(name string) error {
		if name == "__metadata__" {
			return in.SkipValue()
		}
		s, err := readEntry(in)
		if err != nil {
			return fmt.Errorf("array %q %w", name, err)
		}
		s.array.Name = name
		all = append(all, s)
		return nil
	})
	return all, cmp.Or(err, ends(in))
}

// members calls read for each member of an object; it reads the value.
func members(in *jsontext.Decoder, read func(name string) error) error {
	if err := expect(in, '{'); err != nil {
		return err
	}
	for in.PeekKind() != '}' {
		t, err := in.ReadToken()
		if err == nil {
			err = read(t.String())
		}
		if err != nil {
			return err
		}
	}
	_, err := in.ReadToken()
	return err
}

// ends refuses what follows the text.
func ends(in *jsontext.Decoder) error {
	if _, err := in.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.New("something follows it")
	}
	return nil
}

// expect reads a token of that kind.
func expect(in *jsontext.Decoder, kind jsontext.Kind) error {
	t, err := in.ReadToken()
	if err == nil && t.Kind() != kind {
		err = fmt.Errorf("%s stands where %s should", t.Kind(), kind)
	}
	return err
}

// readEntry reads what the header says of an array.
func readEntry(in *jsontext.Decoder) (s stored, err error) {
	s.array = &Array{}
	var offsets []int
	err = members(in, func(name string) (err error) {
		switch name {
		case "dtype":
			var t jsontext.Token
			if t, err = in.ReadToken(); err == nil {
				s.array.Type = t.String()
			}
		case "shape":
			s.array.Shape, err = readWhole(in)
		case "data_offsets":
			offsets, err = readWhole(in)
		default:
			err = in.SkipValue()
		}
		return err
	})
	if err == nil {
		err = s.place(offsets)
	}
	return s, err
}

// place takes the offsets, and holds them to the type and the shape.
func (s *stored) place(offsets []int) error {
	width := widths[s.array.Type]
	if width == 0 {
		return fmt.Errorf("has the type %q, which the format does not know", s.array.Type)
	}
	if len(offsets) != 2 || offsets[0] > offsets[1] {
		return fmt.Errorf("has the offsets %v; it needs where it begins and where it ends", offsets)
	}
	size, err := sizeOf(s.array.Shape, width)
	if err != nil {
		return err
	}
	s.begin, s.end = int64(offsets[0]), int64(offsets[1])
	if s.end-s.begin != size {
		return fmt.Errorf("has %d bytes; %s of type %s are %d", s.end-s.begin, s.array.Dimensions(), s.array.Type, size)
	}
	return nil
}

// readWhole reads a list of whole numbers from 0 on.
func readWhole(in *jsontext.Decoder) (all []int, err error) {
	if err := expect(in, '['); err != nil {
		return nil, err
	}
	for in.PeekKind() != ']' {
		t, err := in.ReadToken()
		if err != nil {
			return nil, err
		}
		n, err := strconv.ParseInt(t.String(), 10, 64)
		if err != nil || n < 0 || t.Kind() != '0' || len(all) > mostAxes {
			return nil, fmt.Errorf("has %s where a whole number from 0 on should stand", t)
		}
		all = append(all, int(n))
	}
	_, err = in.ReadToken()
	return all, err
}
