package store

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"

	"mcsim/sim/base/moments"
)

// A record has nodes of one cell. It is a mark, the number of bytes of the body, the first half of
// the SHA-256 of this number and the body, and the body. The body has the ID and, for each node,
// the level and index of its range, its number of bytes, and the node as package moments encodes
// it.
const (
	mark      = "\x8bmcnode\n"
	sumSize   = 16
	frameSize = len(mark) + 8 + sumSize
)

// Entry is the encoded node of a block range.
type Entry struct {
	Range  moments.BlockRange
	Node   []byte // as package moments encodes it
	offset int    // position of Node in its record
}

// NewEntry encodes the node of a range.
func NewEntry(r moments.BlockRange, n moments.Node) Entry {
	return Entry{Range: r, Node: moments.AppendNode(nil, n)}
}

// Decode decodes the node. It returns ErrDamaged if no run could have sampled this node of the
// cell.
func (e Entry) Decode(c CellID) (moments.Node, error) {
	return e.decode(c, &moments.Reader{})
}

// decode does the work of Decode with the buffers of a given reader.
func (e Entry) decode(c CellID, r *moments.Reader) (moments.Node, error) {
	n, err := decodeNode(e.Node, r)
	if err == nil && !c.hasAllUnits(e.Range, n) {
		err = ErrDamaged
	}
	return n, err
}

// decodeNode decodes a node that package moments encoded.
func decodeNode(b []byte, r *moments.Reader) (moments.Node, error) {
	r.B, r.Bad = b, false
	n := r.Node()
	if r.Bad || len(r.B) > 0 {
		return n, ErrDamaged
	}
	return n, nil
}

// hasAllUnits reports whether a node has as many units as the cell's blocks in the range. The node
// of a pilot only needs the range of one block.
func (c CellID) hasAllUnits(r moments.BlockRange, n moments.Node) bool {
	if c.IsPilot() {
		return r == moments.BlockRange{}
	}
	return len(n.Moments) > 0 && c.Units > 0 && c.Units <= math.MaxInt64>>r.Level &&
		n.Moments[0].N == c.Units*r.Blocks()
}

// appendRecord appends a record to b and sets the offsets of the entries.
func appendRecord(b []byte, id ID, entries []Entry) []byte {
	start := len(b)
	b = append(b, make([]byte, frameSize)...)
	b = appendID(b, id)
	for i, e := range entries {
		b = binary.LittleEndian.AppendUint32(b, uint32(e.Range.Level))
		b = binary.LittleEndian.AppendUint64(b, uint64(e.Range.Index))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(e.Node)))
		entries[i].offset = len(b) - start
		b = append(b, e.Node...)
	}
	record := b[start:]
	copy(record, mark)
	binary.LittleEndian.PutUint64(record[len(mark):], uint64(len(record)-frameSize))
	copy(record[len(mark)+8:], checksum(record))
	return b
}

// checksum returns the checksum of a record's length and body.
func checksum(record []byte) []byte {
	h := sha256.New()
	h.Write(record[len(mark) : len(mark)+8])
	h.Write(record[frameSize:])
	return h.Sum(nil)[:sumSize]
}

// ErrDamaged is the error of bytes that a store did not write.
var ErrDamaged = errors.New("damaged data")

// readRecord reads one record and returns its body. It returns ErrDamaged if the remaining bytes
// do not start with a valid record.
func readRecord(r io.Reader, maxSize int64) ([]byte, error) {
	if maxSize < int64(frameSize) {
		return nil, ErrDamaged
	}
	record := make([]byte, frameSize)
	if _, err := io.ReadFull(r, record); err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint64(record[len(mark):])
	if string(record[:len(mark)]) != mark || size > uint64(maxSize-int64(frameSize)) {
		return nil, ErrDamaged
	}
	record = append(record, make([]byte, size)...)
	if _, err := io.ReadFull(r, record[frameSize:]); err != nil {
		return nil, err
	}
	if !bytes.Equal(checksum(record), record[len(mark)+8:frameSize]) {
		return nil, ErrDamaged
	}
	return record[frameSize:], nil
}

// parseRecord splits the body of a record into its ID and its nodes, which it does not decode.
func parseRecord(body []byte) (id ID, entries []Entry, err error) {
	r := moments.Reader{B: body}
	id = readID(&r)
	r.Bad = r.Bad || id.Units < 0 || id.Kernel < 0 || len(r.B) == 0
	for len(r.B) > 0 && !r.Bad {
		level, index, length := r.Uint32(), r.Uint64(), int(r.Uint32())
		e := Entry{offset: frameSize + len(body) - len(r.B), Node: r.Take(length)}
		if r.Bad || level > 62 || index >= math.MaxInt64>>level {
			return id, nil, ErrDamaged
		}
		e.Range = moments.BlockRange{Level: int(level), Index: int64(index)}
		entries = append(entries, e)
	}
	if r.Bad {
		return id, nil, ErrDamaged
	}
	return id, entries, nil
}

// scan calls visit with the body of each record in [start, end) of a file. It returns nil at the
// end, at a damaged record, or if visit returns ErrDamaged.
func scan(f io.ReaderAt, start, end int64, visit func(body []byte) error) error {
	r := bufio.NewReader(io.NewSectionReader(f, start, end-start))
	for start < end {
		body, err := readRecord(r, end-start)
		if err == nil {
			err = visit(body)
		}
		if errors.Is(err, ErrDamaged) {
			return nil
		}
		if err != nil {
			return err
		}
		start += int64(frameSize + len(body))
	}
	return nil
}

// AppendRecord appends a record of a cell's nodes, in the format of files of nodes.
func (o Origin) AppendRecord(b []byte, c CellID, entries []Entry) []byte {
	return appendRecord(b, o.newID(c), entries)
}

// ReadRecord reads the record at the beginning of b. It returns the nodes, which it does not
// decode, and the rest of b. It returns ErrDamaged if the record is of another cell or has nodes
// with other ranges.
func (o Origin) ReadRecord(b []byte, c CellID, ranges []moments.BlockRange) (entries []Entry, rest []byte, err error) {
	body, err := readRecord(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, nil, err
	}
	id, entries, err := parseRecord(body)
	sameRanges := slices.EqualFunc(entries, ranges, func(e Entry, r moments.BlockRange) bool { return e.Range == r })
	if err != nil || !sameRanges || id != o.newID(c) {
		return nil, nil, ErrDamaged
	}
	return entries, b[frameSize+len(body):], nil
}
