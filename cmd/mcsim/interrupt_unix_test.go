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
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInterruptPlanning checks that the first signal ends a command while it plans, which takes
// seconds here.
func TestInterruptPlanning(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "wide.yaml")
	if err := os.WriteFile(path, []byte(widePlan(4001)), 0o644); err != nil {
		t.Fatal(err)
	}
	c, stderr := start(t, dir, "plan", path) // refused before any cell is made
	code := c.stop(t, 0)
	if message := stderr.String(); code != program.BadInput || !isOneLine(message) ||
		!strings.Contains(message, "variants") {
		t.Errorf("too many variants: exit code %d with %q, want %d with one line about variants", code, message,
			program.BadInput)
	}
	for _, args := range [][]string{{"plan", path, "--max-cells", "1e6"},
		{"run", path, "--max-cells", "1e6", "-o", filepath.Join(dir, "out")}} {
		code, message := -1, ""
		// With code −1 the signal came before the program listened to signals; then the test waits
		// longer.
		for wait := 300 * time.Millisecond; code == -1 && wait < 5*time.Second; wait *= 2 {
			c, stderr := start(t, dir, args...)
			time.Sleep(wait)
			code, message = c.stop(t, syscall.SIGTERM), stderr.String()
		}
		if code != program.Interrupted || !isOneLine(message) {
			t.Errorf("mcsim %s after a signal: exit code %d with %q, want %d with one line", args[0], code, message,
				program.Interrupted)
		}
	}
}

// widePlan returns a plan with the given number of numbers of keys, each with 2499 scalings.
func widePlan(keys int) string {
	return fmt.Sprintf("experiments:\n"+
		"  - {experiment: freezing, keys: [%s], sigma: [%s, 1.5], samples: 16, gate: false}\n",
		listIntegers(keys), listIntegers(250))
}

// listIntegers returns the integers from 2 to n, separated by commas.
func listIntegers(n int) string {
	texts := make([]string, n-1)
	for i := range texts {
		texts[i] = strconv.Itoa(i + 2)
	}
	return strings.Join(texts, ", ")
}

// TestLongRun checks that a run or a probe that would take years announces its duration at once,
// even if stderr is a pipe. A quiet run must not announce it.
func TestLongRun(t *testing.T) {
	if testing.Short() {
		t.Skip("samples until a signal ends it")
	}
	dir := writePlan(t, "experiments: [{experiment: variance, distribution: normal, d_k: 64, samples: 2^48, "+
		"gate: false}]\n")
	for _, args := range [][]string{{"run", "plan.yaml"}, {"probe", "--samples", "2^48"}} {
		c := process{exec.Command("mcsim", append(args, "--workers", "1")...)}
		c.Dir = dir
		status, err := c.StderrPipe()
		simtest.Must(t, errors.Join(err, c.Start()))
		line, _ := bufio.NewReader(status).ReadString('\n') // waits for the line
		if !strings.Contains(line, "takes ") {
			t.Errorf("mcsim %q prints %q, want the duration", args, line)
		}
		c.stop(t, syscall.SIGKILL)
	}
	c, stderr := start(t, dir, "run", "plan.yaml", "-q", "--workers", "1", "-o", "quiet")
	waitForSize(t, filepath.Join(dir, "quiet", results.NodesFile), 100) // it samples
	c.stop(t, syscall.SIGKILL)
	if stderr.Len() > 0 {
		t.Errorf("a quiet run prints %q, want nothing", stderr)
	}
}

// TestNohup checks that a hangup does not end the program if it was ignored at the start.
func TestNohup(t *testing.T) {
	if testing.Short() {
		t.Skip("samples for seconds")
	}
	dir := writePlan(t, longPlan)
	c := process{exec.Command("sh", "-c", "trap '' HUP; exec mcsim run plan.yaml -q")}
	c.Dir = dir
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	waitForSize(t, filepath.Join(dir, "out"), -1)
	if code := c.stop(t, syscall.SIGHUP); code != program.Passed {
		t.Errorf("the exit code after a hangup is %d, want %d", code, program.Passed)
	}
}

// TestSignalInBlock checks that the first signal ends a run within seconds although it draws a
// block that takes minutes, and that the run keeps its saved samples.
func TestSignalInBlock(t *testing.T) {
	if testing.Short() {
		t.Skip("samples for seconds")
	}
	dir := writePlan(t, longBlocks)
	t.Setenv("MCSIM_KERNEL", "portable")
	c, complaint := start(t, dir, "run", "plan.yaml", "-q", "--workers", "2")
	nodes := filepath.Join(dir, "out", results.NodesFile)
	waitForSize(t, nodes, 100)
	startTime := time.Now()
	code := c.stop(t, syscall.SIGTERM)
	t.Logf("it ends after %v", time.Since(startTime))
	if code != program.Interrupted || !strings.Contains(complaint.String(), results.NodesFile) {
		t.Errorf("after a signal: exit code %d with %q, want %d with the name of the file of nodes", code, complaint,
			program.Interrupted)
	}
	if fileSize(t, nodes) <= 100 {
		t.Error("the saved samples are lost")
	}
}

// longBlocks is a plan with some small cells, and with one cell whose block takes minutes with the
// portable kernel.
const longBlocks = `experiments:
  - {experiment: variance, distribution: normal, d_k: [4, 5, 6, 7, 8], samples: 1000, gate: false}
  - {experiment: init, init: torch-linear, d_model: 16384, d_k: 1024, samples: 40}
`

// TestSecondSignal checks that a run with a block of minutes waits for the block after the first
// signal, and that a second signal ends it at once.
func TestSecondSignal(t *testing.T) {
	dir := writePlan(t, longBlocks)
	t.Setenv("MCSIM_KERNEL", "portable")
	c, complaint := start(t, dir, "run", "plan.yaml", "-q", "--workers", "2")
	timeout := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
	defer timeout.Stop()
	waitForSize(t, filepath.Join(dir, "out", results.NodesFile), 100) // the small cells are recorded
	ended := make(chan error)
	go func() { ended <- c.Wait() }()
	for isRunning := true; isRunning; {
		_ = c.Process.Signal(syscall.SIGINT) // the first, and then others until it ends
		select {
		case <-ended:
			isRunning = false
		case <-time.After(50 * time.Millisecond):
		}
	}
	if status, ok := c.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() ||
		status.Signal() != syscall.SIGINT {
		t.Errorf("after the second signal the program ended with %v and %q, want the signal to end it",
			c.ProcessState, complaint)
	}
}
