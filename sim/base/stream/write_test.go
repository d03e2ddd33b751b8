package stream

import (
	"bytes"
	"encoding/binary"
	"testing"
)

const testSeed = 7

func openLanes(name string, block uint64) *Lanes {
	lanes := new(Lanes)
	Open(ID{Seed: testSeed, Cell: "draw/" + name}).Block(lanes, block)
	return lanes
}

// TestWriteBits compares the words of writeBits in each order with the words of Lanes.
func TestWriteBits(t *testing.T) {
	const count = 5*Width + 3
	words := map[order][]uint32{}
	lanes, lane3 := openLanes("bits", 0), openLanes("bits", 0).Lane(3)
	for i := range count {
		lane := i % Width
		g, word := lanes.Lane(lane).Next()
		words[interleaved] = append(words[interleaved], word)
		lanes.SetLane(lane, g)
		lane3, word = lane3.Next()
		words[oneLane] = append(words[oneLane], word)
		_, word = openLanes("bits", uint64(i/Width)).Lane(lane).Next()
		words[firstWords] = append(words[firstWords], word)
	}
	for order, want := range words {
		var got bytes.Buffer
		must(t, writeBits(&got, order, 3, testSeed, count))
		if got.Len() != 4*count {
			t.Fatalf("order %d: writeBits wrote %d bytes, want 4 for each of %d words", order, got.Len(), count)
		}
		for i, w := range want {
			if b := got.Bytes()[4*i:]; binary.LittleEndian.Uint32(b) != w {
				t.Fatalf("order %d: word %d is % x, want %08x", order, i, b[:4], w)
			}
		}
	}
}
