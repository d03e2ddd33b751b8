package theory

import "math"

// ExactMoments is a score of which the moments are known: its mean, its variance, and
// M3 to M8, the moments of (S − E S)/σ of orders 3, 4, 6 and 8. A moment is +Inf
// where it does not exist and NaN where it is not known.
type ExactMoments struct {
	Mean, Variance float64
	M3, M4, M6, M8 float64
}

// infinite is the moment that does not exist.
var infinite = math.Inf(1)

// exactOf makes an Exact of the mean and the central moments of orders 0, 1, …;
// those that are missing are as rest says.
func exactOf(mean float64, central []float64, rest float64) ExactMoments {
	e := ExactMoments{Mean: mean, Variance: rest, M3: rest, M4: rest, M6: rest, M8: rest}
	if len(central) < 3 {
		return e
	}
	e.Variance = max(0, central[2])
	sd := math.Sqrt(e.Variance)
	for order, to := range map[int]*float64{3: &e.M3, 4: &e.M4, 6: &e.M6, 8: &e.M8} {
		if order >= len(central) {
			continue
		}
		*to = central[order]
		for range order {
			*to /= sd
		}
		if sd == 0 {
			*to = 0
		}
	}
	return e
}

// IsDegenerate reports whether (S − E S)² does not vary.
func (e ExactMoments) IsDegenerate() bool { return e.Variance == 0 || e.M4-1 <= 1e-12 }

// MeanSE is the standard error of the mean of n independent scores.
func (e ExactMoments) MeanSE(n int64) float64 { return math.Sqrt(e.Variance / float64(n)) }

// VarianceSE is that of s², σ²√(2/(n−1) + (M4 − 3)/n).
func (e ExactMoments) VarianceSE(n int64) float64 {
	return float64(e.Variance * math.Sqrt(max(0, 2/float64(n-1)+(e.M4-3)/float64(n))))
}

// SquareSE is the standard error of the mean of S²: with S = μ + σt its square
// μ² + 2μσt + σ²t² has the variance 4μ²σ² + 4μσ³M3 + σ⁴(M4 − 1).
func (e ExactMoments) SquareSE(n int64) float64 {
	sd := math.Sqrt(e.Variance)
	v := float64(4*square(e.Mean)) + float64(4*float64(e.Mean*float64(sd*e.M3))) + float64(e.Variance*(e.M4-1))
	return math.Sqrt(float64(e.Variance*max(0, v)) / float64(n))
}

// VarianceSkew is what one score adds to the skewness of s²:
// (M6 − 3M4 + 2 − 6M3²)/(M4 − 1)^{3/2}, the last term from the mean being the
// sample's own.
func (e ExactMoments) VarianceSkew() float64 {
	if e.IsDegenerate() {
		return 0
	}
	if math.IsInf(e.M6, 1) {
		return e.M6
	}
	spread := e.M4 - 1
	return (e.M6 - float64(3*e.M4) + 2 - float64(6*square(e.M3))) / float64(spread*math.Sqrt(spread))
}

// ErrorOfMeanError is the relative standard error of the sample's own standard
// error of the mean.
func (e ExactMoments) ErrorOfMeanError(n int64) float64 {
	return math.Sqrt(max(0, e.M4-1)/float64(n)) / 2
}

// ErrorOfError is the relative standard error of the sample's own standard
// error of s², ½√((κ_Y − 1)/n) with κ_Y the kurtosis of Y = (S − E S)². Where
// the eighth moment is not known, κ_Y is taken to be 3 + (3/2)γ_Y², as for a Y
// of a gamma distribution of Y's skewness γ_Y; the square of a normal number is one.
func (e ExactMoments) ErrorOfError(n int64) float64 {
	if e.IsDegenerate() {
		return 0
	}
	if math.IsInf(e.M8, 1) {
		return e.M8
	}
	return math.Sqrt(max(0, e.squareKurtosis()-1)/float64(n)) / 2
}

// squareKurtosis is κ_Y.
func (e ExactMoments) squareKurtosis() float64 {
	if spread := e.M4 - 1; math.IsNaN(e.M8) { // by the skewness of (S − E S)²
		return 3 + float64(1.5*square((e.M6-float64(3*e.M4)+2)/float64(spread*math.Sqrt(spread))))
	}
	return (e.M8 - float64(4*e.M6) + float64(6*e.M4) - 3) / square(e.M4-1)
}
