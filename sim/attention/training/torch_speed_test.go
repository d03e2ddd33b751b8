package training

import (
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"mcsim/sim/base/stream"
)

const (
	speedSeeds  = 25
	speedSteps  = 50
	speedRounds = 5 // each round times this program and both methods of PyTorch
)

// BenchmarkAgainstTorch reports the ratios of PyTorch's time to the time of this program, for
// PyTorch with batches of seeds (bmm) and seed by seed (eager): the median of all rounds, the
// smallest and the largest ratio. It trains the plain model for every d_k of the plan with both
// optimisers, on one thread.
func BenchmarkAgainstTorch(b *testing.B) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import torch").Run() != nil {
		b.Skip("python3 cannot import torch")
	}
	var batched, eager []float64
	for round := range speedRounds {
		var ours, bmm, loop float64 // seconds
		for _, d := range []int{16, 64, 256, 1024} {
			for _, adam := range []bool{false, true} {
				ourTime := timeOurs(d, adam)
				bmmTime, loopTime := timeTorch(b, python, "bmm", d, adam), timeTorch(b, python, "eager", d, adam)
				ours, bmm, loop = ours+ourTime, bmm+bmmTime, loop+loopTime
				b.Logf("round %d, d_k = %d, Adam %v: %.3f s, PyTorch %.3f s in batches and %.3f s seed by seed", round,
					d, adam, ourTime, bmmTime, loopTime)
			}
		}
		batched, eager = append(batched, bmm/ours), append(eager, loop/ours)
	}
	for what, ratios := range map[string][]float64{"bmm": batched, "eager": eager} {
		slices.Sort(ratios)
		b.ReportMetric(ratios[speedRounds/2], what+"-times")
		b.ReportMetric(ratios[0], what+"-least")
		b.ReportMetric(ratios[speedRounds-1], what+"-most")
	}
}

// timeOurs trains all seeds and returns the seconds that it takes.
func timeOurs(d int, adam bool) float64 {
	s := Setting{Rule: Rule{Variant: Plain, Exponent: 0.5}, Dimension: d, Adam: adam, Steps: speedSteps, Epsilon: Epsilon, Rate: 0.01}
	var lanes stream.Lanes
	stream.Open(stream.ID{Seed: 1, Cell: fmt.Sprint("speed", d)}).Block(&lanes, 0)
	data := SampleData(&lanes, s, speedSeeds)
	n := New(s)
	start := time.Now()
	n.Run(data)
	return time.Since(start).Seconds()
}

// timeTorch returns the seconds that PyTorch reports.
func timeTorch(t testing.TB, python, method string, d int, adam bool) float64 {
	t.Helper()
	optimiser := "sgd"
	if adam {
		optimiser = "adam"
	}
	out, err := exec.Command(python, "testdata/speed.py", method, strconv.Itoa(d), optimiser, strconv.Itoa(speedSeeds),
		strconv.Itoa(speedSteps)).Output()
	if err != nil {
		t.Fatal(err)
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err != nil {
		t.Fatal(err)
	}
	return seconds
}
