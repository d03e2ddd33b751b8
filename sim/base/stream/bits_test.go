package stream

import (
	"bufio"
	"encoding/binary"
	"io"
)

// order is the order in which writeBits writes the words of the lanes.
type order int

const (
	interleaved order = iota // the lanes of block 0 in turn
	oneLane                  // one lane of block 0
	firstWords               // the first word of every lane of block 0, of block 1, …
)

// writeBits writes count 32-bit words of the cell draw/bits in little-endian order.
func writeBits(w io.Writer, order order, lane int, seed uint64, count int64) error {
	cell := Open(ID{Seed: seed, Cell: "draw/bits"})
	var lanes Lanes
	cell.Block(&lanes, 0)
	buffered := bufio.NewWriterSize(w, 1<<16)
	var words [Width]uint32
	var b [4 * Width]byte
	for step := uint64(0); count > 0; step++ {
		if order == firstWords {
			cell.Block(&lanes, step)
		}
		lanes.Next(&words)
		selected := words[:]
		if order == oneLane {
			selected = words[lane : lane+1]
		}
		selected = selected[:min(int64(len(selected)), count)]
		count -= int64(len(selected))
		text := b[:0]
		for _, word := range selected {
			text = binary.LittleEndian.AppendUint32(text, word)
		}
		if _, err := buffered.Write(text); err != nil {
			return err
		}
	}
	return buffered.Flush()
}
