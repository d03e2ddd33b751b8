package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"

	"mcsim/sim/moments"
)

// A record is nodes of one cell: a mark, the number of bytes of the body and the first half of the
// SHA-256 of that number and the body; then the body: the key, and for each node its level,
// index, number of bytes, and the node as package moments writes it.
const (
	mark      = "\x8bmcnode\n"
	sumSize   = 16
	frameSize = len(mark) + 8 + sumSize
	nodeHead  = 4 + 8 + 4 // level, index, bytes
)

// Entry is a node in its place.
type Entry struct {
	At      moments.Place
	Node    moments.Node
	Encoded []byte // the node as package moments writes it, where it was read and not decoded: then there is no Node
}

// Decoded is the node, though it be encoded.
func (e Entry) Decoded() (moments.Node, error) {
	if e.Encoded == nil {
		return e.Node, nil
	}
	r := moments.Reader{B: e.Encoded}
	n := r.Node()
	if r.Bad || len(r.B) > 0 {
		return n, ErrDamaged
	}
	return n, nil
}

// appendRecord appends a record, and calls placed with where the node of each entry begins
// in b, and its bytes.
func appendRecord(b []byte, k Key, entries []Entry, placed func(e Entry, at int, node []byte)) []byte {
	start := len(b)
	b = append(b, make([]byte, frameSize)...)
	b = appendKey(b, k)
	for _, e := range entries {
		b = binary.LittleEndian.AppendUint32(b, uint32(e.At.Level))
		b = binary.LittleEndian.AppendUint64(b, uint64(e.At.Index))
		b = binary.LittleEndian.AppendUint32(b, 0)
		at := len(b)
		if b = append(b, e.Encoded...); e.Encoded == nil {
			b = moments.AppendNode(b, e.Node)
		}
		binary.LittleEndian.PutUint32(b[at-4:], uint32(len(b)-at))
		placed(e, at, b[at:])
	}
	frame := b[start:]
	copy(frame, mark)
	binary.LittleEndian.PutUint64(frame[len(mark):], uint64(len(frame)-frameSize))
	sum := checksum(frame)
	copy(frame[len(mark)+8:], sum[:sumSize])
	return b
}

// checksum is that of a record, of its length and body.
func checksum(record []byte) [sha256.Size]byte {
	h := sha256.New()
	h.Write(record[len(mark) : len(mark)+8])
	h.Write(record[frameSize:])
	return [sha256.Size]byte(h.Sum(nil))
}

// ErrDamaged says that something is not what was written.
var ErrDamaged = errors.New("is damaged")

// body reads the body of a record: node is called with each place, where its node begins in b, and
// the node. Every place and node is one that a run can draw.
func body(b []byte, node func(at moments.Place, from, length int, n moments.Node)) (Key, error) {
	good := true
	k, err := parts(b, func(k Key, at moments.Place, from, length int) {
		if !good {
			return
		}
		n, err := Entry{Encoded: b[from : from+length]}.Decoded()
		if good = err == nil && k.counts(at, n); good {
			node(at, from, length, n)
		}
	})
	if !good {
		err = ErrDamaged
	}
	return k, err
}

// parts reads the body of a record but for its nodes: node is called with the key, each place, and where its node
// begins in b.
func parts(b []byte, node func(k Key, at moments.Place, from, length int)) (Key, error) {
	r := moments.Reader{B: b}
	k := readKey(&r)
	r.Bad = r.Bad || k.Units < 0 || k.Kernel < 0 || len(r.B) == 0
	for len(r.B) > 0 && !r.Bad {
		level, index, length := r.Uint32(), r.Uint64(), int(r.Uint32())
		from := len(b) - len(r.B)
		r.Take(length)
		if r.Bad || level > 62 || index >= math.MaxInt64>>level {
			return k, ErrDamaged
		}
		node(k, moments.Place{Level: int(level), Index: int64(index)}, from, length)
	}
	if r.Bad {
		return k, ErrDamaged
	}
	return k, nil
}

// counts reports whether a node counts what blocks of the cell at the place would.
func (k Key) counts(at moments.Place, n moments.Node) bool {
	if k.IsPilot() {
		return at == moments.Place{}
	}
	return len(n.Moments) > 0 && k.Units > 0 && k.Units <= math.MaxInt64>>at.Level && n.Moments[0].N == k.Units*at.Blocks()
}

