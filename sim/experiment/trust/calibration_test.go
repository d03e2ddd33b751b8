package trust

import (
	"math"
	"slices"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/result"
)

func newCalibrationCell(distribution string, d, pairs float64) experiment.Cell {
	c := experiment.NewCell(Calibration,
		map[string]experiment.AxisValue{"distribution": {Name: distribution}, "d_k": {Number: d},
			"pairs": {Number: pairs}})
	c.Gated = true
	return c
}

// findEstimate returns the first estimate that has the given parameters, and possibly others.
func findEstimate(t *testing.T, estimates []result.Estimate, params result.Params) result.Estimate {
	t.Helper()
	i := slices.IndexFunc(estimates, func(r result.Estimate) bool {
		for name, v := range params {
			if r.Params[name] != v {
				return false
			}
		}
		return true
	})
	if i < 0 {
		t.Fatalf("there is no estimate with the parameters %v", params)
	}
	return estimates[i]
}

// TestMeanOfNormalScores compares proportions of runs, for the mean of 64 scores of normal vectors
// at d = 2, with exact rates. The sum of the scores is the difference of two gamma variables of
// shape 64, with the density |t|^63.5 K_63.5(|t|)/(√π 2^63.5 63!). The rates are integrals of its
// tails by mpmath 1.2.1.
func TestMeanOfNormalScores(t *testing.T) {
	cell := newCalibrationCell("normal", 2, 64)
	estimates := calibrationEstimates(cell, experimenttest.SampleCell(cell, 256)).Estimates
	const maxZ = 4.9
	for _, c := range []struct {
		params result.Params
		want   float64
	}{
		{result.Params{"interval": "mean, exact error"}, 0.949624255},
		{result.Params{"gate": "zero mean", "rate": 0.05, "edge": "upper"}, 0.0499086726},
		{result.Params{"gate": "zero mean", "rate": 0.05, "edge": "lower"}, 0.0499086726},
		{result.Params{"gate": "zero mean", "rate": 0.001, "edge": "upper"}, 0.00113139708},
	} {
		r := findEstimate(t, estimates, c.params)
		if se := math.Sqrt(c.want * (1 - c.want) / float64(r.N)); math.Abs(float64(r.Value)-c.want) > maxZ*se {
			t.Errorf("%v: proportion of %d runs: got %v, want %v ± %.2g", c.params, r.N, r.Value, c.want, maxZ*se)
		}
	}
}

// TestOwnErrorUndercovers compares the coverage of s² ± 1.96 standard errors from the sample with
// the published value for normal vectors at d = 1 and 1000 pairs, 93.3 %. The difference between
// 1000 and 1024 pairs is less than the tolerance of 4.9 standard errors. The experiment must not
// state a theoretical coverage for this interval.
func TestOwnErrorUndercovers(t *testing.T) {
	if testing.Short() {
		t.Skip("counts many runs")
	}
	c := newCalibrationCell("normal", 1, 1024)
	r := findEstimate(t, calibrationEstimates(c, experimenttest.SampleCell(c, 256)).Estimates,
		result.Params{"interval": "variance, own error"})
	const want = 0.933
	if se := math.Sqrt(want * (1 - want) / float64(r.N)); math.Abs(float64(r.Value)-want) > 4.9*se {
		t.Errorf("coverage in %d runs: got %v, want %v ± %.2g", r.N, r.Value, want, 4.9*se)
	}
	if r.Theory.Present() || r.TheoryKind != "none" {
		t.Errorf("theoretical coverage: got %v of kind %q, want none", r.Theory, r.TheoryKind)
	}
}

// TestDeclaredRates checks which rates calibration checks. It checks the coverage of an interval if
// the experiment reports the interval. It checks how often a gate gives a wrong verdict if a plan
// would accept the number of pairs.
func TestDeclaredRates(t *testing.T) {
	// listChecked returns the names of what the cell checks: intervals, kinds of wrong verdicts
	// such as "false fails", and "standard error" if a wrong verdict on a standard error is among
	// them.
	listChecked := func(c experiment.Cell) map[string]bool {
		checked := map[string]bool{}
		for _, check := range calibrationChecks(c) {
			if interval, ok := check.Params.Text("interval"); ok {
				checked[interval] = true
			} else {
				checked[check.Name] = true
			}
			if judged, _ := check.Params.Text("gate"); judged == "standard error" {
				checked[judged] = true
			}
		}
		return checked
	}
	small := listChecked(newCalibrationCell("normal", 1, 1024))
	large := listChecked(newCalibrationCell("normal", 64, 32768))
	for _, name := range []string{"variance, exact error", "skewness", "error from blocks", "false fails",
		"unit exponent", "slope", "standard error"} {
		if small[name] {
			t.Errorf("%s is checked for few pairs", name)
		}
		if !large[name] {
			t.Errorf("%s is not checked for many pairs", name)
		}
	}
	if name := "mean, exact error"; !small[name] {
		t.Errorf("%s is not checked for few pairs", name)
	}
	for _, name := range []string{"variance, own error", "variance, error from blocks"} {
		if large[name] {
			t.Errorf("%s is checked, although no experiment reports it", name)
		}
	}
	// This is the interval of the standard error, not of the variance ("variance, own error").
	if name := "own error of the variance"; listChecked(newCalibrationCell("rademacher", 2, 1024))[name] {
		t.Errorf("%s is checked for products of signs, although the interval has no width", name)
	}
	ungated := newCalibrationCell("normal", 64, 1024)
	ungated.Gated = false
	if got := len(Calibration.Gates([]experiment.Cell{ungated})); got != 0 {
		t.Errorf("got %d gates on a cell that is not gated, want none", got)
	}
}
