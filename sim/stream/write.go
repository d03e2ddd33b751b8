package stream

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
)

// Forever is the count of a stream that ends when its reader does.
const Forever = math.MaxInt64

// Order says in which order the words of the lanes are written.
type Order int

const (
	Interleaved Order = iota // the lanes of block 0 in turn
	OneLane                  // one lane of block 0
	FirstWords               // the first word of every lane of block 0, of block 1, …
)

// WriteBits writes count 32-bit words of the cell draw/bits, little-endian.
func WriteBits(w io.Writer, order Order, lane int, seed uint64, count int64) error {
	cell := Open(Key{Seed: seed, Cell: "draw/bits"})
	var lanes Lanes
	cell.Block(&lanes, 0)
	out := bufio.NewWriterSize(w, 1<<16)
	var words [Width]uint32
	var b [4 * Width]byte
	for step := uint64(0); count > 0; step++ {
		if order == FirstWords {
			cell.Block(&lanes, step)
		}
		lanes.Next(&words)
		some := words[:]
		if order == OneLane {
			some = words[lane : lane+1]
		}
		some = some[:min(int64(len(some)), count)]
		count -= int64(len(some))
		text := b[:0]
		for _, word := range some {
			text = binary.LittleEndian.AppendUint32(text, word)
		}
		if _, err := out.Write(text); err != nil {
			return err
		}
	}
	return out.Flush()
}
