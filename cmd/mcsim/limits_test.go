//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"mcsim/cmd/mcsim/program"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// runWithLimit runs mcsim in a folder with a limit of the shell, on one processor, since every
// thread needs address space.
func runWithLimit(t *testing.T, dir, limit string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	c := exec.Command("sh", append([]string{"-c", "ulimit " + limit + ` && exec mcsim "$@"`, "sh"}, args...)...)
	c.Dir, c.Env = dir, append(os.Environ(), "GOMAXPROCS=1")
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), out.String(), errs.String()
}

// TestLittleAddressSpace checks that a limit below the runtime's reservation is reported in one
// line. With an even lower limit the Go runtime crashes before main, which the program cannot
// prevent.
func TestLittleAddressSpace(t *testing.T) {
	dir := t.TempDir()
	code, _, stderr := runWithLimit(t, dir, fmt.Sprint("-v ", minAddressSpace>>10), "version")
	if code != program.Passed || stderr != "" {
		t.Errorf("with what is asked for: exit code %d, %.300q", code, stderr)
	}
	code, stdout, stderr := runWithLimit(t, dir, fmt.Sprint("-v ", minAddressSpace>>10-1), "run", "default")
	if code != program.BadInput || !isOneLine(stderr) || !strings.Contains(stderr, "address space") || stdout != "" {
		t.Errorf("with less: exit code %d, %.300q", code, stderr)
	}
	if names := listNames(t, dir); len(names) > 0 {
		t.Errorf("a run that was refused leaves %q", names)
	}
}
