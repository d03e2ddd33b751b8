package theory

import (
	"math"
	"math/rand"
	"testing"

	"mcsim/sim/law"
)

// P(|q·k| > x) by mpmath 1.2.1 with 40 digits, from densities and tails of its own.
func TestProductTailAgainstMpmath(t *testing.T) {
	for _, c := range []struct {
		law     string
		x, want float64
	}{
		{"normal", 0.01, 0.96357801417102828},
		{"normal", 1, 0.20899366300465233},
		{"normal", 5, 0.0021701961026903296},
		{"normal", 30, 1.3361641560279399e-14},
		{"normal", 100, 2.9499316945216138e-45},
		{"bernoulli-gaussian(0.1)", 0.01, 0.0099489196189589357},
		{"bernoulli-gaussian(0.1)", 5, 0.0040978820416340109},
		{"bernoulli-gaussian(0.1)", 300, 1.3361641560279377e-16},
		{"laplace", 0.01, 0.92379258011193674},
		{"laplace", 1, 0.13966747401529314},
		{"laplace", 30, 9.445883828937254e-7},
		{"laplace", 400, 2.5691857770491854e-24},
		{"uniform", 0.001, 0.99699787747744992},
		{"uniform", 1, 0.30046257044396344},
		{"uniform", 2.9, 0.00056183338017469771},
		{"uniform", 2.9999, 5.5556172850028927e-10},
		{"triangular", 0.001, 0.99486636797259608},
		{"triangular", 1, 0.2337292722241825},
		{"triangular", 5, 0.00014820402854759844},
		{"triangular", 5.99, 1.2877250541654785e-12},
		{"truncated-normal", 0.01, 0.96794561490683101},
		{"truncated-normal", 1, 0.23663021471923568},
		{"truncated-normal", 5, 3.0441420110423901e-5},
		{"truncated-normal", 5.16, 9.0371390133033973e-8},
		{"student-t(6.5)", 0.01, 0.9544356788590256},
		{"student-t(6.5)", 1, 0.16911588923949372},
		{"student-t(6.5)", 10, 0.00031025507718530685},
		{"student-t(6.5)", 100, 1.6031270581496194e-9},
		{"student-t(6.5)", 10000.0, 6.3363435148015655e-22},
		{"student-t(10)", 0.01, 0.95839084731718093},
		{"student-t(10)", 1, 0.18497988765500333},
		{"student-t(10)", 10, 0.00014369667698747661},
		{"student-t(10)", 100, 4.2437408076746344e-12},
		{"student-t(10)", 10000.0, 3.2791615890683525e-31},
		{"student-t(2.5)", 10, 0.00075610502244020522},
		{"student-t(2.5)", 100000000.0, 1.7299453508726775e-20},
	} {
		// The tail of a bounded law next to its end is a difference of numbers that are
		// nearly equal, and a deep one goes as e^{-x}, of which x is rounded.
		if got := ProductTail(score(t, c.law, 1).law, c.x); !(math.Abs(got/c.want-1) <= 2e-11) {
			t.Errorf("%s beyond %v: %v, want %v, off by %.1e", c.law, c.x, got, c.want, got/c.want-1)
		}
	}
}

// The product of two normal components has the density K₀(x)/π, so that its tail is
// (2/π)∫e^{−x cosh t}/cosh t dt over t > 0, and that of two Laplace components z·K₁(z) with
// z = 2√(2x): both without the quadrature that is tested.
func TestProductTailIsBessel(t *testing.T) {
	over := func(f func(t float64) float64) float64 { // of an even function that falls as e^{−cosh t}
		const step = 0.01
		sum := f(0) / 2
		for i := 1; i < 1000; i++ {
			sum += f(step * float64(i))
		}
		return step * sum
	}
	for _, x := range []float64{0.05, 0.7, 3, 25, 130, 500} {
		normal := 2 / math.Pi * over(func(t float64) float64 { return math.Exp(-x*math.Cosh(t)) / math.Cosh(t) })
		if got := ProductTail(law.Normal, x); !(math.Abs(got/normal-1) <= 2e-11) {
			t.Errorf("normal beyond %v: %v, want %v", x, got, normal)
		}
		z := 2 * math.Sqrt(2*x)
		laplace := z * over(func(t float64) float64 { return math.Exp(-z*math.Cosh(t)) * math.Cosh(t) })
		if got := ProductTail(score(t, "laplace", 1).law, x); !(math.Abs(got/laplace-1) <= 2e-11) {
			t.Errorf("laplace beyond %v: %v, want %v", x, got, laplace)
		}
	}
}

// Products of signs are signs, what is bounded has an end, the sphere has no products
// apart, and without a limit everything that is not 0 is beyond it.
func TestProductTailEnds(t *testing.T) {
	for _, c := range []struct {
		law     string
		x, want float64
	}{
		{"rademacher", 0, 1}, {"rademacher", 0.999, 1}, {"rademacher", 1, 0}, {"uniform", 3, 0}, {"triangular", 6.01, 0},
		{"truncated-normal", 5.2, 0}, {"sphere", 2, 0}, {"normal", 0, 1}, {"bernoulli-gaussian(0.1)", 0, 0.01}, {"normal", 1e4, 0},
	} {
		if got := ProductTail(score(t, c.law, 1).law, c.x); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s beyond %v: %v, want %v", c.law, c.x, got, c.want)
		}
	}
}

