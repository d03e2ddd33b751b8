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

// TestRatesOfOwnErrors checks the error rates of a gate on a mean of rows, which uses the standard
// error of the sample, at α = β = 5 %: it fails to pass in at most 5 % of runs if theory is right,
// and passes in at most 5 % if the true value is on an edge of the band. The margin of 3 % allows
// for skewness and for the error of the counts.
func TestRatesOfOwnErrors(t *testing.T) {
	const keys, sigma, runs, rate = 8, 1.0, 4000, 0.05
	expected := theory.NewSoftmax(keys, sigma).RelativeTrace()
	c := experiment.Cell{Experiment: &experiment.Experiment{Name: names.ExperimentFreezing}, Tolerance: 0.25}
	// the standard deviation of such rows
	check := MeanGate{Name: "R", Quantity: names.RelativeTrace, Expected: expected,
		HalfWidth: c.Tolerance * (1 - expected), RowSD: 0.76 * (1 - expected)}.NewCheck(c)
	rates := gate.Rates{Alpha: rate, Beta: rate, Gates: 1}
	n, err := gate.Samples(check, rates)
	if err != nil || n < 50 {
		t.Fatal(n, err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var fails float64
	passes := map[float64]float64{-1: 0, 1: 0}
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
		row := result.Estimate{N: n, Value: result.Number(m.Mean),
			SE: result.Number(math.Sqrt(m.Variance() / float64(n)))}
		if gate.Judge(check, row, rates).Verdict != result.Pass {
			fails++
		}
		for side := range passes {
			edgeCheck := check
			halfWidth := c.Tolerance * (1 - expected)
			edgeCheck.Expected = gate.ExpectWithin(expected+side*halfWidth, halfWidth, nil)
			if gate.Judge(edgeCheck, row, rates).Verdict == result.Pass {
				passes[side]++
			}
		}
	}
	t.Logf("%d rows: %.1f %% do not pass; at the edges %.1f and %.1f %% do", n, 100*fails/runs, 100*passes[-1]/runs,
		100*passes[1]/runs)
	for _, share := range []float64{fails / runs, passes[-1] / runs, passes[1] / runs} {
		if !(share < rate+0.03) {
			t.Errorf("the declared rate is %.3f, the counted one %.3f", rate, share)
		}
	}
}
