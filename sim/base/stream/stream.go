// Package stream gives every block of work its own random bits. They depend only on (seed, cell,
// attempt, block, lane), so that neither the number of workers nor their order can change a result.
//
// A block has Width lanes. Each lane is a xoshiro128++ generator of 32-bit words. Its first state
// is 128 bits of an output of Philox4x64-10, a counter-based hash with the key (seed, cell) and the
// counter (block, lane, attempt, use).
//
// References:
//
//	[BV21] Blackman, Vigna: Scrambled Linear Pseudorandom Number Generators,
//	       ACM TOMS 47 (2021), xoshiro128++.
//	[SMDS11] Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as
//	       1, 2, 3, SC'11, Philox4x64-10.
package stream

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// Width is the number of lanes of a block.
const Width = 16

// ID names the stream of a cell.
type ID struct {
	Seed    uint64
	Cell    string // ID of the cell in the plan
	Attempt uint64 // 0 for the first attempt
}

// The uses of a block. They have independent streams.
const (
	useLanes  = iota // Block
	useSource        // Source
)

// Lanes are the generators of one block: state word w of lane i is S[w][i].
type Lanes struct {
	S [4][Width]uint32
}

// Cell gives the streams of the blocks of one cell. It hashes the cell's ID only once.
type Cell struct {
	seed, cell, attempt uint64
}

// Open returns the streams of the cell that id names.
func Open(id ID) Cell {
	sum := sha256.Sum256([]byte(id.Cell)) // the first 64 bits identify the cell
	return Cell{id.Seed, binary.LittleEndian.Uint64(sum[:]), id.Attempt}
}

// Block sets l to the start of the given block.
func (c Cell) Block(l *Lanes, block uint64) { c.seedLanes(l, block, useLanes) }

// seedLanes sets the states of the lanes of a block. Different uses give independent states.
func (c Cell) seedLanes(l *Lanes, block, use uint64) {
	for i := range Width {
		h := philox([2]uint64{c.seed, c.cell}, [4]uint64{block, uint64(i), c.attempt, use})
		l.S[0][i], l.S[1][i] = uint32(h[0]), uint32(h[0]>>32)
		l.S[2][i], l.S[3][i] = uint32(h[1]), uint32(h[1]>>32)
		if h[0]|h[1] == 0 { // xoshiro would stay in this state
			l.S[0][i] = 1
		}
	}
}

// Next writes the next word of every lane to words.
func (l *Lanes) Next(words *[Width]uint32) {
	for i := range Width {
		g, word := l.Lane(i).Next()
		words[i] = word
		l.SetLane(i, g)
	}
}

// Lane returns a copy of the generator of lane i. SetLane stores it after it was used.
func (l *Lanes) Lane(i int) Lane {
	return Lane{l.S[0][i], l.S[1][i], l.S[2][i], l.S[3][i]}
}

// SetLane stores a generator in lane i.
func (l *Lanes) SetLane(i int, g Lane) {
	l.S[0][i], l.S[1][i], l.S[2][i], l.S[3][i] = g.A, g.B, g.C, g.D
}

// Lane is one xoshiro128++ generator [BV21].
type Lane struct{ A, B, C, D uint32 }

// Next returns the next state of the lane and the next word. The state is passed by value, so that
// the compiler keeps it in registers.
func (g Lane) Next() (Lane, uint32) {
	c, d := g.C^g.A, g.D^g.B
	next := Lane{g.A ^ d, g.B ^ c, c ^ g.B<<9, bits.RotateLeft32(d, 11)}
	return next, bits.RotateLeft32(g.A+g.D, 7) + g.A
}
