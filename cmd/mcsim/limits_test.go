//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// TestFewFiles: however few files may be opened, a command does what it does, or says in
// one line that it cannot; what is there stays. With fewer than four the system cannot
// load a program that is linked with libraries.
func TestFewFiles(t *testing.T) {
	dir := t.TempDir()
	text := "tolerance: 20%\nalpha: 0.01\nbeta: 0.01\nexperiments: [{experiment: variance, law: normal, d_k: 4}]\n"
	if err := os.WriteFile(filepath.Join(dir, "plan.yaml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	mcsim(t, dir, "run", "plan.yaml", "-q")
	before := contents(t, dir)["out/results.json"]
	refused, done := 0, 0
	for files := 4; files <= leastFiles+10; files++ {
		if testing.Short() && files != 6 && files != 7 && files != leastFiles+10 {
			continue
		}
		for _, args := range [][]string{{"version"}, {"plan", "plan.yaml"}, {"run", "plan.yaml", "--fresh", "-q"}, {"verify", "-q"}, {"report", "-q"}} {
			code, said, complaint := under(t, dir, fmt.Sprint("-n ", files), args...)
			switch {
			case code == exitPassed && complaint == "":
				done++
			case code == exitBad && isOneLine(complaint) && strings.Contains(complaint, "files") && said == "":
				refused++
			default:
				t.Errorf("%s with %d files: exit code %d, %.300q", args[0], files, code, complaint)
			}
		}
	}
	if refused == 0 || done == 0 {
		t.Errorf("%d commands were refused, %d done: the limits tried show nothing", refused, done)
	}
	if contents(t, dir)["out/results.json"] != before {
		t.Error("the results are others")
	}
}

// TestLittleAddressSpace: less address space than the runtime reserves is said in one
// line. Where it is so little that no program of Go comes as far as its first line, the runtime
// dies by itself, and nothing can be said.
func TestLittleAddressSpace(t *testing.T) {
	dir := t.TempDir()
	if code, _, complaint := under(t, dir, fmt.Sprint("-v ", leastAddress>>10), "version"); code != exitPassed || complaint != "" {
		t.Errorf("with what is asked for: exit code %d, %.300q", code, complaint)
	}
	code, said, complaint := under(t, dir, fmt.Sprint("-v ", leastAddress>>10-1), "run", "default")
	if code != exitBad || !isOneLine(complaint) || !strings.Contains(complaint, "address space") || said != "" {
		t.Errorf("with less: exit code %d, %.300q", code, complaint)
	}
	if names := list(t, dir); len(names) > 0 {
		t.Errorf("a run that was refused leaves %q", names)
	}
}
