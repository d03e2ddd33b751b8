//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"mcsim/cmd/mcsim/folder"
)

// TestInterruptReading: a command that waits for a file, here one that nobody writes,
// ends with the first signal, and nothing is left beside what was there.
func TestInterruptReading(t *testing.T) {
	dir := t.TempDir()
	plan, out := filepath.Join(dir, "plan.yaml"), filepath.Join(dir, "out")
	if err := os.WriteFile(plan, []byte("experiments:\n  - {experiment: variance, law: normal, d_k: 4, samples: 1000, gate: false}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	mcsim(t, dir, "run", "plan.yaml", "-q")
	for _, name := range []string{folder.Nodes, folder.Run} {
		if err := os.Remove(filepath.Join(out, name)); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(out, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before := list(t, out)
	pipe := filepath.Join(dir, "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	signals := signals
	if testing.Short() {
		signals = signals[:1]
	}
	for _, signal := range signals {
		for _, args := range [][]string{{"run", plan, "-o", out}, {"verify", "-o", out}, {"report", "-o", out}, {"plan", pipe}} {
			begun := time.Now()
			interrupt(t, signal, 300*time.Millisecond, nil, args...)
			if took := time.Since(begun); took > 10*time.Second {
				t.Errorf("%v ends after %v", args, took)
			}
		}
	}
	if after := list(t, out); len(after) != len(before) {
		t.Errorf("the folder holds %q, before %q", after, before)
	}
}

// TestNohup: a hang-up that is ignored as the program begins does not end it.
func TestNohup(t *testing.T) {
	if testing.Short() {
		t.Skip("draws for seconds")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "long.yaml"), []byte(longPlan), 0o644); err != nil {
		t.Fatal(err)
	}
	c := process{exec.Command("sh", "-c", "trap '' HUP; exec mcsim run long.yaml -q")}
	c.Dir = dir
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, filepath.Join(dir, "out"))
	if code := c.end(t, syscall.SIGHUP); code != exitPassed {
		t.Errorf("ends with %d", code)
	}
}
