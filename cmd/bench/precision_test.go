package main

import (
	"fmt"
	"runtime"
	"testing"

	"mcsim/sim/names"
)

// BenchmarkPrecision is the seconds that Var(q·k) of the normal law takes to a
// relative standard error of 0.1 %, by both estimators and all cores, without the
// start of the process. Long runs go to a greater error and count as often as the
// square of the ratio says.
func BenchmarkPrecision(b *testing.B) {
	const target = 1e-3
	for _, c := range []struct {
		estimator string
		d         int
		to        float64
	}{
		{names.EstimatorDirect, 64, target}, {names.EstimatorDirect, 512, 2 * target}, {names.EstimatorDirect, 4096, 5 * target},
		{names.EstimatorGram, 64, target}, {names.EstimatorGram, 512, target}, {names.EstimatorGram, 4096, target},
	} {
		b.Run(fmt.Sprintf("%s/%d", c.estimator, c.d), func(b *testing.B) {
			whole := 0.0
			for b.Loop() {
				spent, relative, err := measure(b.Context(), c.estimator, c.d, runtime.NumCPU(), c.to)
				if err != nil {
					b.Fatal(err)
				}
				whole += spent * (relative / target) * (relative / target)
			}
			b.ReportMetric(whole/float64(b.N), "s/0.1%")
		})
	}
}

// What is drawn has about the error that was asked for.
func TestMeasure(t *testing.T) {
	for _, estimator := range []string{names.EstimatorDirect, names.EstimatorGram} {
		if seconds, relative, err := measure(t.Context(), estimator, 64, 2, 0.02); err != nil || seconds <= 0 || relative > 0.02 || relative < 0.01 {
			t.Errorf("%s: %v s to %v, error %v", estimator, seconds, relative, err)
		}
	}
}
