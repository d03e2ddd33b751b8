package inspect

import (
	"math"

	"mcsim/sim/elementary"
)

// fit holds sums of rows for the line logit = factor·score + a constant of the row, which
// softmax does not see. Scores and logits are x and y, each less its mean in the row.
type fit struct {
	xx, xy, yy    float64
	free          float64 // pairs less one for each row
	rows          float64
	scatter       [3]float64 // Σ xy², Σ xy·xx and Σ xx², each of a row
	cubes         [3]float64 // Σ xz, Σ zz and Σ zy, z = score³ less its mean in the row
	xxLog, xxLog2 float64    // Σ xx·ln n and Σ xx·(ln n)², n keys of a row
	xyLog         float64
}

// add adds a row: it takes the means off scores and logits in place. Unit is what scores are
// divided by for their cubes; 0 leaves these out.
func (f *fit) add(scores, logits []float64, unit float64) {
	n := float64(len(scores))
	if n < 2 {
		return
	}
	var cubes []float64
	if unit > 0 {
		cubes = make([]float64, len(scores))
		for j, s := range scores {
			s /= unit
			cubes[j] = float64(s * s * s)
		}
		centre(cubes)
	}
	centre(scores)
	centre(logits)
	xx, xy := sumOfSquares(scores), dot(scores, logits)
	f.xx += xx
	f.xy += xy
	f.yy += sumOfSquares(logits)
	f.free += n - 1
	f.rows++
	f.scatter[0] += float64(xy * xy)
	f.scatter[1] += float64(xy * xx)
	f.scatter[2] += float64(xx * xx)
	if cubes == nil {
		return
	}
	f.cubes[0] += dot(scores, cubes)
	f.cubes[1] += sumOfSquares(cubes)
	f.cubes[2] += dot(cubes, logits)
	log := elementary.Log(n)
	f.xxLog += float64(xx * log)
	f.xxLog2 += float64(xx * log * log)
	f.xyLog += float64(xy * log)
}

// centre takes the mean off numbers.
func centre(xs []float64) {
	mean := sumOf(xs) / float64(len(xs))
	for i := range xs {
		xs[i] -= mean
	}
}

// join adds the sums of other rows.
func (f *fit) join(o fit) {
	f.xx += o.xx
	f.xy += o.xy
	f.yy += o.yy
	f.free += o.free
	f.rows += o.rows
	f.xxLog += o.xxLog
	f.xxLog2 += o.xxLog2
	f.xyLog += o.xyLog
	for i := range f.scatter {
		f.scatter[i] += o.scatter[i]
		f.cubes[i] += o.cubes[i]
	}
}

// known reports whether there are enough pairs for a factor with an error.
func (f fit) known() bool { return f.xx > 0 && f.free >= 3 }

// slope is the factor.
func (f fit) slope() float64 { return f.xy / f.xx }

// rest is the sum of squares that the line leaves.
func (f fit) rest() float64 {
	if f.xx == 0 {
		return f.yy
	}
	return max(0, f.yy-float64(f.slope()*f.xy))
}

// se is the standard error of the factor: the larger of that of independent pairs and that of
// independent rows, within which a bias may follow the keys.
func (f fit) se() float64 {
	pairs := math.Sqrt(f.rest()/max(1, f.free-1)) / math.Sqrt(f.xx)
	if f.rows < 2 {
		return pairs
	}
	b := f.slope()
	sum := f.scatter[0] - float64(2*b*f.scatter[1]) + float64(b*b*f.scatter[2])
	return max(pairs, math.Sqrt(max(0, sum)*f.rows/(f.rows-1))/f.xx)
}

// withCubes is rest if a multiple of score³ is added to the line; bend is that multiple.
func (f fit) withCubes() (rest, bend float64) {
	det := float64(f.xx*f.cubes[1]) - float64(f.cubes[0]*f.cubes[0])
	if !(det > 1e-9*float64(f.xx*f.cubes[1])) {
		return f.rest(), 0
	}
	bend = (float64(f.xx*f.cubes[2]) - float64(f.cubes[0]*f.xy)) / det
	line := (float64(f.cubes[1]*f.xy) - float64(f.cubes[0]*f.cubes[2])) / det
	return max(0, f.yy-float64(line*f.xy)-float64(bend*f.cubes[2])), bend
}

// withLog is rest if the factor is a constant plus perLog·ln n, n being the keys of a row.
func (f fit) withLog() (rest, constant, perLog float64) {
	det := float64(f.xx*f.xxLog2) - float64(f.xxLog*f.xxLog)
	if !(det > 1e-9*float64(f.xx*f.xxLog2)) {
		return f.rest(), f.slope(), 0
	}
	perLog = (float64(f.xx*f.xyLog) - float64(f.xxLog*f.xy)) / det
	constant = (float64(f.xxLog2*f.xy) - float64(f.xxLog*f.xyLog)) / det
	return max(0, f.yy-float64(constant*f.xy)-float64(perLog*f.xyLog)), constant, perLog
}
