package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInterruptDraw: words without end, read or not, end with the first signal.
func TestInterruptDraw(t *testing.T) {
	reader, pipe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close() // which nobody reads
	defer pipe.Close()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for _, out := range []*os.File{nil, pipe} {
			interrupt(t, signal, 500*time.Millisecond, out, "draw", "--bits")
		}
	}
}

// TestInterruptBench: so does a benchmark, though a peer does not come to an end.
func TestInterruptBench(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"direct_numpy.py": "", "python3": "#!/bin/sh\nexec sleep 60\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		interrupt(t, signal, time.Second, nil, "bench", "--peers-dir", folder)
	}
}

// interrupt starts the program, sends it one signal after a while, and wants it
// to end soon with 130, one line on stderr and nothing on stdout but what out takes.
func interrupt(t *testing.T, signal syscall.Signal, after time.Duration, out *os.File, args ...string) {
	t.Helper()
	var complaint bytes.Buffer
	c := exec.Command("mcsim", args...)
	c.Stderr = &complaint
	if out != nil {
		c.Stdout = out
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	// a program that goes on is ended, and has another exit code
	late := time.AfterFunc(20*time.Second, func() { _ = c.Process.Kill() })
	defer late.Stop()
	if err := c.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); c.ProcessState.ExitCode() != exitInterrupted || !isOneLine(complaint.String()) {
		t.Errorf("mcsim %s ends on %v with %v and says %q, want exit code %d and one line", strings.Join(args, " "), signal, err, &complaint, exitInterrupted)
	}
}
