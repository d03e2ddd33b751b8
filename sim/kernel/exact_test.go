package kernel

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// exactDistribution is a distribution for the statistical tests. Its functions are independent of
// package distribution.
type exactDistribution struct {
	name            string
	dimension       int                     // dimension of the vectors of sphere, otherwise 0
	survival        func(x float64) float64 // P(X > x) for x ≥ 0, given X ≠ 0
	zeroProbability float64                 // P(X = 0)
	roundedToZero   float64                 // probability that a draw X ≠ 0 is rounded to 0
}

var exactDistributions = []exactDistribution{
	{name: "normal", survival: normalSurvival, roundedToZero: roundsToOne},
	{name: "uniform",
		survival: func(x float64) float64 { return max(0, 0.5-x/math.Sqrt(12)) }},
	{name: "laplace", roundedToZero: roundsToOne,
		survival: func(x float64) float64 { return math.Exp(-math.Sqrt2*x) / 2 }},
	{name: "triangular", roundedToZero: sumRoundsToZero,
		survival: func(x float64) float64 { y := max(0, 1-x/math.Sqrt(6)); return y * y / 2 }},
	{name: "truncated-normal", survival: truncatedSurvival},
	newStudentT("student-t(5)", 5),
	newStudentT("student-t(10)", 10),
	newStudentT("student-t(20)", 20),
	newBernoulliGaussian("bernoulli-gaussian(0.1)", 0.1),
	newBernoulliGaussian("bernoulli-gaussian(0.5)", 0.5),
	newSphere(8),
}

const (
	// roundsToOne is the probability that u = (w+½)/2³¹ with w of 31 bits rounds to 1, whose
	// logarithm is 0. This happens for 64 words w, since float32 numbers just below 2³¹ have a
	// distance of 128.
	roundsToOne = 64.0 / (1 << 31)

	// sumRoundsToZero is the probability that two words round to opposite numbers. A proportion of
	// 2^−j of the words is in the j-th octave from the highest, in which float32 numbers have a
	// distance of 2^(8−j).
	sumRoundsToZero = 2.0 / 3 * 128 / (1 << 32)
)

func normalSurvival(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }

// truncatedSD is the standard deviation of the normal distribution cut at ±2, by mpmath 1.2.1.
var truncatedSD = math.Sqrt(0.77374130354992324718)

func truncatedSurvival(x float64) float64 {
	total := math.Erf(math.Sqrt2)
	return max(0, (total-math.Erf(x*truncatedSD/math.Sqrt2))/(2*total))
}

func newStudentT(name string, nu float64) exactDistribution {
	return exactDistribution{name: name,
		survival: func(x float64) float64 {
			return mathext.RegIncBeta(nu/2, 0.5, (nu-2)/(nu-2+x*x)) / 2
		},
		roundedToZero: roundsToOne,
	}
}

// newBernoulliGaussian uses p itself, although the sampler rounds p up to a multiple of 2^−32.
func newBernoulliGaussian(name string, p float64) exactDistribution {
	return exactDistribution{name: name, zeroProbability: 1 - p,
		survival: func(x float64) float64 { return normalSurvival(x * math.Sqrt(p)) },
	}
}

// newSphere returns the distribution of one component x of a vector that is uniform on the sphere
// of radius √d: x²/d has the distribution Beta(½, (d−1)/2).
func newSphere(d int) exactDistribution {
	half := float64(d) / 2
	return exactDistribution{name: "sphere", dimension: d, roundedToZero: roundsToOne,
		survival: func(x float64) float64 {
			return mathext.RegIncBeta(half-0.5, 0.5, max(0, 1-x*x/float64(d))) / 2
		}}
}
