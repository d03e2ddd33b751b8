package rule

import (
	"mcsim/sim/base/elementary"
	"mcsim/sim/kernel"
)

// KeyDistance is how many positions the key of a pair stands from its query.
const KeyDistance = 16

// base is that of the angles: components 2i and 2i + 1 turn by Apart·base^(−2i/d).
const base = 10000

// Rotation turns keys of d components as RoPE does by their position.
type Rotation struct{ sin, cos []float32 } // of each two components

// NewRotation returns the rotation of keys of d components. If d is odd, the last is left alone.
func NewRotation(d int) Rotation {
	var r Rotation
	for i := range d / 2 {
		sin, cos := elementary.Sincos(float64(KeyDistance * elementary.Pow(base, -float64(2*i)/float64(d))))
		r.sin, r.cos = append(r.sin, float32(sin)), append(r.cos, float32(cos))
	}
	return r
}

// Rotate writes sixteen keys turned, of whose components those from an even place on are given.
func (r Rotation) Rotate(k, rotated [][kernel.Width]float32, first int) {
	copy(rotated, k)
	for i := 0; i+1 < len(k); i += 2 {
		sin, cos := r.sin[(first+i)/2], r.cos[(first+i)/2]
		for lane := range k[i] {
			x, y := k[i][lane], k[i+1][lane]
			rotated[i][lane] = float32(x*cos) - float32(y*sin)
			rotated[i+1][lane] = float32(x*sin) + float32(y*cos)
		}
	}
}
