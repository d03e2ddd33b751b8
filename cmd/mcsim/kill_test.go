package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
)

// longCellPlan returns a plan with one cell of n pairs.
func longCellPlan(n string) string {
	return "seed: 4\nexperiments: [{experiment: variance, distribution: normal, d_k: 64, samples: " + n +
		", gate: false}]\n"
}

// killedRuns are runs that take less than about a second: with many cells, with histograms, of a
// shard, with matrices, with stacks of layers, with one long cell, and with two long blocks.
var killedRuns = []struct {
	name, plan string
	isShard    bool
}{
	{"cells", manyCells(300), false},
	{"softmax", softmaxPlan, false},
	{"a shard", softmaxPlan, true},
	{"init", "experiments: [{experiment: init, init: [torch-linear, orthogonal], d_model: 36, d_k: 4, " +
		"samples: 100, gate: false}]\n", false},
	{"depth", "experiments: [{experiment: depth, tokens: [2, 16], width: 32, layers: 3, samples: 1000, " +
		"gate: false}]\n", false},
	{"long", longCellPlan("2^23"), false},
	{"block", "experiments: [{experiment: training, d_k: 128, exponent: 1/2, optimiser: adam, octave: [0, 1], " +
		"steps: 600}]\n", false},
}

const softmaxPlan = "experiments: [{experiment: softmax, distribution: [normal, laplace], d_k: 16, " +
	"keys: [4, 16], exponent: [0, 1/2], samples: 8e3, gate: false}]\n"

// TestKilled kills runs at random moments and starts them again until one ends by itself. The
// folder must then have the same files with the same bytes as after a run that was not killed.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills many runs")
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	totalKills := 0
	for i := 0; totalKills < kills; i++ {
		c := killedRuns[i%len(killedRuns)]
		if c.isShard {
			totalKills += killUntilDone(t, r, c.name, c.plan, []string{"0.shard"}, "--shard", "0/2", "-o",
				filepath.Join("out", "0.shard"))
		} else {
			totalKills += killUntilDone(t, r, c.name, c.plan,
				[]string{results.DocumentFile, results.EstimatesFile, results.NodesFile}, "-o", "out")
		}
	}
}

// killUntilDone kills runs of a plan until one ends by itself, checks the files in the folder out,
// and returns the number of kills. written are the files whose bytes depend only on the plan.
func killUntilDone(t *testing.T, r *rand.Rand, name, text string, written []string, flags ...string) (kills int) {
	t.Helper()
	dir := writePlan(t, text)
	args := append([]string{"run", "plan.yaml", "-q"}, flags...)
	startTime := time.Now()
	mcsim(t, dir, args...)
	duration := time.Since(startTime)
	if err := os.Rename(filepath.Join(dir, "out"), filepath.Join(dir, "whole")); err != nil {
		t.Fatal(err)
	}
	want := listNames(t, filepath.Join(dir, "whole"))
	for ; ; kills++ {
		c, stderr := start(t, dir, args...)
		kill := time.AfterFunc(time.Duration(r.Int64N(int64(duration)*5/4)), func() { _ = c.Process.Kill() })
		_ = c.Wait()
		kill.Stop()
		if stderr.Len() > 0 {
			t.Fatalf("%s, after %d kills: the run prints %q, want nothing", name, kills, stderr)
		}
		if c.ProcessState.ExitCode() == program.Passed {
			break
		}
	}
	for _, file := range written {
		if !bytes.Equal(readFile(t, filepath.Join(dir, "whole", file)), readFile(t, filepath.Join(dir, "out", file))) {
			t.Errorf("%s, after %d kills: %s differs from the file of a run that was not killed", name, kills, file)
		}
	}
	if names := listNames(t, filepath.Join(dir, "out")); !slices.Equal(names, want) {
		t.Errorf("%s, after %d kills: the folder has the files %q, want %q", name, kills, names, want)
	}
	return kills
}

// readProportion returns the proportion of a plan's samples in the folder's nodes, weighted by
// their cost.
func readProportion(t *testing.T, dir, text string) float64 {
	t.Helper()
	p, err := plan.Parse("plan.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := schedule.New(p)
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := store.Read(filepath.Join(dir, "out", results.NodesFile), run.Origin(s.Plan))
	if err != nil {
		t.Fatal(err)
	}
	defer nodes.Close()
	return 1 - s.RemainingCost(nodes)/s.Components()
}

// TestSamplesAreKept ends a run of one long cell by each signal. The next run must find the saved
// samples, print a note about them, and add to them. After a signal other than SIGKILL, the run
// must end soon, print the name of the file, and remove its lock.
func TestSamplesAreKept(t *testing.T) {
	if testing.Short() {
		t.Skip("runs until it is ended")
	}
	text := longCellPlan("2^34")
	dir := writePlan(t, text)
	nodes, before := filepath.Join(dir, "out", results.NodesFile), 0.0
	for _, signal := range append([]syscall.Signal{syscall.SIGKILL, syscall.SIGKILL}, signals...) {
		sizeBefore := int64(0)
		if info, err := os.Stat(nodes); err == nil {
			sizeBefore = info.Size()
		}
		c, stderr := start(t, dir, "run", "plan.yaml", "--workers", "1")
		waitForSize(t, nodes, sizeBefore+100) // more than the header
		time.Sleep(200 * time.Millisecond)
		code := c.stop(t, signal)
		message := stderr.String()
		if signal != syscall.SIGKILL && (code != program.Interrupted ||
			!strings.Contains(message,
				"interrupted; the samples are saved in "+filepath.Join("out", results.NodesFile))) {
			t.Errorf("%v: exit code %d with %q, want %d with the path of the saved samples", signal, code, message,
				program.Interrupted)
		}
		if _, err := os.Stat(nodes + ".lock"); signal != syscall.SIGKILL && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v: the run did not remove the file of its lock (%v)", signal, err)
		}
		proportion := readProportion(t, dir, text)
		if proportion <= before {
			t.Errorf("%v: the proportion of saved samples is %v, want more than %v", signal, proportion, before)
		}
		saysContinue, hasSamples := strings.Contains(message, "the run continues from there"), before > 0
		if saysContinue != hasSamples {
			t.Errorf("the run says that it continues from saved samples: %v, want %v: %q", saysContinue, hasSamples,
				message)
		}
		before = proportion
	}
}

// TestOneFolderOneRun checks that a second run in the same folder is refused with a message that
// has the process of the first run, and that the first run goes on.
func TestOneFolderOneRun(t *testing.T) {
	dir := writePlan(t, endlessPlan)
	c, stderr := start(t, dir, "run", "plan.yaml", "-q")
	waitForSize(t, filepath.Join(dir, "out", results.NodesFile), -1)
	second, secondStderr := start(t, dir, "run", "plan.yaml", "-q")
	_ = second.Wait()
	if code := second.ProcessState.ExitCode(); code != program.BadInput {
		t.Errorf("the exit code of the second run is %d, want %d", code, program.BadInput)
	}
	want := fmt.Sprintf("in use by process %d on ", c.Process.Pid)
	if message := secondStderr.String(); !isOneLine(message) || !strings.Contains(message, want) {
		t.Errorf("the second run prints %q, want one line with %q", message, want)
	}
	if code := c.stop(t, syscall.SIGINT); code != program.Interrupted || !isOneLine(stderr.String()) {
		t.Errorf("the first run after a signal: exit code %d with %q, want %d with one line", code, stderr,
			program.Interrupted)
	}
}
