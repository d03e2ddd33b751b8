package theory

import "math"

// ExactMoments holds the mean and the variance σ² of a score S, and M3, M4, M6 and M8, the moments
// of (S − E S)/σ of these orders. A moment is +Inf if it does not exist and NaN if it is not known.
type ExactMoments struct {
	Mean, Variance float64
	M3, M4, M6, M8 float64
}

var infinity = math.Inf(1) // value of a moment that does not exist

// newExactMoments converts the central moments of orders 0, 1, … to ExactMoments. Moments whose
// order exceeds the orders of central are set to missing, which is +Inf or NaN.
func newExactMoments(mean float64, central []float64, missing float64) ExactMoments {
	e := ExactMoments{Mean: mean, Variance: missing, M3: missing, M4: missing, M6: missing, M8: missing}
	if len(central) < 3 {
		return e
	}
	e.Variance = max(0, central[2])
	sd := math.Sqrt(e.Variance)
	for order, moment := range map[int]*float64{3: &e.M3, 4: &e.M4, 6: &e.M6, 8: &e.M8} {
		if order >= len(central) {
			continue
		}
		*moment = central[order]
		for range order {
			*moment /= sd
		}
		if sd == 0 {
			*moment = 0
		}
	}
	return e
}

// IsDegenerate reports whether (S − E S)² is constant.
func (e ExactMoments) IsDegenerate() bool { return e.Variance == 0 || e.M4-1 <= 1e-12 }

// MeanSE returns the standard error of the mean of n independent scores.
func (e ExactMoments) MeanSE(n int64) float64 { return math.Sqrt(e.Variance / float64(n)) }

// VarianceSE returns the standard error σ²√(2/(n−1) + (M4 − 3)/n) of the sample variance s².
func (e ExactMoments) VarianceSE(n int64) float64 {
	return float64(e.Variance * math.Sqrt(max(0, 2/float64(n-1)+(e.M4-3)/float64(n))))
}

// SquareSE returns the standard error of the mean of S² over n independent scores. With S = μ + σt,
// S² = μ² + 2μσt + σ²t² has the variance σ²(4μ² + 4μσM3 + σ²(M4 − 1)). The factor in parentheses is
// relativeVariance.
func (e ExactMoments) SquareSE(n int64) float64 {
	sd := math.Sqrt(e.Variance)
	relativeVariance := float64(4*square(e.Mean)) + float64(4*float64(e.Mean*float64(sd*e.M3))) +
		float64(e.Variance*(e.M4-1))
	return math.Sqrt(float64(e.Variance*max(0, relativeVariance)) / float64(n))
}

// VarianceSkew returns √n times the skewness of s² of n scores,
// (M6 − 3M4 + 2 − 6M3²)/(M4 − 1)^{3/2}. The term 6M3² comes from the estimated mean.
func (e ExactMoments) VarianceSkew() float64 {
	if e.IsDegenerate() {
		return 0
	}
	if math.IsInf(e.M6, 1) {
		return e.M6
	}
	squareVariance := e.M4 - 1 // variance of (S − E S)²/σ²
	return (e.M6 - float64(3*e.M4) + 2 - float64(6*square(e.M3))) / float64(squareVariance*math.Sqrt(squareVariance))
}

// ErrorOfMeanError returns ½√((M4 − 1)/n), the relative standard error of the standard error of the
// mean of n independent scores, which is estimated from the same scores.
func (e ExactMoments) ErrorOfMeanError(n int64) float64 {
	return math.Sqrt(max(0, e.M4-1)/float64(n)) / 2
}

// ErrorOfError returns ½√((κ_Y − 1)/n), with κ_Y the kurtosis of Y = (S − E S)². It is the relative
// standard error of the standard error of s² of n independent scores, which is estimated from the
// same scores. If the eighth moment is unknown, κ_Y is assumed to be 3 + (3/2)γ_Y², with γ_Y the
// skewness of Y, as for a gamma distribution. (For normal scores Y has one.)
func (e ExactMoments) ErrorOfError(n int64) float64 {
	if e.IsDegenerate() {
		return 0
	}
	if math.IsInf(e.M8, 1) {
		return e.M8
	}
	return math.Sqrt(max(0, e.squareKurtosis()-1)/float64(n)) / 2
}

// squareKurtosis returns κ_Y.
func (e ExactMoments) squareKurtosis() float64 {
	if math.IsNaN(e.M8) {
		variance := e.M4 - 1 // of Y/σ²
		skewness := (e.M6 - float64(3*e.M4) + 2) / float64(variance*math.Sqrt(variance))
		return 3 + float64(1.5*square(skewness))
	}
	return (e.M8 - float64(4*e.M6) + float64(6*e.M4) - 3) / square(e.M4-1)
}
