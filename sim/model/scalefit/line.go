// Package scalefit estimates the factor between scores q·k and logits. A constant may be added to
// all logits of a row, and a mask or a bias to single logits. The package also names mistakes that
// lead to a wrong factor.
package scalefit

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Line is a least-squares fit of logit = factor·score + constant. The constant may differ between
// rows, since softmax does not depend on it. A Line holds sums over pairs of x and y: the score and
// the logit, each minus its mean over the row.
type Line struct {
	XX, XY, YY    float64 // Σ x², Σ xy and Σ y²
	DoF           float64 // degrees of freedom: pairs − rows
	Rows          float64
	rowSquares    [3]float64 // Σ X_y², Σ X_y·X_x and Σ X_x² over rows, where X_y = Σ xy and X_x = Σ x² of a row
	cubes         [3]float64 // Σ xz, Σ z² and Σ zy, where z is (score/unit)³ minus its mean over the row
	xxLog, xxLog2 float64    // Σ x²·ln n and Σ x²·(ln n)², where n is the number of keys that the row sees
	xyLog         float64    // Σ xy·ln n
}

// Add adds a row. It subtracts the means of scores and logits in place. If unit is above 0, it also
// adds the sums for FitCubes and FitLog; keys is the number of keys that the row sees.
func (f *Line) Add(scores, logits []float64, unit float64, keys int) {
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
	f.DoF += n - 1
	f.Rows++
	f.rowSquares[0] += float64(xy * xy)
	f.rowSquares[1] += float64(xy * xx)
	f.rowSquares[2] += float64(xx * xx)
	if cubes == nil {
		return
	}
	f.cubes[0] += elementary.Dot(scores, cubes)
	f.cubes[1] += elementary.Dot(cubes, cubes)
	f.cubes[2] += elementary.Dot(cubes, logits)
	log := elementary.Log(float64(keys))
	f.xxLog += float64(xx * log)
	f.xxLog2 += float64(xx * log * log)
	f.xyLog += float64(xy * log)
}

// centre subtracts the mean in place.
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
func (f *Line) Join(g Line) {
	f.XX += g.XX
	f.XY += g.XY
	f.YY += g.YY
	f.DoF += g.DoF
	f.Rows += g.Rows
	f.xxLog += g.xxLog
	f.xxLog2 += g.xxLog2
	f.xyLog += g.xyLog
	for i := range f.rowSquares {
		f.rowSquares[i] += g.rowSquares[i]
		f.cubes[i] += g.cubes[i]
	}
}

// IsDetermined reports whether there are enough pairs for a factor with a standard error.
func (f Line) IsDetermined() bool { return f.XX > 0 && f.DoF >= 3 }

// Slope returns the factor.
func (f Line) Slope() float64 { return f.XY / f.XX }

// Residual returns the residual sum of squares.
func (f Line) Residual() float64 {
	if f.XX == 0 {
		return f.YY
	}
	return max(0, f.YY-float64(f.Slope()*f.XY))
}

// SE returns the standard error of the factor. It is the larger of two standard errors: one for
// independent pairs, and the cluster-robust one for independent rows, whose residuals may depend on
// each other, such as those of a bias.
func (f Line) SE() float64 {
	pairSE := math.Sqrt(f.Residual()/max(1, f.DoF-1)) / math.Sqrt(f.XX)
	if f.Rows < 2 {
		return pairSE
	}
	b := f.Slope()
	sum := f.rowSquares[0] - float64(2*b*f.rowSquares[1]) + float64(b*b*f.rowSquares[2])
	return max(pairSE, math.Sqrt(max(0, sum)*f.Rows/(f.Rows-1))/f.XX)
}

// minDeterminant is the smallest determinant of the equations for two parameters, relative to the
// product of their diagonal, for which they are solved.
const minDeterminant = 1e-9

// FitCubes returns the residual sum of squares if a multiple of (score/unit)³ is added to the
// line, and that multiple.
func (f Line) FitCubes() (residual, cubic float64) {
	det := float64(f.XX*f.cubes[1]) - float64(f.cubes[0]*f.cubes[0])
	if !(det > minDeterminant*float64(f.XX*f.cubes[1])) {
		return f.Residual(), 0
	}
	cubic = (float64(f.XX*f.cubes[2]) - float64(f.cubes[0]*f.XY)) / det
	linear := (float64(f.cubes[1]*f.XY) - float64(f.cubes[0]*f.cubes[2])) / det
	return max(0, f.YY-float64(linear*f.XY)-float64(cubic*f.cubes[2])), cubic
}

// FitLog returns the residual sum of squares if the factor is constant + slopePerLog·ln n, where n
// is the number of keys that a row sees.
func (f Line) FitLog() (residual, constant, slopePerLog float64) {
	det := float64(f.XX*f.xxLog2) - float64(f.xxLog*f.xxLog)
	if !(det > minDeterminant*float64(f.XX*f.xxLog2)) {
		return f.Residual(), f.Slope(), 0
	}
	slopePerLog = (float64(f.XX*f.xyLog) - float64(f.xxLog*f.XY)) / det
	constant = (float64(f.xxLog2*f.XY) - float64(f.xxLog*f.xyLog)) / det
	return max(0, f.YY-float64(constant*f.XY)-float64(slopePerLog*f.xyLog)), constant, slopePerLog
}
