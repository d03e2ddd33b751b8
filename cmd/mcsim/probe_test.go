package main

import (
	"fmt"
	"os/exec"
	"testing"

	"mcsim/cmd/mcsim/question"
	"mcsim/sim/names"
)

// BenchmarkPrecision is the seconds that Var(q·k) of the normal law takes to a
// relative standard error of 0.1 %, by both estimators and all cores, without the
// start of the process. Long runs go to a greater error and count as often as the
// square of the ratio says.
func BenchmarkPrecision(b *testing.B) {
	const target = 1e-3
	f, _ := question.New()
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
				spent, relative, err := timedProbe(b.Context(), c.estimator, c.d, f.Workers, c.to)
				if err != nil {
					b.Fatal(err)
				}
				whole += spent * (relative / target) * (relative / target)
			}
			b.ReportMetric(whole/float64(b.N), "s/0.1%")
		})
	}
}

// BenchmarkStart is a probe of the fewest samples, from the start of its process
// to its end.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		if out, err := exec.Command("mcsim", "probe", "--d-k", "1", "--samples", "16").CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
}
