package kernel

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// exact is a distribution as the statistical tests know it, apart from package distribution.
type exact struct {
	name      string
	dimension int                     // of the vectors of sphere, else 0
	survival  func(x float64) float64 // P(X > x) for x ≥ 0, given X ≠ 0
	zeros     float64                 // P(X = 0)
	rounded   float64                 // the chance that rounding alone gives 0
}

var exacts = []exact{
	{name: "normal", survival: normalSurvival, rounded: roundsToOne},
	{name: "uniform",
		survival: func(x float64) float64 { return max(0, 0.5-x/math.Sqrt(12)) }},
	{name: "laplace", rounded: roundsToOne,
		survival: func(x float64) float64 { return math.Exp(-math.Sqrt2*x) / 2 }},
	{name: "triangular", rounded: cancels,
		survival: func(x float64) float64 { y := max(0, 1-x/math.Sqrt(6)); return y * y / 2 }},
	{name: "truncated-normal", survival: truncatedSurvival},
	studentExact("student-t(5)", 5),
	studentExact("student-t(10)", 10),
	studentExact("student-t(20)", 20),
	bernoulliExact("bernoulli-gaussian(0.1)", 0.1),
	bernoulliExact("bernoulli-gaussian(0.5)", 0.5),
	sphereExact(8),
}

const (
	// roundsToOne is the chance that u = (w+½)/2³¹, w of 31 bits, rounds to 1,
	// which has the logarithm 0: float32 are 128 apart just below 2³¹.
	roundsToOne = 64.0 / (1 << 31)

	// cancels is the chance that two words round to opposite numbers: those of
	// the j-th binade from above, a share 2^−j, are 2^(8−j) apart.
	cancels = 2.0 / 3 * 128 / (1 << 32)
)

func normalSurvival(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }

// truncatedSD is the standard deviation of the normal distribution cut at ±2, by
// mpmath 1.2.1.
var truncatedSD = math.Sqrt(0.77374130354992324718)

func truncatedSurvival(x float64) float64 {
	whole := math.Erf(math.Sqrt2)
	return max(0, (whole-math.Erf(x*truncatedSD/math.Sqrt2))/(2*whole))
}

func studentExact(name string, nu float64) exact {
	return exact{name: name,
		survival: func(x float64) float64 {
			return mathext.RegIncBeta(nu/2, 0.5, (nu-2)/(nu-2+x*x)) / 2
		},
		rounded: roundsToOne,
	}
}

// The share of zeros is p rounded up to a multiple of 2^−32.
func bernoulliExact(name string, p float64) exact {
	return exact{name: name, zeros: 1 - p,
		survival: func(x float64) float64 { return normalSurvival(x * math.Sqrt(p)) },
	}
}

// sphereExact is one component of a vector uniform on the sphere of radius
// √d: x²/d has the distribution Beta(½, (d−1)/2).
func sphereExact(d int) exact {
	half := float64(d) / 2
	return exact{name: "sphere", dimension: d, rounded: roundsToOne,
		survival: func(x float64) float64 {
			return mathext.RegIncBeta(half-0.5, 0.5, max(0, 1-x*x/float64(d))) / 2
		}}
}
