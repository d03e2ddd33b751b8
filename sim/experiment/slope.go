package experiment

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
)

// MaxRelativeSE is the largest relative standard error of a variance s² with which a cell is a
// point of a [Slope]. Beyond it ln s² is not nearly linear in s².
const MaxRelativeSE = 0.05

// Slope has the points of a weighted straight line: ln s² as a function of ln d_k.
type Slope struct {
	X, Y, Weight []float64 // ln d_k, ln s² corrected for bias, and 1/Var(ln s²) of each point
	N            int64     // number of scores of all points together
	Estimators   []string  // estimators of the points, each once
}

// Add adds a point: the variance s² of n scores at dimension d with its relative standard error. It
// ignores a point whose variance is 0, or whose relative standard error is 0 or above
// [MaxRelativeSE].
func (s *Slope) Add(d, variance, relativeSE float64, n int64) {
	if !(relativeSE > 0 && relativeSE <= MaxRelativeSE && variance > 0) {
		return
	}
	relativeVariance := float64(relativeSE * relativeSE)
	s.X = append(s.X, elementary.Log(d))
	// E ln s² ≈ ln σ² − relativeVariance/2
	s.Y = append(s.Y, elementary.Log(variance)+float64(relativeVariance/2))
	s.Weight = append(s.Weight, 1/relativeVariance)
	s.N += n
}

// IsDetermined reports whether the points have at least two different dimensions.
func (s Slope) IsDetermined() bool {
	return slices.ContainsFunc(s.X, func(x float64) bool { return x != s.X[0] })
}

// FitLine returns the slope by weighted least squares and its standard error. Both are NaN if the
// points do not determine a slope.
func (s Slope) FitLine() (slope, se float64) {
	if !s.IsDetermined() {
		return math.NaN(), math.NaN()
	}
	var sumW, sumWX, sumWY float64
	for i := range s.X {
		sumW += s.Weight[i]
		sumWX += float64(s.Weight[i] * s.X[i])
		sumWY += float64(s.Weight[i] * s.Y[i])
	}
	meanX, meanY := sumWX/sumW, sumWY/sumW
	var sxx, sxy float64
	for i := range s.X {
		dx := s.X[i] - meanX
		sxx += float64(float64(s.Weight[i]*dx) * dx)
		sxy += float64(float64(s.Weight[i]*dx) * (s.Y[i] - meanY))
	}
	return sxy / sxx, math.Sqrt(1 / sxx)
}