// The chance per score that single products raise s² is counted among drawn scores: a
// product is a score at d_k = 1.
func TestVarianceSingleIsCounted(t *testing.T) {
	const draws = 400_000
	from := rand.New(rand.NewSource(3))
	size := func() float64 { // of a student-t variable of 7 degrees of freedom, of variance 1
		var sum float64
		for range 7 {
			z := from.NormFloat64()
			sum += z * z
		}
		return from.NormFloat64() / math.Sqrt(sum/7) * math.Sqrt(5.0/7)
	}
	s := NewScore(score(t, "student-t(7)", 1).law, 1)
	const n = 1000
	for _, rise := range []float64{0.005, 0.02, 0.08} {
		var count float64
		for range draws {
			if w := size() * size(); w*w > 1+n*rise {
				count++
			}
		}
		want := s.VarianceSingle(n, rise) / n
		if z := (count - draws*want) / math.Sqrt(draws*want); math.Abs(z) > 4.5 {
			t.Errorf("a rise of %v: %v of %v products, want %v", rise, count, draws, draws*want)
		}
	}
}

// What one product, or one component of matrices, does to an estimate is what it does to a
// sample in which it is put: on average over the rest, in which every other number is ±1
// with equal chance, so that few averages tell.
func TestSingleMovesTheEstimate(t *testing.T) {
	const d, n, m, w = 3, 40, 5, 30.0
	from := rand.New(rand.NewSource(5))
	sign := func() float64 { return float64(2*from.Intn(2) - 1) }
	var s2, gram []float64
	for range 20000 {
		var squares, sum float64
		for i := range n {
			score := sign() + sign() + sign()
			if i == 0 {
				score = w + sign() + sign()
			}
			sum += score
			squares += score * score
		}
		s2 = append(s2, (squares-sum*sum/n)/(n-1)-d)
		gram = append(gram, gramMean(from, d, n/m, m, w)-d)
	}
	for _, c := range []struct {
		name   string
		values []float64
		want   float64
	}{{"s²", s2, (w*w - 1) / n}, {"matrices", gram, m * (w*w - 1) / n}} {
		var mean, squares float64
		for _, v := range c.values {
			mean += v / float64(len(c.values))
			squares += v * v
		}
		se := math.Sqrt((squares/float64(len(c.values)) - mean*mean) / float64(len(c.values)))
		if math.Abs(mean-c.want) > 4.5*se || se > c.want/50 {
			t.Errorf("%s rises by %v ± %v, want %v", c.name, mean, se, c.want)
		}
	}
}

// gramMean is the mean of S² of a matrix of signs in which the first component of the first
// query is w.
func gramMean(from *rand.Rand, d, queries, keys int, w float64) float64 {
	draw := func(rows int) [][]float64 {
		x := make([][]float64, rows)
		for i := range x {
			for range d {
				x[i] = append(x[i], float64(2*from.Intn(2)-1))
			}
		}
		return x
	}
	q, k := draw(queries), draw(keys)
	q[0][0] = w
	var sum float64
	for _, a := range q {
		for _, b := range k {
			var s float64
			for i := range a {
				s += a[i] * b[i]
			}
			sum += s * s
		}
	}
	return sum / float64(queries*keys)
}

// The square that a product must have to raise the sample's own error, put back into the
// raise of V = m₄ − m₂² to first order, gives that error.
func TestErrorSingle(t *testing.T) {
	for _, name := range []string{"normal", "student-t(14)", "laplace"} {
		for _, d := range []int{1, 2, 16} {
			l := score(t, name, 1).law
			s := NewScore(l, d)
			const n, rise = 100000, 0.1
			chance := s.ErrorSingle(n, rise)
			// The limit on w², found by halving.
			raise := func(y float64) float64 {
				w4, k2, D := (y+1)*(y+1), l.Kurtosis()*l.Kurtosis(), float64(d)
				v := D * D * (s.M4 - 1)
				return math.Sqrt(1+(w4-k2+6*(D-1)*y-2*D*y)/n/v) - 1
			}
			lo, hi := 10.0, 1e9
			for range 200 {
				if mid := (lo + hi) / 2; raise(mid) < rise {
					lo = mid
				} else {
					hi = mid
				}
			}
			want := n * float64(d) * ProductTail(l, math.Sqrt(1+lo))
			if !(math.Abs(chance/want-1) < 1e-6) {
				t.Errorf("%s, d = %d: %v, want %v", name, d, chance, want)
			}
		}
	}
}

// The kurtosis of a large sample of variance 1 rises by what one component
// that is put in place of another makes by hand: m₄/m₂² with both moments moved.
func TestKurtosisSingle(t *testing.T) {
	for _, name := range []string{"normal", "laplace", "bernoulli-gaussian(0.1)"} {
		l := score(t, name, 1).law
		k := l.Kurtosis()
		const n = 1e11 // so large that the first order in 1/n is all
		for _, x := range []float64{9, 12} {
			m2, m4 := (n-1+x*x)/n, ((n-1)*k+x*x*x*x)/n
			rise := m4/(m2*m2) - k
			if got, want := KurtosisSingle(l, n, rise), n*ComponentTail(l, x); !(rise > 0) || !(math.Abs(got/want-1) < 1e-3) {
				t.Errorf("%s, x = %v: %v, want %v", name, x, got, want)
			}
		}
	}
}
