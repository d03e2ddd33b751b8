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

func mustParse(t *testing.T, text string) Rule {
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
			t.Errorf("Parse(%q) = %v with the error %v, want %s", text, r, err, want)
			continue
		}
		if again, err := Parse(r.String(), number); err != nil || again != r {
			t.Errorf("Parse(%q) = %v with the error %v, want the rule that was written", r, again, err)
		}
	}
	for text, want := range map[string]string{
		"": "unknown rule", "powr(1)": "unknown rule", "sqrt(d_k)": "unknown rule", "power(5)": "not in -4..4",
		"power(x)": "invalid syntax", "power(1": "lacks its closing", "key-normalised(2)": "takes no parameter",
		"soft-cap(0)": "not in 1e-06..1e+06", "additive(1.5)": "not a whole number", "additive(0)": "not in 1..4096",
		"cosine(nan)": "not in",
	} {
		if r, err := Parse(text, number); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v with the error %v, want an error that contains %q", text, r, err, want)
		}
	}
}

// TestTanhSquare compares meanTanhSquare with the midpoint rule with steps of 10⁻⁴.
func TestTanhSquare(t *testing.T) {
	for _, sigma := range []float64{1e-3, 0.02, 0.5, 1, math.Sqrt2, 2, 20} {
		var want float64
		const step = 1e-4
		for i := -120000; i < 120000; i++ {
			z := (float64(i) + 0.5) * step
			want += step * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * math.Pow(math.Tanh(sigma*z), 2)
		}
		if got := meanTanhSquare(sigma); math.Abs(got-want) > 1e-9*want {
			t.Errorf("meanTanhSquare(%v) = %v, want %v", sigma, got, want)
		}
	}
}

// TestSoftCappedVariance compares the variance for normal components with mpmath 1.2.1 (18 digits,
// quad over |q| of quad over the normal distribution). For other components the variance is a
// limit.
func TestSoftCappedVariance(t *testing.T) {
	normal, laplace := mustParseDistribution(t, "normal"), mustParseDistribution(t, "laplace")
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
		got := r.Variance(Setting{normal, x.d, 8})
		if got.Kind != names.TheoryQuadrature || math.Abs(got.Value-x.want) > 1e-9*x.want {
			t.Errorf("%s, normal, d = %d: got %+v, want %v by quadrature", x.rule, x.d, got, x.want)
		}
		if got := r.Variance(Setting{laplace, x.d, 8}); got.Kind != names.TheoryLimit {
			t.Errorf("%s, Laplace, d = %d: got %+v, want a limit", x.rule, x.d, got)
		}
	}
	// For 2²⁰ ≈ 10⁶ components the variance is within about 1/d of the limit, but does not reach
	// it.
	r := mustParse(t, "soft-cap(2)")
	got, limit := r.Variance(Setting{normal, 1 << 20, 8}).Value, r.Variance(Setting{laplace, 1, 8}).Value
	if math.Abs(got-limit) > 2e-6 || got == limit {
		t.Errorf("the variance for 2²⁰ components is %v, want another number within 2e-6 of the limit %v", got, limit)
	}
}
