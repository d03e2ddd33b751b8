package main

import (
	"bytes"
	"errors"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// signals are the signals that end a command. If this process ignores a hangup, as under nohup, its
// commands inherit this and are not ended by a hangup either.
var signals = slices.DeleteFunc([]syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP},
	func(s syscall.Signal) bool { return signal.Ignored(s) })

// TestInterruptAnywhere sends a signal at different times of a run that replaces older results. The
// program must say truly whether it replaced the files, and all files must belong to one run.
func TestInterruptAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("ends many runs")
	}
	dir := t.TempDir()
	for name, seed := range map[string]string{"old": "1", "new": "2"} {
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte("seed: "+seed+"\n"+manyCells(400)),
			0o644); err != nil {
			t.Fatal(err)
		}
		mcsim(t, dir, "run", name+".yaml", "-q", "-o", name)
	}
	oldResults, newResults := readFile(t, filepath.Join(dir, "old", results.DocumentFile)),
		readFile(t, filepath.Join(dir, "new", results.DocumentFile))
	startTime := time.Now()
	mcsim(t, dir, "run", "new.yaml", "-q", "--fresh", "-o", "new")
	duration := time.Since(startTime)
	const steps = 16
	for i := range steps {
		outDir := filepath.Join(dir, "out")
		if err := errors.Join(os.RemoveAll(outDir),
			os.CopyFS(outDir, os.DirFS(filepath.Join(dir, "old")))); err != nil {
			t.Fatal(err)
		}
		before := listNames(t, outDir)
		c, stderr := start(t, dir, "run", "new.yaml", "-q", "--fresh")
		time.Sleep(duration * time.Duration(i+1) / time.Duration(steps-2))
		code := c.stop(t, syscall.SIGTERM)
		want, message := oldResults, stderr.String()
		switch {
		case code == program.Passed && message == "",
			code == program.Interrupted && strings.Contains(message, "its files are written"):
			want = newResults
		case code == -1 && message == "": // the signal came before the program listened to signals
		case code != program.Interrupted || !isOneLine(message):
			t.Errorf("step %d: got exit code %d and message %q, want %d and one line", i, code, message,
				program.Interrupted)
		}
		t.Logf("step %d: %d %q", i, code, message)
		if !bytes.Equal(readFile(t, filepath.Join(outDir, results.DocumentFile)), want) {
			t.Errorf("step %d: the results do not agree with the message %q", i, message)
		}
		// A program that ends at once may leave its lock file, which then locks nothing.
		isLock := func(name string) bool { return name == results.NodesFile+".lock" }
		if names := slices.DeleteFunc(listNames(t, outDir), isLock); !slices.Equal(names, before) {
			t.Errorf("step %d: the interrupted run leaves the files %q, want %q", i, names, before)
		}
		if i%4 != 0 {
			continue
		}
		// The next run completes the samples, and the samples of the old plan are not lost.
		mcsim(t, dir, "run", "new.yaml", "-q")
		if names := listNames(t, outDir); !slices.Equal(names, before) {
			t.Errorf("step %d: the next run leaves the files %q, want %q", i, names, before)
		}
		if !bytes.Equal(readFile(t, filepath.Join(outDir, results.DocumentFile)), newResults) {
			t.Errorf("step %d: the results of the next run differ from an uninterrupted run", i)
		}
		checkSampledBefore(t, dir, "old.yaml")
		if !bytes.Equal(readFile(t, filepath.Join(outDir, results.DocumentFile)), oldResults) {
			t.Errorf("step %d: the results of the old plan differ from an uninterrupted run", i)
		}
	}
}

// checkSampledBefore checks that a run of a plan finds all its samples in the folder.
func checkSampledBefore(t *testing.T, dir, plan string) {
	t.Helper()
	stdout, stderr, code := runIn(t, dir, "run", plan)
	if code != program.Passed {
		t.Errorf("mcsim run %s: exit code %d: %s%s", plan, code, stdout, stderr)
	}
	if !strings.Contains(stdout, ", all of it drawn before") {
		t.Errorf("mcsim run %s: the samples were not all drawn before: %s", plan, stdout)
	}
}

// process is a running program.
type process struct{ *exec.Cmd }

// start starts mcsim in a folder and collects its stderr.
func start(t *testing.T, dir string, args ...string) (c process, stderr *bytes.Buffer) {
	t.Helper()
	stderr = new(bytes.Buffer)
	c = process{exec.Command("mcsim", args...)}
	c.Dir, c.Stderr = dir, stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c, stderr
}

// stop sends a signal, unless the program has ended, and returns its exit code.
func (c process) stop(t *testing.T, signal syscall.Signal) int {
	t.Helper()
	// A program that ignores the signal is killed, which gives it a different exit code.
	timeout := time.AfterFunc(20*time.Second, func() { _ = c.Process.Kill() })
	defer timeout.Stop()
	if err := c.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	_ = c.Wait()
	return c.ProcessState.ExitCode()
}
