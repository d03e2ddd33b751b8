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

// runWithLimit runs mcsim in a folder with a limit of the shell. It uses one processor, since every
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

// TestLittleAddressSpace checks that the program runs with minAddressSpace, and that it reports a
// slightly lower limit in one line. With a much lower limit the Go runtime crashes before the
// program can report it.
func TestLittleAddressSpace(t *testing.T) {
	dir := t.TempDir()
	code, _, stderr := runWithLimit(t, dir, fmt.Sprint("-v ", minAddressSpace>>10), "version")
	if code != program.Passed || stderr != "" {
		t.Errorf("with the required address space: exit code %d, want %d without a message: %.300q", code,
			program.Passed, stderr)
	}
	code, stdout, stderr := runWithLimit(t, dir, fmt.Sprint("-v ", minAddressSpace>>10-1), "run", "default")
	if code != program.BadInput || !isOneLine(stderr) || !strings.Contains(stderr, "address space") || stdout != "" {
		t.Errorf("with less address space: exit code %d, want %d with one line about it: %.300q", code,
			program.BadInput, stderr)
	}
	if names := listNames(t, dir); len(names) > 0 {
		t.Errorf("the refused run leaves the files %q, want none", names)
	}
}
