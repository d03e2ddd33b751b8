package experiment

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
)

// MaxRelativeSE is the largest relative standard error of s² with which a cell is part of the
// slope. Above it the logarithm is not nearly linear.
const MaxRelativeSE = 0.05

// Slope is a weighted straight line through ln s² over ln d_k.
type Slope struct {
	X, Y, Weight []float64 // ln d, ln s² corrected for bias, 1/Var(ln s²)
	N            int64     // units of all cells together
	Estimators   []string  // of the points, each once
}

// Add adds a point: the variance s² of n scores at dimension d with its relative standard error. It
// ignores a point whose relative error is 0 or above [MaxRelativeSE].
func (s *Slope) Add(d, variance, relativeSE float64, n int64) {
	if !(relativeSE > 0 && relativeSE <= MaxRelativeSE && variance > 0) {
		return
	}
	v := float64(relativeSE * relativeSE)
	s.X = append(s.X, elementary.Log(d))
	s.Y = append(s.Y, elementary.Log(variance)+float64(v/2))
	s.Weight = append(s.Weight, 1/v)
	s.N += n
}

// IsDetermined reports whether the points have at least two different dimensions.
func (s Slope) IsDetermined() bool {
	return slices.ContainsFunc(s.X, func(x float64) bool { return x != s.X[0] })
}

// FitLine returns the weighted least-squares slope and its standard error, NaN if it is not
// determined.
func (s Slope) FitLine() (slope, se float64) {
	if !s.IsDetermined() {
		return math.NaN(), math.NaN()
	}
	var w, wx, wy float64
	for i := range s.X {
		w += s.Weight[i]
		wx += float64(s.Weight[i] * s.X[i])
		wy += float64(s.Weight[i] * s.Y[i])
	}
	mx, my := wx/w, wy/w
	var sxx, sxy float64
	for i := range s.X {
		dx := s.X[i] - mx
		sxx += float64(float64(s.Weight[i]*dx) * dx)
		sxy += float64(float64(s.Weight[i]*dx) * (s.Y[i] - my))
	}
	return sxy / sxx, math.Sqrt(1 / sxx)
}
