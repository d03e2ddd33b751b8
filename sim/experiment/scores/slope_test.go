package scores

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// newEstimate returns an estimate of the experiment variance.
func newEstimate(distribution string, d, value, se float64) result.Estimate {
	return result.Estimate{Experiment: "variance", Quantity: "score_variance", N: 1000,
		Params: result.Params{"distribution": distribution, "d_k": d}, Value: result.Number(value),
		SE: result.Number(se), Theory: result.Number(d)}
}

// TestFitAgainstGonum compares Slope.FitLine with stat.LinearRegression of gonum v0.17.0 to 10⁻¹¹.
// The rounding is smaller, since x and y are at most 9 and the sums have at most 12 terms.
func TestFitAgainstGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		var s experiment.Slope
		for i := range 2 + r.IntN(11) {
			x := float64(i+1) * math.Ln2
			s.X = append(s.X, x)
			s.Y = append(s.Y, x+0.1*r.NormFloat64())
			s.Weight = append(s.Weight, math.Exp(4*r.NormFloat64()))
		}
		got, _ := s.FitLine()
		_, want := stat.LinearRegression(s.X, s.Y, s.Weight, false)
		if math.Abs(got-want) > 1e-11 {
			t.Errorf("slope of %d points: got %.15g, want %.15g by gonum", len(s.X), got, want)
		}
	}
}

// TestSlopePoints checks that Slopes accepts only estimates of the variance with d_k ≥ 2, a
// positive value, and a relative standard error above 0 and at most 5 %.
func TestSlopePoints(t *testing.T) {
	otherQuantity := newEstimate("normal", 32, 33, 0.1)
	otherQuantity.Quantity = "score_mean"
	otherExperiment := newEstimate("normal", 32, 33, 0.1)
	otherExperiment.Experiment = "exponents"
	absent := newEstimate("normal", 32, math.NaN(), math.NaN())
	first := newEstimate("normal", 2, 2.02, 0.02)
	first.Estimator = names.EstimatorDirect
	second := newEstimate("normal", 4, 4.1, 0.2) // its relative standard error is the largest accepted one
	second.Estimator = names.EstimatorGram
	s := Slopes(&result.Document{Estimates: []result.Estimate{
		newEstimate("normal", 1, 1.1, 0.001),
		first,
		second,
		newEstimate("normal", 8, 8.1, 0.401),
		newEstimate("normal", 16, 16, 0),
		newEstimate("normal", 64, -1, 0.1),
		newEstimate("uniform", 2, 9, 0.01),
		otherQuantity, otherExperiment, absent,
	}})["normal"]
	if len(s.X) != 2 || s.N != 2000 {
		t.Fatalf("got %d points from %d units, want 2 points from 2000: %+v", len(s.X), s.N, s)
	}
	wantEstimators := []string{names.EstimatorDirect, names.EstimatorGram}
	if !slices.Equal(s.Estimators, wantEstimators) {
		t.Errorf("got estimators %q, want %q", s.Estimators, wantEstimators)
	}
	// The bias of ln s² is minus half its variance, which is 0.01² and 0.05².
	for i, want := range []struct{ x, y, weight float64 }{
		{math.Ln2, math.Log(2.02) + 0.00005, 1e4}, {2 * math.Ln2, math.Log(4.1) + 0.00125, 400},
	} {
		if math.Abs(s.X[i]-want.x) > 1e-15 {
			t.Errorf("point %d: got x = %v, want %v", i, s.X[i], want.x)
		}
		if math.Abs(s.Y[i]-want.y) > 1e-14 {
			t.Errorf("point %d: got y = %v, want %v", i, s.Y[i], want.y)
		}
		if math.Abs(s.Weight[i]/want.weight-1) > 1e-14 {
			t.Errorf("point %d: got weight %v, want %v", i, s.Weight[i], want.weight)
		}
	}
}
