package kernel

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"strconv"

	"mcsim/sim/law"
	"mcsim/sim/stream"
)

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
		Vectors(l)(lanes, draws)
	} else {
		Components(l)(lanes, draws)
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

// writeComponent writes one component: raw, or a line.
func writeComponent(w *bufio.Writer, x float32, raw bool) error {
	var b [32]byte
	if raw {
		_, err := w.Write(binary.LittleEndian.AppendUint32(b[:0], math.Float32bits(x)))
		return err
	}
	_, err := w.Write(append(strconv.AppendFloat(b[:0], float64(x), 'g', -1, 32), '\n'))
	return err
}
