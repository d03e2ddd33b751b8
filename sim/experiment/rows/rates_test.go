package rows

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// TestErrorRatesOfMeanGate counts the errors of a gate on a mean of rows at α = β = 5 %. The gate
// uses the standard error of the sample. If theory is right, the gate must pass in at least 95 % of
// runs. If the true value is on an edge of the band, it must pass in at most 5 % of runs. The
// skewness and the error of the counts may add 3 %.
func TestErrorRatesOfMeanGate(t *testing.T) {
	const keys, sigma, runs, rate = 8, 1.0, 4000, 0.05
	expected := theory.NewSoftmax(keys, sigma).RelativeTrace()
	c := experiment.Cell{Experiment: &experiment.Experiment{Name: names.ExperimentFreezing}, Tolerance: 0.25}
	halfWidth := c.Tolerance * (1 - expected)
	const relativeRowSD = 0.76 // standard deviation of the relative trace of these rows over 1 − its mean
	check := MeanGate{Name: "R", Quantity: names.RelativeTrace, Expected: expected,
		HalfWidth: halfWidth, RowSD: relativeRowSD * (1 - expected)}.NewCheck(c)
	rates := gate.Rates{Alpha: rate, Beta: rate, Gates: 1}
	n, err := gate.Samples(check, rates)
	if err != nil {
		t.Fatal(err)
	}
	if n < 50 {
		t.Fatalf("the gate requires %d rows, want at least 50", n)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var failures float64
	passes := map[float64]float64{-1: 0, 1: 0} // runs that pass if the truth is on the upper (−1) or lower (1) edge
	for range runs {
		numbers := make([]float64, n)
		for i := range numbers {
			sum, squares := 0.0, 0.0
			for range keys {
				e := math.Exp(sigma * r.NormFloat64())
				sum += e
				squares += e * e
			}
			numbers[i] = (1 - squares/(sum*sum)) / (1 - 1.0/keys)
		}
		m := moments.New(numbers, 2)
		estimate := result.Estimate{N: n, Value: result.Number(m.Mean),
			SE: result.Number(math.Sqrt(m.Variance() / float64(n)))}
		if gate.Judge(check, estimate, rates).Verdict != result.Pass {
			failures++
		}
		for side := range passes {
			edgeCheck := check
			edgeCheck.Expected = gate.ExpectWithin(expected+side*halfWidth, halfWidth, nil)
			if gate.Judge(edgeCheck, estimate, rates).Verdict == result.Pass {
				passes[side]++
			}
		}
	}
	for name, count := range map[string]float64{
		"the gate does not pass although theory is right":      failures,
		"the gate passes although the lower edge is the truth": passes[1],
		"the gate passes although the upper edge is the truth": passes[-1],
	} {
		got := count / runs
		t.Logf("%s: %.3f of runs with %d rows", name, got, n)
		if !(got < rate+0.03) {
			t.Errorf("%s: in %.3f of runs, want at most %.3f", name, got, rate+0.03)
		}
	}
}
