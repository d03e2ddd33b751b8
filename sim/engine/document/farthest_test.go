package document

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// estimateAt returns a sample variance of 1000 numbers that is z standard errors from its theory.
func estimateAt(t testing.TB, distribution, dimension string, z float64) result.Estimate {
	t.Helper()
	c := experimenttest.NewCell(t, scores.Variance, map[string]string{"distribution": distribution, "d_k": dimension})
	return experiment.Interval(experiment.WithTheory(c.Estimate(names.ScoreVariance, 1000, 5+0.25*z, 0.25), 5))
}

// TestFindFarthest checks that findFarthest compares the absolute distances of only those estimates
// that have a known tail, which are the first three.
func TestFindFarthest(t *testing.T) {
	change := func(distribution, dimension string, edit func(*result.Estimate)) result.Estimate {
		e := estimateAt(t, distribution, dimension, 100)
		edit(&e)
		return e
	}
	keep := func(*result.Estimate) {}
	estimates := []result.Estimate{
		estimateAt(t, "normal", "2", 3), estimateAt(t, "uniform", "4", -4), estimateAt(t, "rademacher", "2", 1),
		change("normal", "8", func(e *result.Estimate) { e.TheoryKind = names.TheoryLimit }),
		change("normal", "8", func(e *result.Estimate) { e.Theory = result.Absent() }),
		change("normal", "8", func(e *result.Estimate) { e.Lo, e.Hi = result.Absent(), result.Absent() }),
		change("normal", "8", func(e *result.Estimate) { e.SE = result.Absent() }),
		change("normal", "8", func(e *result.Estimate) { e.SE = 0 }),
		change("normal", "8", func(e *result.Estimate) { e.Hi += 0.001 }),
		change("normal", "8", func(e *result.Estimate) { e.Quantity = names.ScoreExcessKurtosis }),
		change("normal", "8", func(e *result.Estimate) { e.Experiment = names.ExperimentAgreement }),
		change("student-t(10)", "8", keep),
		change("rademacher", "1", keep),
		change("sphere", "1", keep),
	}
	largest, judged := findFarthest(estimates)
	if judged != 3 || largest.Value != 4 || largest.Cell != estimates[1].Cell ||
		largest.Params[names.ParamOfQuantity] != names.ScoreVariance || largest.Params[names.ParamDimension] != 4.0 {
		t.Errorf("the farthest of %d estimates is %+v, want the estimate of %s at the distance 4, of 3 estimates",
			judged, largest, estimates[1].Cell)
	}
	if _, judged := findFarthest(estimates[3:]); judged != 0 || largestDistance(estimates[3:]) != nil {
		t.Errorf("%d of the estimates without a known tail are compared, want 0", judged)
	}
	// t = 9 with 63 degrees of freedom has the same tail probability as the normal score 7.19
	// (mpmath 1.2.1).
	student := estimateAt(t, "normal", "8", 9)
	student.N = 64
	halfWidth := result.Number(theory.StudentQuantile(0.025, 63) * 0.25)
	student.Lo, student.Hi = student.Value-halfWidth, student.Value+halfWidth
	largest, _ = findFarthest([]result.Estimate{student})
	if math.Abs(float64(largest.Value)-7.1900871848507126) > 1e-9 {
		t.Errorf("the distance of t = 9 is %v, want the normal score 7.19", largest.Value)
	}
}

// TestLimitFarthest compares limitFarthest for m estimates with z + g(z² − 1)/6, z = norm.isf(α/2m)
// of SciPy 1.10.1 and g = experiment.MaxSkewness = 0.239071734289327.
func TestLimitFarthest(t *testing.T) {
	for _, c := range []struct {
		alpha  float64
		judged int
		want   float64
	}{{0.05, 1, 2.07318273256923}, {1e-3, 4652, 6.217652061892177}, {3.837298541826554e-10, 3979, 9.61480034106196}} {
		if got := limitFarthest(c.alpha, c.judged); math.Abs(got/c.want-1) > 1e-12 {
			t.Errorf("limitFarthest(%v, %d) = %v, want %v", c.alpha, c.judged, got, c.want)
		}
	}
}

// TestFarthestFailsNoMoreOftenThanDeclared checks that the farthest of 40 estimates exceeds its
// limit in at most the proportion α of documents. This must also hold if all estimates are as
// skewed as an estimate with an interval may be (gamma numbers of shape 70), and if they are
// identical. Each of the three comparisons has a false alarm with probability 10⁻⁶.
func TestFarthestFailsNoMoreOftenThanDeclared(t *testing.T) {
	const alpha, judged, runs = 0.05, 40, 4000
	random := rand.New(rand.NewPCG(54, 6))
	gamma := func() float64 {
		const shape = 70
		sum := -float64(shape)
		for range shape {
			sum += random.ExpFloat64()
		}
		return sum / math.Sqrt(shape)
	}
	for name, newSampler := range map[string]func() func() float64{ // a sampler of numbers for each document
		"normal": func() func() float64 { return random.NormFloat64 },
		"skewed": func() func() float64 { return gamma },
		"identical": func() func() float64 {
			z := gamma()
			return func() float64 { return z }
		},
	} {
		rows := make([]result.Estimate, judged)
		fails := int64(0)
		base := estimateAt(t, "normal", "8", 0)
		for range runs {
			sample := newSampler()
			for i := range rows {
				rows[i] = base
				rows[i].Value += result.Number(0.25 * sample())
				rows[i] = experiment.Interval(rows[i])
			}
			largest, n := findFarthest(rows)
			if float64(largest.Value) > limitFarthest(alpha, n) {
				fails++
			}
		}
		if lo, _ := theory.ClopperPearson(fails, runs, 1e-6); lo > alpha {
			t.Errorf("%s: %d of %d documents fail, want a proportion of at most %v", name, fails, runs, alpha)
		}
	}
}
