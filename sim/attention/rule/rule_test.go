package rule

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/base/distribution"
	"mcsim/sim/names"
)

func number(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

func mustParse(t interface {
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

func mustParseDistribution(t testing.TB, text string) distribution.Distribution {
	t.Helper()
	l, err := distribution.Parse(text, number)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"power": "power(0.5)", "power(0)": "power(0)", "power:p=1": "power(1)", "power=-2": "power(-2)",
		"sqrt(d_k/2)": "sqrt(d_k/2)", "temperature": "temperature(8)", "learned(3)": "learned(3)", "log-n": "log-n(1)",
		"cosine(s=20)": "cosine(20)", "key-normalised": "key-normalised", "qk-norm": "qk-norm(1)",
		"soft-cap(1)": "soft-cap(1)",
		"additive":    "additive", "additive(64)": "additive(64)", "additive(d_a=3)": "additive(3)",
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
		"soft-cap(0)": "not in 1e-06..1e+06", "additive(1.5)": "not a whole number", "additive(0)": "not in 1..4096",
		"cosine(nan)": "not in",
	} {
		if r, err := Parse(text, number); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is read as %v (%v), want an error with %q", text, r, err, want)
		}
	}
}

// TestTanhSquare compares E tanh²(σZ) with a fine midpoint rule.
func TestTanhSquare(t *testing.T) {
	for _, sigma := range []float64{1e-3, 0.02, 0.5, 1, math.Sqrt2, 2, 20} {
		var want float64
		const step = 1e-4
		for i := -120000; i < 120000; i++ {
			z := (float64(i) + 0.5) * step
			want += step * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * math.Pow(math.Tanh(sigma*z), 2)
		}
		if got := meanTanhSquare(sigma); math.Abs(got-want) > 1e-9*want {
			t.Errorf("σ = %v: %v, want %v", sigma, got, want)
		}
	}
}

// TestSoftCappedVariance compares with mpmath 1.2.1 (quad over |q| of quad over the normal
// distribution, 18 digits). Only the variance for normal components is known by quadrature.
func TestSoftCappedVariance(t *testing.T) {
	for _, x := range []struct {
		rule string
		d    int
		want float64
	}{
		{"soft-cap(2)", 1, 0.52894818463668}, {"soft-cap(2)", 16, 0.67853687920218},
		{"soft-cap(50)", 1, 0.99761346329879},
		{"soft-cap(50)", 64, 0.99917599185556}, {"soft-cap(0.5)", 3, 0.14177447342251},
		{"soft-cap(5)", 2, 0.8763223169935},
	} {
		r := mustParse(t, x.rule)
		if got := r.Variance(Setting{mustParseDistribution(t, "normal"), x.d, 8}); got.Kind != names.TheoryQuadrature ||
			math.Abs(got.Value-x.want) > 1e-9*x.want {
			t.Errorf("%s at d = %d: %v, want %v", x.rule, x.d, got, x.want)
		}
		if got := r.Variance(Setting{mustParseDistribution(t, "laplace"), x.d, 8}); got.Kind != names.TheoryLimit {
			t.Errorf("%s of Laplace's distribution: %v", x.rule, got)
		}
	}
	// For very many components the variance is within about 1/d of the limit.
	r := mustParse(t, "soft-cap(2)")
	if got, want := r.Variance(Setting{mustParseDistribution(t, "normal"), 1 << 20,
		8}).Value, r.Variance(Setting{mustParseDistribution(t,
		"laplace"), 1, 8}).Value; math.Abs(got-want) > 2e-6 || got == want {
		t.Errorf("of very many components %v, in the limit %v", got, want)
	}
}
