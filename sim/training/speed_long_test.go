//go:build long

package training

import (
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"mcsim/sim/stream"
)

// The declared subset: the plain model at every d_k of the plan, under both optimisers, 25
// seeds and 50 steps, on one thread. Each round times both programs in turn.
const (
	speedSeeds  = 25
	speedSteps  = 50
	speedRounds = 3
)

// Training takes no longer than PyTorch's on batches of seeds, over the whole subset, in
// the median round. The ratio to PyTorch seed by seed is logged beside it.
func TestAgainstTorchInSpeed(t *testing.T) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import torch").Run() != nil {
		t.Skip("wants a python3 that imports torch")
	}
	var batched, eager []float64
	for round := range speedRounds {
		var ours, bmm, loop float64
		for _, d := range []int{16, 64, 256, 1024} {
			for _, adam := range []bool{false, true} {
				a, b := ourSeconds(d, adam), torchSeconds(t, python, "bmm", d, adam)
				ours, bmm = ours+a, bmm+b
				c := torchSeconds(t, python, "eager", d, adam)
				loop += c
				if round == 0 {
					t.Logf("d_k = %d, Adam %v: %.3f s, PyTorch %.3f s in batches and %.3f s seed by seed", d, adam, a, b, c)
				}
			}
		}
		batched, eager = append(batched, bmm/ours), append(eager, loop/ours)
	}
	slices.Sort(batched)
	slices.Sort(eager)
	t.Logf("PyTorch takes %.2f times as long in batches (%.2f to %.2f), %.1f times seed by seed (%.1f to %.1f)",
		batched[speedRounds/2], batched[0], batched[speedRounds-1], eager[speedRounds/2], eager[0], eager[speedRounds-1])
	if batched[speedRounds/2] < 1 {
		t.Errorf("PyTorch is faster: %.2f", batched[speedRounds/2])
	}
}

// ourSeconds trains all seeds.
func ourSeconds(d int, adam bool) float64 {
	s := Setting{Rule: Rule{Plain, 0.5, 0}, Dimension: d, Adam: adam, Steps: speedSteps, Epsilon: Epsilon, Rate: 0.01}
	var lanes stream.Lanes
	stream.Open(stream.Key{Seed: 1, Cell: fmt.Sprint("speed", d)}).Block(&lanes, 0)
	data := Draw(&lanes, s, speedSeeds)
	n := New(s)
	begun := time.Now()
	n.Run(data)
	return time.Since(begun).Seconds()
}

// torchSeconds is what PyTorch says that it took.
func torchSeconds(t *testing.T, python, way string, d int, adam bool) float64 {
	t.Helper()
	optimiser := "sgd"
	if adam {
		optimiser = "adam"
	}
	out, err := exec.Command(python, "testdata/speed.py", way, strconv.Itoa(d), optimiser, strconv.Itoa(speedSeeds), strconv.Itoa(speedSteps)).Output()
	if err != nil {
		t.Fatal(err)
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err != nil {
		t.Fatal(err)
	}
	return seconds
}
