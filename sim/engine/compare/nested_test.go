package compare_test

import (
	"fmt"
	"math"
	"testing"

	"mcsim/sim/engine/compare"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// planText returns a plan with the given number of pairs at d_k = 8 and 64, a fixed number at
// d_k = 16, and more entries.
func planText(seed, pairs int, moreEntries string) string {
	return fmt.Sprintf(`
seed: %d
experiments:
  - {experiment: variance, distribution: normal, d_k: [16], gate: false, samples: 4096}
  - {experiment: variance, distribution: normal, d_k: [8, 64], gate: false, samples: %d}
  - {experiment: exponents, exponent: [0, 1/2]}
%s`, seed, pairs, moreEntries)
}

// seedCount returns the number of runs of each kind.
func seedCount() int {
	if testing.Short() {
		return 60
	}
	return 400
}

// spread collects standardised differences.
type spread struct{ n, sum, squares float64 }

func (s *spread) add(z float64) { s.n, s.sum, s.squares = s.n+1, s.sum+z, s.squares+z*z }

// checkStandard checks that the mean is 0 and the variance 1 within five standard errors, which are
// √(1/n) and √(2/n) for n normal numbers, plus a tenth for the excess kurtosis that averages over
// thousands of samples still have.
func (s *spread) checkStandard(t *testing.T, name string) {
	t.Helper()
	mean, variance := s.sum/s.n, s.squares/s.n
	if math.Abs(mean) > 5*1.1*math.Sqrt(1/s.n) || math.Abs(variance-1) > 5*1.1*math.Sqrt(2/s.n) {
		t.Errorf("%s: %v differences over their errors have mean %.3f and variance %.3f", name, s.n, mean, variance)
	}
}

// TestErrorsOfDifferences compares the standard errors of differences between nested runs, and
// between two seeds, with the spread of the differences over many seeds.
func TestErrorsOfDifferences(t *testing.T) {
	const further = "  - {experiment: variance, distribution: normal, d_k: [32], gate: false, samples: 4096}\n"
	spreads := map[string]*spread{}
	for seed := range seedCount() {
		short := simtest.SampleDocument(t, planText(seed, 4096, ""))
		long := simtest.SampleDocument(t, planText(seed, 12288, further))
		otherSeed := simtest.SampleDocument(t, planText(seed+seedCount(), 12288, further))
		for _, c := range []struct {
			before, after *result.Document
			draws         compare.SampleRelation
		}{{short, long, compare.Nested}, {long, short, compare.Nested}, {short, otherSeed, compare.Independent}} {
			collect(t, spreads, c.before, c.after, c.draws)
		}
	}
	if len(spreads) < 2*6 {
		t.Fatalf("only %d kinds of estimates: %v", len(spreads), spreads)
	}
	for name, s := range spreads {
		s.checkStandard(t, name)
	}
}

func collect(t *testing.T, spreads map[string]*spread, before, after *result.Document, draws compare.SampleRelation) {
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
		if spreads[name] == nil {
			spreads[name] = &spread{}
		}
		spreads[name].add(float64(r.Difference / r.SE))
	}
}
