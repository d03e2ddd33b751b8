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

// longCell is one cell that takes n pairs.
func longCell(n string) string {
	return "seed: 4\nexperiments: [{experiment: variance, distribution: normal, d_k: 64, samples: " + n + ", gate: false}]\n"
}

// killedRuns are runs, and a shard, that take a fraction of a second, or little more: many cells,
// histograms, matrices, stacks, one long cell, two long blocks.
var killedRuns = []struct {
	what, plan string
	shard      bool
}{
	{"cells", manyCells(300), false},
	{"softmax", killedRows, false},
	{"a shard", killedRows, true},
	{"init", "experiments: [{experiment: init, init: [torch-linear, orthogonal], d_model: 36, d_k: 4, samples: 100, gate: false}]\n", false},
	{"depth", "experiments: [{experiment: depth, tokens: [2, 16], width: 32, layers: 3, samples: 1000, gate: false}]\n", false},
	{"long", longCell("2^23"), false},
	{"block", "experiments: [{experiment: training, d_k: 128, exponent: 1/2, optimiser: adam, octave: [0, 1], steps: 600}]\n", false},
}

const killedRows = "experiments: [{experiment: softmax, distribution: [normal, laplace], d_k: 16, keys: [4, 16], exponent: [0, 1/2], samples: 8e3, gate: false}]\n"

// TestKilled: a run that is killed at random moments, again and again until it ends by itself,
// leaves the bytes of one that was left alone, and nothing beside them.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills many runs")
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	done := 0
	for i := 0; done < kills; i++ {
		k := killedRuns[i%len(killedRuns)]
		if k.shard {
			done += killed(t, r, k.what, k.plan, []string{"0.shard"}, "--shard", "0/2", "-o",
				filepath.Join("out", "0.shard"))
		} else {
			done += killed(t, r, k.what, k.plan,
				[]string{results.DocumentFile, results.EstimatesFile, results.NodesFile}, "-o", "out")
		}
	}
}

// killed kills a run of a plan until one ends by itself, and returns how often that was. written
// are the files whose bytes the plan decides, in the folder out.
func killed(t *testing.T, r *rand.Rand, what, text string, written []string, flags ...string) (times int) {
	t.Helper()
	dir := writePlan(t, text)
	args := append([]string{"run", "plan.yaml", "-q"}, flags...)
	begun := time.Now()
	mcsim(t, dir, args...)
	took := time.Since(begun)
	if err := os.Rename(filepath.Join(dir, "out"), filepath.Join(dir, "whole")); err != nil {
		t.Fatal(err)
	}
	want := list(t, filepath.Join(dir, "whole"))
	for ; ; times++ {
		c, complaint := begin(t, dir, args...)
		kill := time.AfterFunc(time.Duration(r.Int64N(int64(took)*5/4)), func() { _ = c.Process.Kill() })
		_ = c.Wait()
		kill.Stop()
		if complaint.Len() > 0 {
			t.Fatalf("%s, after %d kills: %s", what, times, complaint)
		}
		if c.ProcessState.ExitCode() == program.Passed {
			break
		}
	}
	for _, name := range written {
		if !bytes.Equal(file(t, filepath.Join(dir, "whole", name)), file(t, filepath.Join(dir, "out", name))) {
			t.Errorf("%s, after %d kills: %s has other bytes than after none", what, times, name)
		}
	}
	if names := list(t, filepath.Join(dir, "out")); !slices.Equal(names, want) {
		t.Errorf("%s, after %d kills: it leaves %q, want %q", what, times, names, want)
	}
	return times
}

// share is how much of a plan a folder's nodes have.
func share(t *testing.T, dir, text string) float64 {
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

// TestEndedKeeps: whatever ends a run of one long cell, what it recorded is there in the next,
// which says so and adds to it. A signal that it can take ends it soon, with a line that names the
// file, and its lock is gone.
func TestEndedKeeps(t *testing.T) {
	if testing.Short() {
		t.Skip("runs until it is ended")
	}
	text := longCell("2^34")
	dir := writePlan(t, text)
	nodes, before := filepath.Join(dir, "out", results.NodesFile), 0.0
	for _, signal := range append([]syscall.Signal{syscall.SIGKILL, syscall.SIGKILL}, signals...) {
		there := int64(0)
		if info, err := os.Stat(nodes); err == nil {
			there = info.Size()
		}
		c, complaint := begin(t, dir, "run", "plan.yaml", "--workers", "1")
		waitForSize(t, nodes, there+100) // more than the header
		time.Sleep(200 * time.Millisecond)
		code := c.end(t, signal)
		said := complaint.String()
		if signal != syscall.SIGKILL && (code != program.Interrupted ||
			!strings.Contains(said, "interrupted; what was drawn is in "+filepath.Join("out", results.NodesFile))) {
			t.Errorf("%v: it ends with %d and says %q", signal, code, said)
		}
		if _, err := os.Stat(nodes + ".lock"); signal != syscall.SIGKILL && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v: the file of the lock is left: %v", signal, err)
		}
		now := share(t, dir, text)
		if now <= before {
			t.Errorf("%v: %v of the plan is there, %v was before", signal, now, before)
		}
		if goesOn := strings.Contains(said, "the run goes on from there"); goesOn != (before > 0) {
			t.Errorf("with %v of the plan it says %q", before, said)
		}
		before = now
	}
}

// TestOneFolderOneRun: while a run draws into a folder, another is refused there, and says who has
// it.
func TestOneFolderOneRun(t *testing.T) {
	dir := writePlan(t, endlessPlan)
	c, complaint := begin(t, dir, "run", "plan.yaml", "-q")
	waitForSize(t, filepath.Join(dir, "out", results.NodesFile), -1)
	late, refused := begin(t, dir, "run", "plan.yaml", "-q")
	_ = late.Wait()
	if said := refused.String(); late.ProcessState.ExitCode() != program.Bad || !isOneLine(said) ||
		!strings.Contains(said, fmt.Sprintf("in use by process %d on ", c.Process.Pid)) {
		t.Errorf("the second ends with %d and says %q", late.ProcessState.ExitCode(), said)
	}
	if code := c.end(t, syscall.SIGINT); code != program.Interrupted || !isOneLine(complaint.String()) {
		t.Errorf("the one that went on ends with %d and says %q", code, complaint)
	}
}
