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
	for _, size := range []string{"samples: 1e6", "rel_se: 1%"} {
		_, err := tryEntry(t, "experiment: variance, distribution: student-t(7), d_k: [37], "+size)
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Fatalf("%s: got the error %v, want one line", size, err)
		}
		for _, part := range []string{"cell variance/student-t(7)/d_k=37", "α/2G", `"unit variance"`,
			"samples are enough", "gate: false"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: got the error %v, want one with %q", size, err, part)
			}
		}
		_, rest, _ := strings.Cut(err.Error(), "allowed; ")
		units, _, _ := strings.Cut(rest, " ")
		if n, err := strconv.ParseInt(units, 10, 64); err != nil || n < 1e6 {
			t.Fatalf("%s: the error says that %q samples are enough, want a number of at least 1e6", size, units)
		}
		if _, err := tryEntry(t,
			"experiment: variance, distribution: student-t(7), d_k: [37], samples: "+units); err != nil {
			t.Errorf("the number that the error names as sufficient is refused: %v", err)
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
		t.Errorf("health with few samples: got the error %v, want one about the component variance", err)
	}
}

// TestSingleProductsSetTheSamples checks plans that do not set the number of samples. The number
// must make the influence of single products small enough, and a plan is refused if no number does.
func TestSingleProductsSetTheSamples(t *testing.T) {
	for _, estimator := range []string{"direct", "gram"} {
		s, err := tryEntry(t, "experiment: variance, distribution: [student-t(7), laplace], d_k: 128, estimator: "+
			estimator)
		must(t, err)
		for i, want := range []string{"unit variance: single products", "unit variance"} {
			if s.Jobs[i].Reason != want {
				t.Errorf("%s: the reason for the samples of %s is %q, want %q", estimator, s.Jobs[i].Cell.ID,
					s.Jobs[i].Reason, want)
			}
		}
		for _, c := range s.Entries[0].Checks {
			for _, job := range s.Jobs {
				if job.Cell.ID != c.Cell {
					continue
				}
				proportion := gate.SingleProduct(c, job.Units(), s.Entries[0].Rates)
				if proportion > gate.MaxSingleProduct {
					t.Errorf("%s of %s: single products take %v of the error rate, want at most %v", c.Name, c.Cell,
						proportion, gate.MaxSingleProduct)
				}
			}
		}
	}
	if _, err := tryEntry(t, "experiment: variance, distribution: student-t(6.001), d_k: 1"); err == nil ||
		!strings.Contains(err.Error(), "gate: false") {
		t.Errorf("student-t(6.001): got the error %v, want advice to set gate: false", err)
	}
}

// TestPowerTailNeedsNormalEstimate checks a gate on a distribution with power-law tails. If the
// estimate is very skewed, its error rates are unknown, and the gate is refused. This is so even if
// the influence of single products is 0.
func TestPowerTailNeedsNormalEstimate(t *testing.T) {
	s, err := tryEntry(t, "experiment: variance, distribution: student-t(7), d_k: 37")
	must(t, err)
	job, c, rates := s.Jobs[0], s.Entries[0].Checks[0], s.Entries[0].Rates
	c.SingleProductTail = func(int64, float64) float64 { return 0 }
	if err := checkDominantProduct(c, rates, job); err != nil {
		t.Fatalf("skewness %v: got the error %v, want none", c.Skew, err)
	}
	c.Skew = 1e6
	if err := checkDominantProduct(c, rates, job); err == nil || !strings.Contains(err.Error(), "too far from normal") {
		t.Errorf("skewness %v: got the error %v, want one about the distance from normal", c.Skew, err)
	}
}
