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

// A record is nodes of one cell: a mark, the number of bytes of the body and the first half of the
// SHA-256 of that number and the body; then the body: the key, and for each node its level,
// index, number of bytes, and the node as package moments writes it.
const (
	mark      = "\x8bmcnode\n"
	sumSize   = 16
	frameSize = len(mark) + 8 + sumSize
)

// Entry is the node of a range of blocks.
type Entry struct {
	At   moments.BlockRange
	Node []byte // as package moments writes it
	from int    // where it begins in its record
}

// NewEntry encodes the node of a range.
func NewEntry(at moments.BlockRange, n moments.Node) Entry {
	return Entry{At: at, Node: moments.AppendNode(nil, n)}
}

// Decoded decodes the node. It returns ErrDamaged if no run samples such a node of the cell there.
func (e Entry) Decoded(c CellID) (moments.Node, error) {
	return e.decoded(c, &moments.Reader{})
}

// decoded is Decoded with a reader, whose buffers it uses.
func (e Entry) decoded(c CellID, r *moments.Reader) (moments.Node, error) {
	n, err := decoded(e.Node, r)
	if err == nil && !c.counts(e.At, n) {
		err = ErrDamaged
	}
	return n, err
}

// decoded decodes a node that package moments encoded.
func decoded(b []byte, r *moments.Reader) (moments.Node, error) {
	r.B, r.Bad = b, false
	n := r.Node()
	if r.Bad || len(r.B) > 0 {
		return n, ErrDamaged
	}
	return n, nil
}

// counts reports whether a node has the number of units that the cell's blocks in the range have.
func (c CellID) counts(at moments.BlockRange, n moments.Node) bool {
	if c.IsPilot() {
		return at == moments.BlockRange{}
	}
	return len(n.Moments) > 0 && c.Units > 0 && c.Units <= math.MaxInt64>>at.Level &&
		n.Moments[0].N == c.Units*at.Blocks()
}

// appendRecord appends a record to b and stores in the entries where in it they begin.
func appendRecord(b []byte, k ID, entries []Entry) []byte {
	start := len(b)
	b = append(b, make([]byte, frameSize)...)
	b = appendKey(b, k)
	for i, e := range entries {
		b = binary.LittleEndian.AppendUint32(b, uint32(e.At.Level))
		b = binary.LittleEndian.AppendUint64(b, uint64(e.At.Index))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(e.Node)))
		entries[i].from = len(b) - start
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

// ErrDamaged is the error of bytes that are not what was written.
var ErrDamaged = errors.New("damaged data")

// readRecord reads one record and returns its body. It returns ErrDamaged if the remaining bytes
// do not start with a valid record.
func readRecord(r io.Reader, left int64) ([]byte, error) {
	if left < int64(frameSize) {
		return nil, ErrDamaged
	}
	record := make([]byte, frameSize)
	if _, err := io.ReadFull(r, record); err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint64(record[len(mark):])
	if string(record[:len(mark)]) != mark || size > uint64(left-int64(frameSize)) {
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

// parseRecord splits the body of a record into its key and its nodes, which it does not decode.
func parseRecord(body []byte) (k ID, entries []Entry, err error) {
	r := moments.Reader{B: body}
	k = readKey(&r)
	r.Bad = r.Bad || k.Units < 0 || k.Kernel < 0 || len(r.B) == 0
	for len(r.B) > 0 && !r.Bad {
		level, index, length := r.Uint32(), r.Uint64(), int(r.Uint32())
		e := Entry{from: frameSize + len(body) - len(r.B), Node: r.Take(length)}
		if r.Bad || level > 62 || index >= math.MaxInt64>>level {
			return k, nil, ErrDamaged
		}
		e.At = moments.BlockRange{Level: int(level), Index: int64(index)}
		entries = append(entries, e)
	}
	if r.Bad {
		return k, nil, ErrDamaged
	}
	return k, entries, nil
}

// scan calls record with the body of each record in [at, end) of a file. It ends at the first
// record that is damaged, or for which record returns ErrDamaged.
func scan(f io.ReaderAt, at, end int64, record func(body []byte) error) error {
	r := bufio.NewReader(io.NewSectionReader(f, at, end-at))
	for at < end {
		body, err := readRecord(r, end-at)
		if err == nil {
			err = record(body)
		}
		if errors.Is(err, ErrDamaged) {
			return nil
		}
		if err != nil {
			return err
		}
		at += int64(frameSize + len(body))
	}
	return nil
}

// Append appends a record of a cell's nodes, as files of nodes have it.
func (o Origin) Append(b []byte, c CellID, entries []Entry) []byte {
	return appendRecord(b, o.key(c), entries)
}

// Next reads the record that b begins with and returns what follows it. The record must be of the
// given cell with nodes of the given ranges. It does not decode the nodes.
func (o Origin) Next(b []byte, c CellID, places []moments.BlockRange) (entries []Entry, rest []byte, err error) {
	body, err := readRecord(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, nil, err
	}
	k, entries, err := parseRecord(body)
	same := slices.EqualFunc(entries, places, func(e Entry, at moments.BlockRange) bool { return e.At == at })
	if err != nil || !same || k != o.key(c) {
		return nil, nil, ErrDamaged
	}
	return entries, b[frameSize+len(body):], nil
}
