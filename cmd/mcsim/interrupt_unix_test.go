//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/sim/simtest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInterruptPlanning: a command that works a plan out, which takes seconds here, ends with
// the first signal.
func TestInterruptPlanning(t *testing.T) {
	dir := t.TempDir()
	wide := filepath.Join(dir, "wide.yaml")
	if err := os.WriteFile(wide, []byte(widePlan(400)), 0o644); err != nil {
		t.Fatal(err)
	}
	c, complaint := begin(t, dir, "plan", wide) // one line refuses so many cells before any of them is made
	if code := c.end(t, 0); code != program.Bad || !isOneLine(complaint.String()) ||
		!strings.Contains(complaint.String(), "variants") {
		t.Errorf("%d: %s", code, complaint)
	}
	for _, args := range [][]string{{"plan", wide, "--max-cells", "1e6"},
		{"run", wide, "--max-cells", "1e6", "-o", filepath.Join(dir, "out")}} {
		code, said := -1, ""
		// the signal came before the program could take it
		for wait := 300 * time.Millisecond; code == -1 && wait < 5*time.Second; wait *= 2 {
			c, complaint := begin(t, dir, args...)
			time.Sleep(wait)
			code, said = c.end(t, syscall.SIGTERM), complaint.String()
		}
		if code != program.Interrupted || !isOneLine(said) {
			t.Errorf("mcsim %s ends with %d and says %q", args[0], code, said)
		}
	}
}

// widePlan has so many numbers of keys, each under 2499 scalings.
func widePlan(keys int) string {
	wholes := func(to int) string {
		var b strings.Builder
		for i := range to - 1 {
			fmt.Fprintf(&b, "%d, ", i+2)
		}
		return b.String()
	}
	return fmt.Sprintf("experiments:\n  - {experiment: freezing, keys: [%s], sigma: [%s 1.5], samples: 16, gate: false}\n", wholes(keys), wholes(2499))
}

// TestLongRun: a run or a probe of years says so at once, in a pipe too, and a quiet run does not.
func TestLongRun(t *testing.T) {
	if testing.Short() {
		t.Skip("draws until it is ended")
	}
	dir := writePlan(t, "experiments: [{experiment: variance, distribution: normal, d_k: 64, samples: 2^48, gate: false}]\n")
	for _, args := range [][]string{{"run", "plan.yaml"}, {"probe", "--samples", "2^48"}} {
		c := process{exec.Command("mcsim", append(args, "--workers", "1")...)}
		c.Dir = dir
		status, err := c.StderrPipe()
		simtest.Must(t, errors.Join(err, c.Start()))
		line, _ := bufio.NewReader(status).ReadString('\n') // waits for the line
		if !strings.Contains(line, "takes ") {
			t.Errorf("%q says %q", args, line)
		}
		c.end(t, syscall.SIGKILL)
	}
	c, complaint := begin(t, dir, "run", "plan.yaml", "-q", "--workers", "1", "-o", "quiet")
	waitForSize(t, filepath.Join(dir, "quiet", results.NodesFile), 100) // it draws
	c.end(t, syscall.SIGKILL)
	if complaint.Len() > 0 {
		t.Errorf("a quiet run says %q", complaint)
	}
}

// TestNohup: a hang-up that is ignored as the program begins does not end it.
func TestNohup(t *testing.T) {
	if testing.Short() {
		t.Skip("draws for seconds")
	}
	dir := writePlan(t, longPlan)
	c := process{exec.Command("sh", "-c", "trap '' HUP; exec mcsim run plan.yaml -q")}
	c.Dir = dir
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	waitForSize(t, filepath.Join(dir, "out"), -1)
	if code := c.end(t, syscall.SIGHUP); code != program.Passed {
		t.Errorf("ends with %d", code)
	}
}

// TestSignalInBlock: the first signal ends a run soon, though a block that is being drawn takes
// minutes, and what was recorded stays.
func TestSignalInBlock(t *testing.T) {
	if testing.Short() {
		t.Skip("draws for seconds")
	}
	dir := writePlan(t, longBlocks)
	t.Setenv("MCSIM_KERNEL", "portable")
	c, complaint := begin(t, dir, "run", "plan.yaml", "-q", "--workers", "2")
	nodes := filepath.Join(dir, "out", results.NodesFile)
	waitForSize(t, nodes, 100)
	begun := time.Now()
	code := c.end(t, syscall.SIGTERM)
	t.Logf("it ends after %v", time.Since(begun))
	if code != program.Interrupted || !strings.Contains(complaint.String(), results.NodesFile) {
		t.Errorf("ends with %d and says %q", code, complaint)
	}
	if size(t, nodes) <= 100 {
		t.Error("what was recorded is lost")
	}
}

// longBlocks is a plan of some small cells, and of one whose block takes portable Go minutes.
const longBlocks = `experiments:
  - {experiment: variance, distribution: normal, d_k: [4, 5, 6, 7, 8], samples: 1000, gate: false}
  - {experiment: init, init: torch-linear, d_model: 16384, d_k: 1024, samples: 40}
`

// TestSecondSignal: a run whose block takes minutes waits for its end after a signal, and
// another signal ends it at once.
func TestSecondSignal(t *testing.T) {
	dir := writePlan(t, longBlocks)
	t.Setenv("MCSIM_KERNEL", "portable")
	c, complaint := begin(t, dir, "run", "plan.yaml", "-q", "--workers", "2")
	late := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
	defer late.Stop()
	waitForSize(t, filepath.Join(dir, "out", results.NodesFile), 100) // the small cells are recorded
	ended := make(chan error)
	go func() { ended <- c.Wait() }()
	for waiting := true; waiting; {
		_ = c.Process.Signal(syscall.SIGINT) // the first, and then others until it ends
		select {
		case <-ended:
			waiting = false
		case <-time.After(50 * time.Millisecond):
		}
	}
	if how, ok := c.ProcessState.Sys().(syscall.WaitStatus); !ok || !how.Signaled() || how.Signal() != syscall.SIGINT {
		t.Errorf("a second signal ends it with %v and %q, want it ended by the signal", c.ProcessState, complaint)
	}
}
