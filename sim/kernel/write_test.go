package kernel

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/law"
	"mcsim/sim/stream"
)

const drawSeed = 7

func drawLanes(name string, block uint64) *stream.Lanes {
	lanes := new(stream.Lanes)
	stream.Open(stream.Key{Seed: drawSeed, Cell: "draw/" + name}).Block(lanes, block)
	return lanes
}

// Of laws with independent components the lanes come in turn, on over the end of
// a chunk; of the sphere whole vectors, the lanes one after the other.
func TestWriteComponents(t *testing.T) {
	for _, c := range []struct {
		law       string
		dimension int
		count     int
	}{
		{"normal", 64, 1},
		{"normal", 64, drawChunk*stream.Width + 37},
		{"rademacher", 64, drawChunk*stream.Width + 1},
		{"triangular", 3, 50},
		{"sphere", 3, 5},
		{"sphere", 3, 2*3*stream.Width + 7},
	} {
		l, err := law.Parse(c.law, nil)
		must(t, err)
		var want []float32
		for lanes := drawLanes(c.law, 0); len(want) < c.count; {
			want = append(want, inOrder(lanes, l, c.dimension)...)
		}
		checkComponents(t, l, c.dimension, want[:c.count])
	}
}

// inOrder is a chunk of draws of a law, or a vector of every lane of the sphere.
func inOrder(lanes *stream.Lanes, l law.Law, d int) (list []float32) {
	if l.Independent() {
		rows := make([][stream.Width]float32, drawChunk)
		Vectors(l)(lanes, rows)
		for _, row := range rows {
			list = append(list, row[:]...)
		}
		return list
	}
	rows := make([][stream.Width]float32, d)
	Vectors(l)(lanes, rows)
	for lane := range stream.Width {
		for _, row := range rows {
			list = append(list, row[lane])
		}
	}
	return list
}

func checkComponents(t *testing.T, l law.Law, d int, want []float32) {
	t.Helper()
	var text, raw bytes.Buffer
	must(t, WriteComponents(&text, l, d, drawSeed, int64(len(want)), false))
	must(t, WriteComponents(&raw, l, d, drawSeed, int64(len(want)), true))
	lines := strings.SplitAfter(text.String(), "\n")
	if len(lines) != len(want)+1 || lines[len(want)] != "" || raw.Len() != 4*len(want) {
		t.Fatalf("%v: %d lines and %d bytes of %d components", l, len(lines)-1, raw.Len(), len(want))
	}
	for i, x := range want {
		got, err := strconv.ParseFloat(strings.TrimSuffix(lines[i], "\n"), 32)
		if err != nil || float32(got) != x {
			t.Fatalf("%v, d = %d: component %d is %q, want %v", l, d, i, lines[i], x)
		}
		if b := raw.Bytes()[4*i:]; binary.LittleEndian.Uint32(b) != math.Float32bits(x) {
			t.Fatalf("%v, d = %d: component %d is % x, want %v", l, d, i, b[:4], x)
		}
	}
}
