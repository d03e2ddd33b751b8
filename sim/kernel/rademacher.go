package kernel

import (
	"math"
	"math/bits"

	"mcsim/sim/base/stream"
)

const (
	oneBits = 0x3f800000 // bit pattern of the float32 1

	// evenBits are the bits with the signs of components of q. The next higher bit of each has the
	// sign of the component of k.
	evenBits = 0x55555555
)

// rademacher samples the values ±1. The bits of one word are 32 draws, or 16 components of a pair.
// The score is d minus twice the number of components whose signs in q and k differ.
func rademacher(float64) laneSampler {
	return laneSampler{score: rademacherScore, fill: rademacherFill}
}

// rademacherScore counts the differing signs of 16 components per word.
func rademacherScore(g stream.Lane, d int) (stream.Lane, float32) {
	var w uint32
	differing := 0
	remaining := d
	for ; remaining >= 16; remaining -= 16 {
		g, w = g.Next()
		differing += bits.OnesCount32((w ^ w>>1) & evenBits)
	}
	if remaining > 0 {
		g, w = g.Next()
		differing += bits.OnesCount32((w ^ w>>1) & evenBits & (1<<(2*remaining) - 1))
	}
	return g, float32(int32(d - 2*differing))
}

// rademacherFill writes a draw for each bit of a word, low bit first.
func rademacherFill(g stream.Lane, dst [][Width]float32, i int) stream.Lane {
	var w uint32
	for j := range dst {
		if j%32 == 0 {
			g, w = g.Next()
		}
		dst[j][i] = math.Float32frombits(oneBits | w<<31)
		w >>= 1
	}
	return g
}