// window is how many bytes are searched for a mark at a time.
const window = 1 << 20

// scan reads the records of a file from the byte from up to the byte end: each calls record with where its
// body begins, and the body, which it may use until it returns; an error of record's says that it is damaged. Bytes that
// belong to no whole record are passed over, and counted, in so many places. good is the end of the last whole record.
func scan(f io.ReaderAt, from, end int64, record func(at int64, body []byte) error) (good int64, places int, lost int64, err error) {
	good = from
	var frame [frameSize]byte
	var buffer []byte
	for at := from; at < end; {
		length, ok, err := frameAt(f, at, end, &frame)
		if err != nil {
			return good, places, lost, err
		}
		if ok {
			if int64(cap(buffer)) < length+int64(frameSize) {
				buffer = make([]byte, length+int64(frameSize))
			}
			whole := buffer[:length+int64(frameSize)]
			if _, err := f.ReadAt(whole, at); err != nil {
				return good, places, lost, err
			}
			sum := checksum(whole)
			ok = bytes.Equal(sum[:sumSize], whole[len(mark)+8:frameSize]) && record(at+int64(frameSize), whole[frameSize:]) == nil
		}
		if ok {
			at += int64(frameSize) + length
			good = at
			continue
		}
		next, err := nextMark(f, at+1, end)
		if err != nil {
			return good, places, lost, err
		}
		places, lost, at = places+1, lost+next-at, next
	}
	return good, places, lost, nil
}

// frameAt reads the frame of a record at a byte; false if there is none whose body ends within the file.
func frameAt(f io.ReaderAt, at, end int64, frame *[frameSize]byte) (length int64, ok bool, err error) {
	if end-at < int64(frameSize) {
		return 0, false, nil
	}
	if _, err := f.ReadAt(frame[:], at); err != nil {
		return 0, false, err
	}
	size := binary.LittleEndian.Uint64(frame[len(mark):])
	ok = string(frame[:len(mark)]) == mark && size <= uint64(end-at-int64(frameSize))
	return int64(size), ok, nil
}

// nextMark is where the next mark stands, from a byte on; the end if there is none.
func nextMark(f io.ReaderAt, at, end int64) (int64, error) {
	b := make([]byte, min(window, end-at))
	for at < end {
		b = b[:min(int64(len(b)), end-at)]
		if _, err := f.ReadAt(b, at); err != nil {
			return 0, err
		}
		if i := bytes.Index(b, []byte(mark)); i >= 0 {
			return at + int64(i), nil
		}
		if at+int64(len(b)) == end {
			break
		}
		at += int64(len(b) - len(mark) + 1)
	}
	return end, nil
}

// Append appends a record of a cell's nodes as files of them have it.
func (o Origin) Append(b []byte, c Cell, entries []Entry) []byte {
	return appendRecord(b, o.key(c), entries, func(Entry, int, []byte) {})
}

// Next reads the record that b begins with, which must be one of that cell with nodes at
// these places, and returns what follows it. The nodes are encoded, in b; they are what was written, and nobody has
// decoded them.
func (o Origin) Next(b []byte, c Cell, places []moments.Place) (entries []Entry, rest []byte, err error) {
	if len(b) < frameSize || string(b[:len(mark)]) != mark {
		return nil, nil, ErrDamaged
	}
	size := binary.LittleEndian.Uint64(b[len(mark):])
	if size > uint64(len(b)-frameSize) {
		return nil, nil, ErrDamaged
	}
	record := b[:frameSize+int(size)]
	if sum := checksum(record); !bytes.Equal(sum[:sumSize], record[len(mark)+8:frameSize]) {
		return nil, nil, ErrDamaged
	}
	k, err := parts(record[frameSize:], func(_ Key, at moments.Place, from, length int) {
		entries = append(entries, Entry{At: at, Encoded: record[frameSize+from : frameSize+from+length]})
	})
	same := slices.EqualFunc(entries, places, func(e Entry, at moments.Place) bool { return e.At == at })
	if err != nil || !same || k != o.key(c) {
		return nil, nil, ErrDamaged
	}
	return entries, b[len(record):], nil
}
