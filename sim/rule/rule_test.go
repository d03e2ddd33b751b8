package rule

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcsim/sim/law"
	"mcsim/sim/names"
)

func number(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

func parsed(t interface {
	Helper()
	Fatal(...any)
}, text string) Rule {
	t.Helper()
	r, err := Parse(text, number)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func lawOf(t testing.TB, text string) law.Law {
	t.Helper()
	l, err := law.Parse(text, number)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"power": "power(0.5)", "power(0)": "power(0)", "power:p=1": "power(1)", "power=-2": "power(-2)",
		"sqrt(d_k/2)": "sqrt(d_k/2)", "temperature": "temperature(8)", "learned(3)": "learned(3)", "log-n": "log-n(1)",
		"cosine(s=20)": "cosine(20)", "key-normalised": "key-normalised", "qk-norm": "qk-norm(1)", "soft-cap(1)": "soft-cap(1)",
		"additive": "additive", "additive(64)": "additive(64)", "additive(d_a=3)": "additive(3)",
	} {
		r, err := Parse(text, number)
		if err != nil || r.String() != want {
			t.Errorf("%s is read as %v (%v), want %s", text, r, err, want)
			continue
		}
		if again, err := Parse(r.String(), number); err != nil || again != r {
			t.Errorf("%v is read back as %v (%v)", r, again, err)
		}
	}
	for text, want := range map[string]string{
		"": "unknown rule", "powr(1)": "unknown rule", "sqrt(d_k)": "unknown rule", "power(5)": "not in -4..4",
		"power(x)": "invalid syntax", "power(1": "lacks its closing", "key-normalised(2)": "takes no parameter",
		"soft-cap(0)": "not in 1e-06..1e+06", "additive(1.5)": "not a whole number", "additive(0)": "not in 1..4096", "cosine(nan)": "not in",
	} {
		if r, err := Parse(text, number); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is read as %v (%v), want an error with %q", text, r, err, want)
		}
	}
}

// The variance of a factor is its square times d.
func TestVarianceOfFactors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, n := rapid.IntRange(1, 1<<20).Draw(t, "d"), rapid.IntRange(2, 4096).Draw(t, "n")
		x := rapid.Float64Range(0.01, 3.9).Draw(t, "parameter")
		for _, name := range []string{"power", "sqrt(d_k/2)", "temperature", "learned", "log-n"} {
			k := find(name)
			r := Rule{k, x}
			f, ok := r.Factor(d, n)
			want := f * f * float64(d)
			if got := r.Variance(Setting{D: d, Keys: n}).Value; !ok || math.Abs(got-want) > 1e-12*want {
				t.Errorf("%v at d = %d: variance %v, want %v", r, d, got, want)
			}
			// S/d^p has the slope 1 − 2p, and so has every factor its own.
			g, _ := r.Factor(2*d, n)
			slope := math.Log2(2 * g * g / (f * f))
			if got := r.kind.slope(x).Value; math.Abs(slope-got) > 1e-11 {
				t.Errorf("%v: slope %v, want %v", r, got, slope)
			}
		}
	})
}

// Rules that divide by the length of q or k do not see it; the soft cap bounds
// what it lets through, and lets small logits through as they are.
func TestLogits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Pair{Score: rapid.Float64Range(-100, 100).Draw(t, "score"), QuerySquare: rapid.Float64Range(0.1, 1e3).Draw(t, "|q|²"),
			KeySquare: rapid.Float64Range(0.1, 1e3).Draw(t, "|k|²"), D: rapid.IntRange(1, 4096).Draw(t, "d"), Keys: 8}
		a, b := rapid.Float64Range(0.01, 100).Draw(t, "a"), rapid.Float64Range(0.01, 100).Draw(t, "b")
		scaled := Pair{p.Score * a * b, p.QuerySquare * a * a, p.KeySquare * b * b, p.D, p.Keys}
		for name, factor := range map[string]float64{"cosine": 1, "qk-norm": 1, "key-normalised": a} {
			r := parsed(t, name)
			if x, y := r.Logit(&p)*factor, r.Logit(&scaled); math.Abs(x-y) > 1e-12*math.Abs(x) {
				t.Errorf("%s: %v, and with longer vectors %v", name, x, y)
			}
		}
		c := rapid.Float64Range(0.1, 100).Draw(t, "cap")
		r := Rule{softCap, c}
		got, bare := r.Logit(&p), p.Score/math.Sqrt(float64(p.D))
		if want := c * math.Tanh(bare/c); math.Abs(got-want) > 1e-13*math.Abs(want) || math.Abs(got) > c || math.Abs(got) > math.Abs(bare)*(1+1e-13) {
			t.Errorf("soft cap %v of %v: %v, want %v", c, bare, got, want)
		}
		nothing := Pair{D: 4, Keys: 8, KeySquare: 1}
		if x := parsed(t, "cosine").Logit(&nothing); x != 0 {
			t.Errorf("the cosine of no vector is %v", x)
		}
	})
}

