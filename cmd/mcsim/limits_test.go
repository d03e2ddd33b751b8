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

// under runs mcsim in a folder under a limit of the shell's, on one processor, since every
// thread takes address space.
func under(t *testing.T, dir, limit string, args ...string) (code int, said, complaint string) {
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

// TestLittleAddressSpace: less address space than the runtime reserves is said in one
// line. Where it is so little that no program of Go comes as far as its first line, the runtime
// dies by itself, and nothing can be said.
func TestLittleAddressSpace(t *testing.T) {
	dir := t.TempDir()
	code, _, complaint := under(t, dir, fmt.Sprint("-v ", minAddressSpace>>10), "version")
	if code != program.Passed || complaint != "" {
		t.Errorf("with what is asked for: exit code %d, %.300q", code, complaint)
	}
	code, said, complaint := under(t, dir, fmt.Sprint("-v ", minAddressSpace>>10-1), "run", "default")
	if code != program.Bad || !isOneLine(complaint) || !strings.Contains(complaint, "address space") || said != "" {
		t.Errorf("with less: exit code %d, %.300q", code, complaint)
	}
	if names := list(t, dir); len(names) > 0 {
		t.Errorf("a run that was refused leaves %q", names)
	}
}
