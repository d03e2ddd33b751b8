package trust

import (
	"math"
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

// findEstimate returns the estimate with the given parameters.
func findEstimate(t *testing.T, estimates []result.Estimate, want result.Params) result.Estimate {
	t.Helper()
next:
	for _, r := range estimates {
		for name, v := range want {
			if r.Params[name] != v {
				continue next
			}
		}
		return r
	}
	t.Fatalf("no estimate with %v", want)
	return result.Estimate{}
}

// TestMeanOfNormalScores compares with exact rates. The sum of 64 scores of normal vectors at d =
// 2 is the difference of two gamma variables of shape 64, with the density |t|^63.5
// K_63.5(|t|)/(√π 2^63.5 63!). mpmath 1.2.1 integrates its tails: 0.949624 of the intervals
// contain 0, and a gate passes on an edge with 0.0499087 and 0.00113140 at 5 % and 1/1000.
func TestMeanOfNormalScores(t *testing.T) {
	c := newCalibrationCell("normal", 2, 64)
	estimates := calibrationEstimates(c, experimenttest.SampleCell(c, 256)).Estimates
	for _, k := range []struct {
		params result.Params
		want   float64
	}{
		{result.Params{"interval": "mean, exact error"}, 0.949624255},
		{result.Params{"gate": "zero mean", "rate": 0.05, "edge": "upper"}, 0.0499086726},
		{result.Params{"gate": "zero mean", "rate": 0.05, "edge": "lower"}, 0.0499086726},
		{result.Params{"gate": "zero mean", "rate": 0.001, "edge": "upper"}, 0.00113139708},
	} {
		r := findEstimate(t, estimates, k.params)
		if se := math.Sqrt(k.want * (1 - k.want) / float64(r.N)); math.Abs(float64(r.Value)-k.want) > 4.9*se {
			t.Errorf("%v: %v of %d runs, the exact rate is %v", k.params, r.Value, r.N, k.want)
		}
	}
}

// TestOwnErrorUndercovers compares with the published coverage of s² ± 1.96 standard errors from
// the sample, 93.3 % for normal vectors at d = 1 and 1000 pairs. With 1024 pairs it differs by
// less than the 4.9 standard errors that are allowed here. No coverage is declared.
func TestOwnErrorUndercovers(t *testing.T) {
	if testing.Short() {
		t.Skip("counts over many seeds")
	}
	c := newCalibrationCell("normal", 1, 1024)
	r := findEstimate(t, calibrationEstimates(c, experimenttest.SampleCell(c, 256)).Estimates,
		result.Params{"interval": "variance, own error"})
	if se := math.Sqrt(0.933 * 0.067 / float64(r.N)); math.Abs(float64(r.Value)-0.933) > 4.9*se || r.Theory.Present() ||
		r.TheoryKind != "none" {
		t.Errorf("%v of %d runs, declared %v", r.Value, r.N, r.Theory)
	}
}

// TestClaims checks which rates are declared: the coverage of an interval if the estimate has one, and the
// rates of a gate if a plan would accept the number of pairs.
func TestClaims(t *testing.T) {
	declaredNames := func(c experiment.Cell) map[string]bool {
		found := map[string]bool{}
		for _, k := range calibrationChecks(c) {
			if name, ok := k.Params.Text("interval"); ok {
				found[name] = true
			} else {
				found[k.Name] = true
			}
			if g, _ := k.Params.Text("gate"); g == "standard error" {
				found[g] = true
			}
		}
		return found
	}
	small, large := declaredNames(newCalibrationCell("normal", 1, 1024)),
		declaredNames(newCalibrationCell("normal", 64, 32768))
	for _, name := range []string{"variance, exact error", "skewness", "error from blocks", "false fails",
		"unit exponent", "slope", "standard error"} {
		if small[name] || !large[name] {
			t.Errorf("%s: declared for few pairs %v, for many %v", name, small[name], large[name])
		}
	}
	if !small["mean, exact error"] || large["variance, own error"] || large["variance, error from blocks"] {
		t.Error("the mean is not declared, or an own error is")
	}
	if n := declaredNames(newCalibrationCell("rademacher", 2, 1024)); n["own error of the variance"] {
		t.Error("an interval of no width is declared")
	}
	ungated := newCalibrationCell("normal", 64, 1024)
	ungated.Gated = false
	if len(Calibration.Gates([]experiment.Cell{ungated})) != 0 {
		t.Error("a cell without gates has some")
	}
}
