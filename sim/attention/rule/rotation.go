package rule

import (
	"mcsim/sim/base/elementary"
	"mcsim/sim/kernel"
)

// KeyDistance is the number of positions between a query and the key of its pair.
const KeyDistance = 16

// rotationBase determines the angles: components 2i and 2i + 1 of d are rotated by
// KeyDistance·rotationBase^(−2i/d).
const rotationBase = 10000

// Rotation rotates keys of d components by their position, as RoPE does.
type Rotation struct{ sin, cos []float32 } // of the angle of each pair of components

// NewRotation returns the rotation of keys of d components. If d is odd, the last component is not
// rotated.
func NewRotation(d int) Rotation {
	var r Rotation
	for i := range d / 2 {
		sin, cos := elementary.Sincos(float64(KeyDistance * elementary.Pow(rotationBase, -float64(2*i)/float64(d))))
		r.sin, r.cos = append(r.sin, float32(sin)), append(r.cos, float32(cos))
	}
	return r
}

// Rotate writes the rotation of sixteen keys to rotated. k has the components of the keys from the
// index first on, which must be even.
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
