package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// alone is set in the test's own second process, which may mount.
const alone = "MCSIM_TEST_MOUNTS"

// smallDisk mounts a file system of its own, in memory; resize gives it another size.
// Without the right to mount the test runs again where it has that right, or is skipped.
func smallDisk(t *testing.T) (dir string, resize func(bytes int64, flags uintptr)) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64m"); err != nil {
		if os.Getenv(alone) != "" {
			t.Skipf("no disk can be mounted here: %v", err)
		}
		again(t)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir, func(bytes int64, flags uintptr) {
		t.Helper()
		if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|flags,
			fmt.Sprintf("size=%d", bytes)); err != nil {
			t.Fatal(err)
		}
	}
}

// again runs the test in a name space where it is root, and ends this one as that ends.
func again(t *testing.T) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	c.Env = append(os.Environ(), alone+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}}
	said, err := c.CombinedOutput()
	switch {
	case err != nil && c.ProcessState == nil:
		t.Skipf("no disk can be mounted here: %v", err)
	case err != nil:
		t.Fatalf("%v\n%s", err, said)
	case bytes.Contains(said, []byte("--- SKIP")):
		t.Skipf("no disk can be mounted here\n%s", said)
	}
	t.SkipNow() // passed, there
}

// contents are the texts of all files of a folder, and of those in it.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			texts[path] = string(file(t, filepath.Join(dir, path)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// used is how much of its disk a folder takes, in whole pages.
func used(t *testing.T, dir string) int64 {
	t.Helper()
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		t.Fatal(err)
	}
	return int64(s.Blocks-s.Bfree) * s.Bsize
}

// mends wants a copy of a folder to have all nodes of its plan.
func mends(t *testing.T, dir, out string) {
	t.Helper()
	again := filepath.Join(dir, "out")
	if err := errors.Join(os.RemoveAll(again), os.CopyFS(again, os.DirFS(out))); err != nil {
		t.Fatal(err)
	}
	drawnBefore(t, dir, "plan.yaml")
}

// TestFullDisk: wherever the disk is full, or may not be written to, the files of the
// earlier run and of its report stay as they were, and nothing stands beside them.
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("draws for seconds")
	}
	disk, resize := smallDisk(t)
	dir := writePlan(t, manyCells(40))
	out := filepath.Join(disk, "out")
	mcsim(t, dir, "run", "plan.yaml", "-q", "-o", out)
	ofRun := used(t, disk)
	mcsim(t, dir, "report", "-q", out)
	before, room := contents(t, out), used(t, disk)
	nodes := filepath.Join(out, results.NodesFile)
	ofNodes := file(t, nodes)
	// refused wants a command to fail as it should, and the folder as it was, but for what was
	// added to the nodes, of which all that was there is.
	refused := func(what string, code int, complaint *bytes.Buffer) {
		t.Helper()
		if code != program.Bad || !isOneLine(complaint.String()) {
			t.Errorf("%s: it ends with %d and says %q, want exit code %d and one line", what, code, complaint,
				program.Bad)
		}
		mends(t, dir, out)
		resize(64<<20, 0)
		if err := os.WriteFile(nodes, ofNodes, 0o644); err != nil {
			t.Fatal(err)
		}
		if after := contents(t, out); !maps.Equal(after, before) {
			t.Fatalf("%s: the folder holds %q, before %q, or other texts", what, slices.Sorted(maps.Keys(after)),
				slices.Sorted(maps.Keys(before)))
		}
	}
	run, report := []string{"run", "plan.yaml", "--seed", "2", "-q", "-o", out}, []string{"report", "-q", out}
	for _, c := range []struct {
		args []string
		want int64 // that the new files take
	}{{run, ofRun}, {report, room - ofRun}} {
		for _, percent := range []int64{0, 5, 50, 80, 95} {
			resize(room+percent*c.want/100, 0)
			what := fmt.Sprintf("%s with room for %d %% of what it writes", c.args[0], percent)
			c, complaint := begin(t, dir, c.args...)
			_ = c.Wait()
			refused(what, c.ProcessState.ExitCode(), complaint)
		}
	}

	for _, args := range [][]string{run, report} {
		resize(64<<20, syscall.MS_RDONLY)
		c, complaint := begin(t, dir, args...)
		_ = c.Wait()
		refused(args[0]+" where nothing may be written", c.ProcessState.ExitCode(), complaint)
	}
}
