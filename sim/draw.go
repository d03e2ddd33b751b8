package sim

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"strconv"

	"mcsim/sim/kernel"
	"mcsim/sim/law"
	"mcsim/sim/stream"
)

// Forever is the count of a stream that ends when its reader does.
const Forever = math.MaxInt64

// drawChunk is how many draws of each lane are made at a time.
const drawChunk = 1024

// WriteComponents writes count components of a law, as the lanes of block 0 of
// the cell draw/‹law› give them in turn: one a line in the shortest decimal
// form that reads back, or raw as little-endian float32. The sphere gives
// whole vectors of dimension d, one lane after the other; other laws take no
// notice of d.
func WriteComponents(w io.Writer, l law.Law, d int, seed uint64, count int64, raw bool) error {
	var lanes stream.Lanes
	stream.Open(stream.Key{Seed: seed, Cell: "draw/" + l.String()}).Block(&lanes, 0)
	out := bufio.NewWriterSize(w, 1<<16)
	write := func(x float32) error { return writeComponent(out, x, raw) }
	for left := count; left > 0; {
		n, err := writeSome(&lanes, l, d, left, write)
		if err != nil {
			return err
		}
		left -= n
	}
	return out.Flush()
}

// writeSome writes at most left components and returns how many.
func writeSome(lanes *stream.Lanes, l law.Law, d int, left int64, write func(float32) error) (int64, error) {
	byVector := !l.Independent()
	draws := make([][stream.Width]float32, drawChunk)
	if byVector {
		draws = make([][stream.Width]float32, d)
		kernel.Vectors(l)(lanes, draws)
	} else {
		kernel.Components(l)(lanes, draws)
	}
	n := min(left, int64(len(draws)*stream.Width))
	for i := range int(n) {
		x := draws[i/stream.Width][i%stream.Width]
		if byVector {
			x = draws[i%d][i/d]
		}
		if err := write(x); err != nil {
			return 0, err
		}
	}
	return n, nil
}

func writeComponent(w *bufio.Writer, x float32, raw bool) error {
	var b [32]byte
	if raw {
		_, err := w.Write(binary.LittleEndian.AppendUint32(b[:0], math.Float32bits(x)))
		return err
	}
	_, err := w.Write(append(strconv.AppendFloat(b[:0], float64(x), 'g', -1, 32), '\n'))
	return err
}

// Order says in which order the words of the lanes are written.
type Order int

const (
	Interleaved Order = iota // the lanes of block 0 in turn
	OneLane                  // one lane of block 0
	FirstWords               // the first word of every lane of block 0, of block 1, …
)

// WriteBits writes count 32-bit words of the cell draw/bits, little-endian.
func WriteBits(w io.Writer, order Order, lane int, seed uint64, count int64) error {
	cell := stream.Open(stream.Key{Seed: seed, Cell: "draw/bits"})
	var lanes stream.Lanes
	cell.Block(&lanes, 0)
	out := bufio.NewWriterSize(w, 1<<16)
	var words [stream.Width]uint32
	var b [4 * stream.Width]byte
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
