package compare_test

import (
	"fmt"
	"math"
	"testing"

	"mcsim/sim/engine/compare"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// planText returns a plan with the given number of pairs for d_k = 8 and 64, and a fixed number for
// d_k = 16. moreEntries is appended to it.
func planText(seed, pairs int, moreEntries string) string {
	return fmt.Sprintf(`
seed: %d
experiments:
  - {experiment: variance, distribution: normal, d_k: [16], gate: false, samples: 4096}
  - {experiment: variance, distribution: normal, d_k: [8, 64], gate: false, samples: %d}
  - {experiment: exponents, exponent: [0, 1/2]}
%s`, seed, pairs, moreEntries)
}

// seedCount returns the number of seeds for which runs are compared.
func seedCount() int {
	if testing.Short() {
		return 60
	}
	return 400
}

// standardisedSums has sums over differences that are divided by their standard errors.
type standardisedSums struct{ n, sum, squares float64 }

func (s *standardisedSums) add(z float64) { s.n, s.sum, s.squares = s.n+1, s.sum+z, s.squares+z*z }

// checkStandard checks that the mean is 0 and the variance 1 within five standard errors. For n
// normal numbers these are √(1/n) and √(2/n). They are increased by a tenth for the excess kurtosis
// that averages over thousands of samples still have.
func (s *standardisedSums) checkStandard(t *testing.T, name string) {
	t.Helper()
	mean, variance := s.sum/s.n, s.squares/s.n
	if math.Abs(mean) > 5*1.1*math.Sqrt(1/s.n) || math.Abs(variance-1) > 5*1.1*math.Sqrt(2/s.n) {
		t.Errorf("%s: %v standardised differences have the mean %.3f and the variance %.3f, want 0 and 1", name, s.n,
			mean, variance)
	}
}

// TestErrorsOfDifferences compares runs with many seeds, and checks that the differences divided by
// their standard errors have the mean 0 and the variance 1. This is done for nested runs and for
// runs with two seeds.
func TestErrorsOfDifferences(t *testing.T) {
	const moreEntries = "  - {experiment: variance, distribution: normal, d_k: [32], gate: false, samples: 4096}\n"
	sums := map[string]*standardisedSums{}
	for seed := range seedCount() {
		short := simtest.SampleDocument(t, planText(seed, 4096, ""))
		long := simtest.SampleDocument(t, planText(seed, 12288, moreEntries))
		otherSeed := simtest.SampleDocument(t, planText(seed+seedCount(), 12288, moreEntries))
		for _, c := range []struct {
			before, after *result.Document
			draws         compare.SampleRelation
		}{{short, long, compare.Nested}, {long, short, compare.Nested}, {short, otherSeed, compare.Independent}} {
			collect(t, sums, c.before, c.after, c.draws)
		}
	}
	if len(sums) < 2*6 {
		t.Fatalf("got differences of %d estimates, want at least 12", len(sums))
	}
	for name, s := range sums {
		s.checkStandard(t, name)
	}
}

func collect(t *testing.T, sums map[string]*standardisedSums, before, after *result.Document,
	draws compare.SampleRelation) {
	t.Helper()
	c, err := compare.Documents(before, after, 1e-3)
	simtest.Must(t, err)
	for _, r := range c.Rows {
		if !r.SE.Present() || r.Draws == compare.Same {
			continue
		}
		if r.Draws != draws {
			t.Fatalf("samples of %s of %s are %s, want %s", r.Quantity, r.Cell, r.Draws, draws)
		}
		name := string(draws) + " " + r.Quantity + " " + r.Cell
		if sums[name] == nil {
			sums[name] = &standardisedSums{}
		}
		sums[name].add(float64(r.Difference / r.SE))
	}
}
