package kernel

import (
	"math"
	"math/bits"

	"mcsim/sim/base/stream"
)

const (
	oneBits = 0x3f800000 // the float32 1

	// evenBits holds the bits of q; those of k stand one to the left.
	evenBits = 0x55555555
)

// rademacher takes the values ±1, 32 draws from the bits of one word: 16
// components of a pair. The score is d less twice the number of components
// whose signs differ.
func rademacher(float64) lane { return lane{score: rademacherScore, fill: rademacherFill} }

// rademacherScore counts differing signs, 16 components a word.
func rademacherScore(g stream.Lane, d int) (stream.Lane, float32) {
	var w uint32
	differ := 0
	left := d
	for ; left >= 16; left -= 16 {
		g, w = g.Next()
		differ += bits.OnesCount32((w ^ w>>1) & evenBits)
	}
	if left > 0 {
		g, w = g.Next()
		differ += bits.OnesCount32((w ^ w>>1) & evenBits & (1<<(2*left) - 1))
	}
	return g, float32(int32(d - 2*differ))
}

// rademacherFill writes the sign bits of a word one after the other, low bit first.
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
