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

// At rates of 5 % a gate on a mean of rows, which is judged by its own error, does not pass in 5 %
// of runs where all is as theory says, and passes in 5 % where the truth lies on an edge of its
// band; both but for what is skewed, and for the counts' own error.
func TestRatesOfOwnErrors(t *testing.T) {
	const keys, sigma, runs, rate = 8, 1.0, 4000, 0.05
	want := theory.NewSoftmax(keys, sigma).RelativeTrace()
	c := experiment.Cell{Experiment: &experiment.Experiment{Name: names.ExperimentFreezing}, Tolerance: 0.25}
	check := Check(c, "R", names.RelativeTrace, want, c.Tolerance*(1-want), 0.76*(1-want)) // what such rows have
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
			off := check
			half := c.Tolerance * (1 - want)
			off.Expected = gate.ExpectWithin(want+side*half, half, nil)
			if gate.Judge(off, row, rates).Verdict == result.Pass {
				passes[side]++
			}
		}
	}
	t.Logf("%d rows: %.1f %% do not pass; at the edges %.1f and %.1f %% do", n, 100*fails/runs, 100*passes[-1]/runs,
		100*passes[1]/runs)
	for _, share := range []float64{fails / runs, passes[-1] / runs, passes[1] / runs} {
		if !(share < rate+0.03) {
			t.Errorf("a rate of %.3f is declared, and %.3f counted", rate, share)
		}
	}
}
