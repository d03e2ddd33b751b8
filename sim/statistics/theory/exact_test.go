package theory

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// visitSigns calls f with every vector of n signs.
func visitSigns(n int, f func([]float64)) {
	s := make([]float64, n)
	for bits := range 1 << n {
		for i := range s {
			s[i] = 1 - 2*float64(bits>>i&1)
		}
		f(s)
	}
}

// equallyLikely is a distribution of equally likely scores.
type equallyLikely struct{ scores []float64 }

func (c equallyLikely) mean() float64 {
	var sum float64
	for _, s := range c.scores {
		sum += s
	}
	return sum / float64(len(c.scores))
}

func (c equallyLikely) central(order float64) float64 {
	mean, sum := c.mean(), 0.0
	for _, s := range c.scores {
		sum += math.Pow(s-mean, order)
	}
	return sum / float64(len(c.scores))
}

// check compares e with the moments of the scores. hasM8 says that M8 of e is known.
func (c equallyLikely) check(t *rapid.T, e ExactMoments, hasM8 bool) {
	scale := math.Sqrt(c.central(2))
	compare := func(name string, got, want float64) {
		if math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
			t.Errorf("the %s is %v, want %v", name, got, want)
		}
	}
	compare("mean", e.Mean, c.mean())
	compare("standard deviation", math.Sqrt(e.Variance), scale)
	if scale < 1e-3 {
		return // rounding dominates the enumerated moments
	}
	compare("M3", e.M3, c.central(3)/math.Pow(scale, 3))
	compare("M4", e.M4, c.central(4)/math.Pow(scale, 4))
	compare("M6", e.M6, c.central(6)/math.Pow(scale, 6))
	if hasM8 {
		compare("M8", e.M8, c.central(8)/math.Pow(scale, 8))
	}
	var squareDeviations float64
	meanSquare := c.central(2) + c.mean()*c.mean()
	for _, s := range c.scores {
		squareDeviations += math.Pow(s*s-meanSquare, 2)
	}
	// Variances are compared instead of standard errors, because the root of a variance near 0 has
	// few correct digits.
	compare("variance of the mean square", math.Pow(e.SquareSE(1)/(scale*scale), 2),
		squareDeviations/float64(len(c.scores))/math.Pow(scale, 4))
}

// TestMismatchByCounting compares Mismatch.Moments for components ±1 with the moments of all
// possible scores: all signs of the components of q and k and of the two common numbers.
func TestMismatchByCounting(t *testing.T) {
	l := mustParse(t, "rademacher")
	rapid.Check(t, func(t *rapid.T) {
		components := func(name string) Components {
			return Components{
				Mean:        rapid.Float64Range(-2, 2).Draw(t, name+" mean"),
				SD:          rapid.Float64Range(0.1, 3).Draw(t, name+" sd"),
				Correlation: rapid.SampledFrom([]float64{0, 0.1, 0.5, 1}).Draw(t, name+" correlation"),
			}
		}
		d := rapid.IntRange(1, 3).Draw(t, "d")
		m := Mismatch{D: d, Q: components("q"), K: components("k")}
		var enumerated equallyLikely
		visitSigns(2*d+2, func(s []float64) {
			component := func(c Components, common, independent float64) float64 {
				return c.Mean + c.SD*(math.Sqrt(c.Correlation)*common+math.Sqrt(1-c.Correlation)*independent)
			}
			var score float64
			for i := range d {
				score += component(m.Q, s[2*d], s[i]) * component(m.K, s[2*d+1], s[d+i])
			}
			enumerated.scores = append(enumerated.scores, score)
		})
		enumerated.check(t, m.Moments(l), true)
	})
}

// TestAlignedByCounting compares Aligned.Moments and MeanSquare for components ±1 with the moments
// of all possible scores.
func TestAlignedByCounting(t *testing.T) {
	l := mustParse(t, "rademacher")
	rapid.Check(t, func(t *rapid.T) {
		d, rho := rapid.IntRange(1, 5).Draw(t, "d"), rapid.Float64Range(-1, 1).Draw(t, "rho")
		a := Aligned{d, rho}
		var enumerated equallyLikely
		visitSigns(2*d, func(s []float64) {
			var score float64
			for i := range d {
				score += s[i] * (rho*s[i] + math.Sqrt(1-rho*rho)*s[d+i])
			}
			enumerated.scores = append(enumerated.scores, score)
		})
		e := a.Moments(l)
		enumerated.check(t, e, rho == 0)
		want := enumerated.central(2) + enumerated.mean()*enumerated.mean()
		if got := a.MeanSquare(l); math.Abs(got-want) > 1e-9*want {
			t.Errorf("E S² is %v, want %v", got, want)
		}
	})
}