// The operations of the dot product and of the additive rule, counted.
func TestOperations(t *testing.T) {
	for name, want := range map[string]Operations{
		"power(0)":       {Multiplications: 64, Additions: 63},
		"power":          {Multiplications: 65, Additions: 63},
		"cosine":         {Multiplications: 65, Additions: 63},
		"key-normalised": {Multiplications: 64, Additions: 63},
		"soft-cap":       {Multiplications: 66, Additions: 63, Tanhs: 1},
		"additive":       {Multiplications: 64, Additions: 127, Tanhs: 64},
		"additive(16)":   {Multiplications: 16, Additions: 31, Tanhs: 16},
	} {
		if got := parsed(t, name).Pair(64); got != want {
			t.Errorf("%s takes %+v a pair, want %+v", name, got, want)
		}
	}
	for name, want := range map[string]Operations{
		"power": {}, "additive(16)": {Multiplications: 16 * 64, Additions: 16 * 63},
		"cosine": {Multiplications: 128, Additions: 63, Divisions: 1, SquareRoots: 1},
	} {
		if got := parsed(t, name).Vector(64); got != want {
			t.Errorf("%s takes %+v a vector, want %+v", name, got, want)
		}
	}
}

// E tanh²(σZ) against a fine midpoint rule, and in its limits.
func TestTanhSquare(t *testing.T) {
	for _, sigma := range []float64{1e-3, 0.02, 0.5, 1, math.Sqrt2, 2, 20} {
		var want float64
		const step = 1e-4
		for i := -120000; i < 120000; i++ {
			z := (float64(i) + 0.5) * step
			want += step * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * math.Pow(math.Tanh(sigma*z), 2)
		}
		if got := tanhSquare(sigma); math.Abs(got-want) > 1e-9*want {
			t.Errorf("σ = %v: %v, want %v", sigma, got, want)
		}
	}
}

// Components that may be 0 leave vectors without direction.
func TestVarianceWithoutDirection(t *testing.T) {
	of := Setting{lawOf(t, "bernoulli-gaussian(0.1)"), 3, 8}
	p := 1 - math.Pow(0.9, 3)
	for name, want := range map[string]float64{"key-normalised": p, "cosine(1)": p * p / 3, "qk-norm": p * p} {
		if got := parsed(t, name).Variance(of); got.Kind != names.TheoryExact || math.Abs(got.Value-want) > 1e-14 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if parsed(t, "cosine").Slope(of.Law).Kind != names.TheoryLimit || parsed(t, "cosine").Slope(lawOf(t, "normal")).Kind != names.TheoryExact {
		t.Error("the slope of the cosine is exact where vectors may be 0, or is not elsewhere")
	}
}

// The variance behind a soft cap against mpmath 1.2.1 (quad over |q|, inside it over
// the normal law, 18 digits); only of normal components is it known so.
func TestSoftCappedVariance(t *testing.T) {
	for _, x := range []struct {
		rule string
		d    int
		want float64
	}{
		{"soft-cap(2)", 1, 0.52894818463668}, {"soft-cap(2)", 16, 0.67853687920218}, {"soft-cap(50)", 1, 0.99761346329879},
		{"soft-cap(50)", 64, 0.99917599185556}, {"soft-cap(0.5)", 3, 0.14177447342251}, {"soft-cap(5)", 2, 0.8763223169935},
	} {
		r := parsed(t, x.rule)
		if got := r.Variance(Setting{lawOf(t, "normal"), x.d, 8}); got.Kind != names.TheoryQuadrature || math.Abs(got.Value-x.want) > 1e-9*x.want {
			t.Errorf("%s at d = %d: %v, want %v", x.rule, x.d, got, x.want)
		}
		if got := r.Variance(Setting{lawOf(t, "laplace"), x.d, 8}); got.Kind != names.TheoryLimit {
			t.Errorf("%s of Laplace's law: %v", x.rule, got)
		}
	}
	// As many as can be: the limit, which lies 1/d off.
	r := parsed(t, "soft-cap(2)")
	if got, want := r.Variance(Setting{lawOf(t, "normal"), 1 << 20, 8}).Value, r.Variance(Setting{lawOf(t, "laplace"), 1, 8}).Value; math.Abs(got-want) > 2e-6 || got == want {
		t.Errorf("of very many components %v, in the limit %v", got, want)
	}
}

// A square that Constant says is the same for all pairs is the variance itself; of
// other laws and dimensions two pairs differ.
func TestConstant(t *testing.T) {
	of := func(name string, d int) Setting { return Setting{lawOf(t, name), d, 8} }
	for name, constant := range map[string][]Setting{
		"cosine": {of("normal", 1), of("uniform", 1), of("rademacher", 1)}, "qk-norm(3)": {of("laplace", 1), of("sphere", 1)},
		"key-normalised": {of("rademacher", 1), of("sphere", 1)}, "soft-cap(2)": {of("rademacher", 1), of("sphere", 1)},
	} {
		r := parsed(t, name)
		for _, at := range constant {
			size := 1.0
			if !at.sign() {
				size = 1.7 // any length, which only directions forget
			}
			p := Pair{Score: -size * size, QuerySquare: size * size, KeySquare: size * size, D: 1, Keys: 8}
			x, want := r.Logit(&p), r.Variance(at)
			if !r.Constant(at) || want.Kind != names.TheoryExact || math.Abs(x*x-want.Value) > 1e-14*want.Value {
				t.Errorf("%s of %v: the square is %v, the variance %v", name, at, x*x, want)
			}
		}
		if r.Constant(of("normal", 2)) || r.Constant(of("rademacher", 2)) || r.Constant(of("bernoulli-gaussian(0.1)", 1)) {
			t.Errorf("%s does not vary where it does", name)
		}
	}
	if parsed(t, "key-normalised").Constant(of("normal", 1)) || parsed(t, "power").Constant(of("normal", 1)) || parsed(t, "additive").Constant(of("rademacher", 1)) {
		t.Error("a square that hangs on a length does not vary")
	}
}
