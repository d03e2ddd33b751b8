package schedule

import (
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/statistics/gate"
)

// scheduled works out a plan of one experiment.
func scheduled(t *testing.T, entry string) (*Schedule, error) {
	t.Helper()
	return New(planOf(t, "experiments:\n  - {"+entry+"}\n"))
}

// A plan that gives a power law fewer samples than keep single products from deciding its
// gates is refused in a line that says where, by how much, and how many would do; and so
// many do. Where nothing gives the number, as many are planned. Distributions whose moments all exist
// stay undecided with few, and what is not gated is drawn.
func TestSingleProductsAreRefused(t *testing.T) {
	for _, much := range []string{"samples: 1e6", "rel_se: 1%"} {
		_, err := scheduled(t, "experiment: variance, distribution: student-t(7), d_k: [37], "+much)
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Fatalf("%s: %v", much, err)
		}
		for _, part := range []string{"cell variance/student-t(7)/d_k=37", "α/2G", `"unit variance"`, "samples would do", "gate: false"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v, want %q", much, err, part)
			}
		}
		_, rest, _ := strings.Cut(err.Error(), "allowed; ")
		enough, _, _ := strings.Cut(rest, " ")
		if n, err := strconv.ParseInt(enough, 10, 64); err != nil || n < 1e6 {
			t.Fatalf("%s: %q samples would do", much, enough)
		}
		if _, err := scheduled(t, "experiment: variance, distribution: student-t(7), d_k: [37], samples: "+enough); err != nil {
			t.Errorf("what would do is refused: %v", err)
		}
	}
	for _, entry := range []string{
		"experiment: variance, distribution: student-t(7), d_k: [37], samples: 1e6, gate: false",
		"experiment: variance, distribution: [normal, laplace, bernoulli-gaussian(0.1)], d_k: [1, 37], samples: 64",
		"experiment: health, distribution: student-t(7), samples: 1e6, gate: false",
	} {
		if _, err := scheduled(t, entry); err != nil {
			t.Errorf("%s: %v", entry, err)
		}
	}
	if _, err := scheduled(t, "experiment: health, distribution: student-t(7), samples: 1e6"); err == nil || !strings.Contains(err.Error(), "component variance") {
		t.Errorf("health of few components: %v", err)
	}
}

// Where nothing gives the number, single products set it and the plan says so; a plan that
// cannot draw as many is refused.
func TestSingleProductsSetTheSamples(t *testing.T) {
	for _, estimator := range []string{"direct", "gram"} {
		s, err := scheduled(t, "experiment: variance, distribution: [student-t(7), laplace], d_k: 128, estimator: "+estimator)
		must(t, err)
		for i, want := range []string{"unit variance: single products", "unit variance"} {
			if s.Jobs[i].Reason != want {
				t.Errorf("%s: %s is set by %q, want %q", estimator, s.Jobs[i].Cell.ID, s.Jobs[i].Reason, want)
			}
		}
		for _, c := range s.Entries[0].Checks {
			for _, w := range s.Jobs {
				if w.Cell.ID == c.Cell && gate.SingleProduct(c, w.Units(), s.Entries[0].Rates) > gate.MaxSingleProduct {
					t.Errorf("%s of %s: single products have %v of its rate", c.Name, c.Cell, gate.SingleProduct(c, w.Units(), s.Entries[0].Rates))
				}
			}
		}
	}
	if _, err := scheduled(t, "experiment: variance, distribution: student-t(6.001), d_k: 1"); err == nil || !strings.Contains(err.Error(), "gate: false") {
		t.Errorf("student-t(6.001): %v", err)
	}
}

// TestPowerTailNeedsNormalEstimate: a gate on a power tail is refused if the estimate is so skewed
// that its error rates are unknown, also if no single product matters.
func TestPowerTailNeedsNormalEstimate(t *testing.T) {
	s, err := scheduled(t, "experiment: variance, distribution: student-t(7), d_k: 37")
	must(t, err)
	w, c, rates := s.Jobs[0], s.Entries[0].Checks[0], s.Entries[0].Rates
	c.SingleProductTail = func(int64, float64) float64 { return 0 }
	if err := checkDominantProduct(c, rates, w); err != nil {
		t.Fatalf("with skewness %v: %v", c.Skew, err)
	}
	c.Skew = 1e6
	if err := checkDominantProduct(c, rates, w); err == nil || !strings.Contains(err.Error(), "too far from a normal one") {
		t.Errorf("with skewness %v: %v", c.Skew, err)
	}
}