// TestStandardComponentsGiveScore checks that Mismatch with components of mean 0, variance 1 and no
// correlation, and Aligned with ρ = 0, have the moments of Score.
func TestStandardComponentsGiveScore(t *testing.T) {
	standard := Components{SD: 1}
	for _, name := range []string{
		"normal", "uniform", "laplace", "student-t(10)", "student-t(4.5)", "student-t(3)", "bernoulli-gaussian(0.1)",
	} {
		for _, d := range []int{1, 7, 4096} {
			l := mustParse(t, name)
			s := NewScore(l, d)
			for source, e := range map[string]ExactMoments{
				"mismatch": Mismatch{d, standard, standard}.Moments(l),
				"aligned":  Aligned{D: d}.Moments(l),
			} {
				check := func(moment string, got, want float64) {
					if got != want && !isNear(got, want, 1e-9) { // both may be infinite
						t.Errorf("%s %s, d = %d: %s is %v, want %v", name, source, d, moment, got, want)
					}
				}
				check("variance", e.Variance, s.Variance())
				if !(source == "mismatch" && name == "student-t(3)") { // M3 does not exist there
					check("M3", e.M3, 0)
				}
				check("M4", e.M4, s.M4)
				check("M6", e.M6, s.M6)
				check("M8", e.M8, s.M8)
			}
		}
	}
}

// TestLocalExponent checks that the exponent is ½ without alignment and near 1 if the mean
// dominates. It also checks that the exponent at d is between the exponents from d − 1 to d and
// from d to d + 1, and does not decrease with d.
func TestLocalExponent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := mustParse(t, rapid.SampledFrom([]string{"normal", "uniform", "laplace", "rademacher",
			"sphere"}).Draw(t, "distribution"))
		d, rho := rapid.IntRange(2, 1<<16).Draw(t, "d"), rapid.Float64Range(0, 1).Draw(t, "rho")
		a := Aligned{d, rho}
		p := a.LocalExponent(l)
		if p < 0.5 || p > 1 {
			t.Errorf("got the exponent %v, want 0.5 to 1", p)
		}
		if rho == 0 && p != 0.5 {
			t.Errorf("got the exponent %v without alignment, want 0.5", p)
		}
		previous, next := Aligned{d - 1, rho}, Aligned{d + 1, rho}
		low, high := previous.ExponentBetween(l, d), a.ExponentBetween(l, d+1)
		if p < min(low, high)-1e-9 || p > max(low, high)+1e-9 {
			t.Errorf("the exponent %v is not between %v and %v", p, low, high)
		}
		if got := next.LocalExponent(l); got < p-1e-12 {
			t.Errorf("the exponent at d + 1 is %v, want at least %v, the one at d", got, p)
		}
	})
	if p := (Aligned{1 << 20, 1}).LocalExponent(mustParse(t, "normal")); p < 1-1e-5 {
		t.Errorf("the exponent for ρ = 1 at d = 2²⁰ is %v, want 1 to within 1e-5", p)
	}
}

// TestAlignedRowsSimulated compares AlignedSoftmax with means over rows that the test samples
// itself.
func TestAlignedRowsSimulated(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		keys, d    int
		rho, scale float64
	}{{8, 4, 0.5, 0.5}, {3, 16, 0.3, 0.25}, {5, 2, -0.4, 1}, {8, 9, 1, 1. / 9}, {2, 6, 0.2, 1}, {8, 4, 0, 0.5}} {
		const n = 60_000
		var weight, weight2, relative, first float64
		for range n {
			q := make([]float64, c.d)
			for i := range q {
				q[i] = rnd.NormFloat64()
			}
			var total, squares, alignedExp float64
			largest := math.Inf(-1)
			s := make([]float64, c.keys)
			for j := range s {
				for i := range q {
					k := rnd.NormFloat64()
					if j == 0 {
						k = c.rho*q[i] + math.Sqrt(1-c.rho*c.rho)*k
					}
					s[j] += q[i] * k
				}
				largest = max(largest, s[j])
			}
			for j := range s {
				e := math.Exp(c.scale * (s[j] - largest))
				total += e
				squares += e * e
				if j == 0 {
					alignedExp = e
				}
			}
			a := alignedExp / total
			weight += a
			weight2 += a * a
			relative += (1 - squares/total/total) / (1 - 1/float64(c.keys))
			if s[0] == largest {
				first++
			}
		}
		want := AlignedSoftmax(c.keys, c.d, c.rho, c.scale)
		se := math.Sqrt((weight2/n - weight/n*weight/n) / n)
		if z := (weight/n - want.Weight) / se; math.Abs(z) > 4.5 {
			t.Errorf("%+v: the simulated mean weight is %v, AlignedSoftmax has %v", c, weight/n, want.Weight)
		}
		firstSE := math.Sqrt(want.FirstProbability * (1 - want.FirstProbability) / n)
		if z := (first/n - want.FirstProbability) / firstSE; math.Abs(z) > 4.5 {
			t.Errorf("%+v: the aligned key was first in %v of the rows, want %v", c, first/n, want.FirstProbability)
		}
		// R is between 0 and 1, so that its standard deviation is at most 0.5.
		if math.Abs(relative/n-want.RelativeTrace) > 4.5*0.5/math.Sqrt(n) {
			t.Errorf("%+v: the simulated mean of R is %v, AlignedSoftmax has %v", c, relative/n, want.RelativeTrace)
		}
	}
}
