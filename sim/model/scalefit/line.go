// Package scalefit finds the factor between scores q·k and logits, whatever constant a row has and
// whatever mask or bias is added, and names a wrong factor by the mistake that gives its number.
package scalefit

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Line holds sums of rows for the line logit = factor·score + a constant of the row, which
// softmax does not see. Scores and logits are x and y, each less its mean in the row.
type Line struct {
	XX, XY, YY    float64
	Free          float64 // pairs less one for each row
	Rows          float64
	scatter       [3]float64 // Σ xy², Σ xy·xx and Σ xx², each of a row
	cubes         [3]float64 // Σ xz, Σ zz and Σ zy, z = score³ less its mean in the row
	xxLog, xxLog2 float64    // Σ xx·ln n and Σ xx·(ln n)², n keys of a row
	xyLog         float64
}

// Add adds a row: it takes the means off scores and logits in place. Unit is what scores are
// divided by for their cubes, and seen is how many keys the row sees; a unit of 0 leaves both out.
func (f *Line) Add(scores, logits []float64, unit float64, seen int) {
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
	xx, xy := elementary.Dot(scores, scores), elementary.Dot(scores, logits)
	f.XX += xx
	f.XY += xy
	f.YY += elementary.Dot(logits, logits)
	f.Free += n - 1
	f.Rows++
	f.scatter[0] += float64(xy * xy)
	f.scatter[1] += float64(xy * xx)
	f.scatter[2] += float64(xx * xx)
	if cubes == nil {
		return
	}
	f.cubes[0] += elementary.Dot(scores, cubes)
	f.cubes[1] += elementary.Dot(cubes, cubes)
	f.cubes[2] += elementary.Dot(cubes, logits)
	log := elementary.Log(float64(seen))
	f.xxLog += float64(xx * log)
	f.xxLog2 += float64(xx * log * log)
	f.xyLog += float64(xy * log)
}

// centre takes the mean off numbers.
func centre(xs []float64) {
	mean := 0.0
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	for i := range xs {
		xs[i] -= mean
	}
}

// Join adds the sums of other rows.
func (f *Line) Join(o Line) {
	f.XX += o.XX
	f.XY += o.XY
	f.YY += o.YY
	f.Free += o.Free
	f.Rows += o.Rows
	f.xxLog += o.xxLog
	f.xxLog2 += o.xxLog2
	f.xyLog += o.xyLog
	for i := range f.scatter {
		f.scatter[i] += o.scatter[i]
		f.cubes[i] += o.cubes[i]
	}
}

// Known reports whether there are enough pairs for a factor with an error.
func (f Line) Known() bool { return f.XX > 0 && f.Free >= 3 }

// Slope returns the factor.
func (f Line) Slope() float64 { return f.XY / f.XX }

// Rest returns the sum of squares that the line leaves.
func (f Line) Rest() float64 {
	if f.XX == 0 {
		return f.YY
	}
	return max(0, f.YY-float64(f.Slope()*f.XY))
}

// SE returns the standard error of the factor: the larger of that of independent pairs and that of
// independent rows, within which a bias may follow the keys.
func (f Line) SE() float64 {
	pairs := math.Sqrt(f.Rest()/max(1, f.Free-1)) / math.Sqrt(f.XX)
	if f.Rows < 2 {
		return pairs
	}
	b := f.Slope()
	sum := f.scatter[0] - float64(2*b*f.scatter[1]) + float64(b*b*f.scatter[2])
	return max(pairs, math.Sqrt(max(0, sum)*f.Rows/(f.Rows-1))/f.XX)
}

// WithCubes returns Rest if a multiple of score³ is added to the line; bend is that multiple.
func (f Line) WithCubes() (rest, bend float64) {
	det := float64(f.XX*f.cubes[1]) - float64(f.cubes[0]*f.cubes[0])
	if !(det > 1e-9*float64(f.XX*f.cubes[1])) {
		return f.Rest(), 0
	}
	bend = (float64(f.XX*f.cubes[2]) - float64(f.cubes[0]*f.XY)) / det
	line := (float64(f.cubes[1]*f.XY) - float64(f.cubes[0]*f.cubes[2])) / det
	return max(0, f.YY-float64(line*f.XY)-float64(bend*f.cubes[2])), bend
}

// WithLog returns Rest if the factor is a constant plus perLog·ln n, n being the keys of a row.
func (f Line) WithLog() (rest, constant, perLog float64) {
	det := float64(f.XX*f.xxLog2) - float64(f.xxLog*f.xxLog)
	if !(det > 1e-9*float64(f.XX*f.xxLog2)) {
		return f.Rest(), f.Slope(), 0
	}
	perLog = (float64(f.XX*f.xyLog) - float64(f.xxLog*f.XY)) / det
	constant = (float64(f.xxLog2*f.XY) - float64(f.xxLog*f.xyLog)) / det
	return max(0, f.YY-float64(constant*f.XY)-float64(perLog*f.xyLog)), constant, perLog
}
