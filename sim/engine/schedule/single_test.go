package schedule

import (
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/statistics/gate"
)

// tryEntry returns the schedule of a plan with one entry.
func tryEntry(t *testing.T, entry string) (*Schedule, error) {
	t.Helper()
	return New(parsePlan(t, "experiments:\n  - {"+entry+"}\n"))
}

// TestSingleProductsAreRefused checks that a plan with too few samples of a power-law distribution
// is refused in one line that names the cell, the excess and a sufficient number of samples. Plans
// without gates, and distributions whose moments all exist, are accepted.
func TestSingleProductsAreRefused(t *testing.T) {
	for _, much := range []string{"samples: 1e6", "rel_se: 1%"} {
		_, err := tryEntry(t, "experiment: variance, distribution: student-t(7), d_k: [37], "+much)
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Fatalf("%s: %v", much, err)
		}
		for _, part := range []string{"cell variance/student-t(7)/d_k=37", "α/2G", `"unit variance"`,
			"samples are enough", "gate: false"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v, want %q", much, err, part)
			}
		}
		_, rest, _ := strings.Cut(err.Error(), "allowed; ")
		units, _, _ := strings.Cut(rest, " ")
		if n, err := strconv.ParseInt(units, 10, 64); err != nil || n < 1e6 {
			t.Fatalf("%s: %q samples are enough", much, units)
		}
		if _, err := tryEntry(t,
			"experiment: variance, distribution: student-t(7), d_k: [37], samples: "+units); err != nil {
			t.Errorf("the sufficient number is refused: %v", err)
		}
	}
	for _, entry := range []string{
		"experiment: variance, distribution: student-t(7), d_k: [37], samples: 1e6, gate: false",
		"experiment: variance, distribution: [normal, laplace, bernoulli-gaussian(0.1)], d_k: [1, 37], samples: 64",
		"experiment: health, distribution: student-t(7), samples: 1e6, gate: false",
	} {
		if _, err := tryEntry(t, entry); err != nil {
			t.Errorf("%s: %v", entry, err)
		}
	}
	if _, err := tryEntry(t, "experiment: health, distribution: student-t(7), samples: 1e6"); err == nil ||
		!strings.Contains(err.Error(), "component variance") {
		t.Errorf("health of few components: %v", err)
	}
}

// TestSingleProductsSetTheSamples checks that single products determine the number of samples if
// the plan does not, and that a plan is refused if no number is enough.
func TestSingleProductsSetTheSamples(t *testing.T) {
	for _, estimator := range []string{"direct", "gram"} {
		s, err := tryEntry(t, "experiment: variance, distribution: [student-t(7), laplace], d_k: 128, estimator: "+
			estimator)
		must(t, err)
		for i, want := range []string{"unit variance: single products", "unit variance"} {
			if s.Jobs[i].Reason != want {
				t.Errorf("%s: %s is set by %q, want %q", estimator, s.Jobs[i].Cell.ID, s.Jobs[i].Reason, want)
			}
		}
		for _, c := range s.Entries[0].Checks {
			for _, job := range s.Jobs {
				if job.Cell.ID == c.Cell &&
					gate.SingleProduct(c, job.Units(), s.Entries[0].Rates) > gate.MaxSingleProduct {
					t.Errorf("%s of %s: single products have %v of its rate", c.Name, c.Cell,
						gate.SingleProduct(c, job.Units(), s.Entries[0].Rates))
				}
			}
		}
	}
	if _, err := tryEntry(t, "experiment: variance, distribution: student-t(6.001), d_k: 1"); err == nil ||
		!strings.Contains(err.Error(), "gate: false") {
		t.Errorf("student-t(6.001): %v", err)
	}
}

// TestPowerTailNeedsNormalEstimate checks that a gate on a distribution with power-law tails is
// refused if the estimate is so skewed that its error rates are unknown, even if no single product
// matters.
func TestPowerTailNeedsNormalEstimate(t *testing.T) {
	s, err := tryEntry(t, "experiment: variance, distribution: student-t(7), d_k: 37")
	must(t, err)
	job, c, rates := s.Jobs[0], s.Entries[0].Checks[0], s.Entries[0].Rates
	c.SingleProductTail = func(int64, float64) float64 { return 0 }
	if err := checkDominantProduct(c, rates, job); err != nil {
		t.Fatalf("with skewness %v: %v", c.Skew, err)
	}
	c.Skew = 1e6
	if err := checkDominantProduct(c, rates, job); err == nil || !strings.Contains(err.Error(), "too far from normal") {
		t.Errorf("with skewness %v: %v", c.Skew, err)
	}
}
