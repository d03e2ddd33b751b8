package kernel

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// exact is a law as the statistical tests know it, apart from package law.
type exact struct {
	name      string
	dimension int                     // of the vectors of sphere, else 0
	survival  func(x float64) float64 // P(X > x) for x ≥ 0, given X ≠ 0
	moment    func(k int) float64     // E x^k, k even; +Inf where it does not exist
	shift     func(k int) float64     // what the finite number of words does to it; nil for nothing
	zeros     float64                 // P(X = 0)
	rounded   float64                 // the chance that rounding alone gives 0
	end       float64                 // of the support; 0 for none
}

var exacts = []exact{
	{name: "normal", survival: normalSurvival, moment: normalMoment, shift: normalShift, rounded: roundsToOne},
	{name: "uniform", end: math.Sqrt(3),
		survival: func(x float64) float64 { return max(0, 0.5-x/math.Sqrt(12)) },
		moment:   func(k int) float64 { return math.Pow(3, float64(k)/2) / float64(k+1) }},
	{name: "laplace", shift: laplaceShift, rounded: roundsToOne,
		survival: func(x float64) float64 { return math.Exp(-math.Sqrt2*x) / 2 },
		moment:   func(k int) float64 { return math.Gamma(float64(k+1)) / math.Pow(2, float64(k)/2) }},
	{name: "triangular", end: math.Sqrt(6), rounded: cancels,
		survival: func(x float64) float64 { y := max(0, 1-x/math.Sqrt(6)); return y * y / 2 },
		moment:   func(k int) float64 { return 2 * math.Pow(6, float64(k)/2) / float64((k+1)*(k+2)) }},
	{name: "truncated-normal", end: 2 / truncatedSD, survival: truncatedSurvival, moment: truncatedMoment},
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

// normalMoment is (k−1)!!.
func normalMoment(k int) float64 {
	m := 1.0
	for j := k - 1; j > 1; j -= 2 {
		m *= float64(j)
	}
	return m
}

// truncatedSD is the standard deviation of the normal law cut at ±2, by
// mpmath 1.2.1.
var truncatedSD = math.Sqrt(0.77374130354992324718)

func truncatedSurvival(x float64) float64 {
	whole := math.Erf(math.Sqrt2)
	return max(0, (whole-math.Erf(x*truncatedSD/math.Sqrt2))/(2*whole))
}

// truncatedMoment by parts: m_k = (k−1)m_{k−2} − 2^k φ(2)/erf(√2), φ the normal density.
func truncatedMoment(k int) float64 {
	m := 1.0
	for j := 2; j <= k; j += 2 {
		m = float64(j-1)*m - math.Pow(2, float64(j))*math.Exp(-2)/math.Sqrt(2*math.Pi)/math.Erf(math.Sqrt2)
	}
	return m / math.Pow(truncatedSD, float64(k))
}

func studentExact(name string, nu float64) exact {
	return exact{name: name,
		survival: func(x float64) float64 {
			return mathext.RegIncBeta(nu/2, 0.5, (nu-2)/(nu-2+x*x)) / 2
		},
		moment: func(k int) float64 {
			if nu <= float64(k) {
				return math.Inf(1)
			}
			m := normalMoment(k)
			for j := 2; j <= k; j += 2 {
				m *= (nu - 2) / (nu - float64(j))
			}
			return m
		},
		shift:   func(k int) float64 { return studentShift(nu, k) },
		rounded: roundsToOne,
	}
}

// The share of zeros is p rounded up to a multiple of 2^−32.
func bernoulliExact(name string, p float64) exact {
	scale := func(k int) float64 { return math.Pow(p, 1-float64(k)/2) }
	return exact{name: name, zeros: 1 - p,
		survival: func(x float64) float64 { return normalSurvival(x * math.Sqrt(p)) },
		moment:   func(k int) float64 { return scale(k) * normalMoment(k) },
		shift:    func(k int) float64 { return scale(k) * normalShift(k) },
	}
}

// sphereExact is one component of a vector uniform on the sphere of radius
// √d: x²/d has the law Beta(½, (d−1)/2).
func sphereExact(d int) exact {
	half := float64(d) / 2
	return exact{name: "sphere", dimension: d, end: math.Sqrt(float64(d)), rounded: roundsToOne,
		survival: func(x float64) float64 {
			return mathext.RegIncBeta(half-0.5, 0.5, max(0, 1-x*x/float64(d))) / 2
		},
		moment: func(k int) float64 {
			m := normalMoment(k)
			for j := range k / 2 {
				m *= float64(d) / float64(d+2*j)
			}
			return m
		}}
}

// A law that is made of u = (i+½)h in place of a continuous u has the moment
// ∑ h·g((i+½)h) in place of ∫g. The shifts below are that difference over the
// first cells, where g is steep; the rest of it is smaller by 1/(24·cells).
const cells = 256

func gridShift(h float64, g func(u float64) float64, integral float64) float64 {
	sum := 0.0
	for i := range cells {
		sum += g((float64(i) + 0.5) * h)
	}
	return sum*h - integral
}

// logShift is the shift of E(−ln u)^m for h = 2^−31; the integral of (−ln u)^m
// from 0 to a is Γ(m+1, −ln a), a finite sum for whole m.
func logShift(m int) float64 {
	const h = 1.0 / (1 << 31)
	l, term, integral := -math.Log(cells*h), 1.0, 0.0
	for j := m; j >= 0; j-- { // m!/j!·lʲ
		integral += term * math.Pow(l, float64(j))
		term *= float64(j)
	}
	return gridShift(h, func(u float64) float64 { return math.Pow(-math.Log(u), float64(m)) }, cells*h*integral)
}

// E x^k = 2^{k/2} E(−ln u)^{k/2} E cos^k, E cos^k = (k−1)!!/k!!.
func normalShift(k int) float64 {
	return math.Pow(2, float64(k)/2) * logShift(k/2) * cosineMoment(k)
}

func cosineMoment(k int) float64 {
	m := 1.0
	for j := 2; j <= k; j += 2 {
		m *= float64(j-1) / float64(j)
	}
	return m
}

func laplaceShift(k int) float64 { return logShift(k) / math.Pow(2, float64(k)/2) }

// x² = (ν−2)(u^{−2/ν}−1)cos², u in steps of 2^−62.
func studentShift(nu float64, k int) float64 {
	const h = 0x1p-62
	m := k / 2
	integral, choose := 0.0, 1.0
	for j := range m + 1 {
		power := 1 - 2*float64(j)/nu
		integral += choose * math.Pow(-1, float64(m-j)) * math.Pow(cells*h, power) / power
		choose *= float64(m-j) / float64(j+1)
	}
	g := func(u float64) float64 { return math.Pow(math.Pow(u, -2/nu)-1, float64(m)) }
	return math.Pow(nu-2, float64(m)) * gridShift(h, g, integral) * cosineMoment(k)
}
