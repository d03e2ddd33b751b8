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

// mountVariable is an environment variable of the process that runAsRoot starts. In this process, a
// test runs a second time, with the right to mount file systems.
const mountVariable = "MCSIM_TEST_MOUNTS"

// mountDisk mounts a file system in memory; resize changes its size and its flags. A process
// without the right to mount runs the test again in a user name space, where it has the right. If
// the system does not permit this either, the test is skipped.
func mountDisk(t *testing.T) (dir string, resize func(bytes int64, flags uintptr)) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64m"); err != nil {
		if os.Getenv(mountVariable) != "" {
			t.Skipf("no disk can be mounted here: %v", err)
		}
		runAsRoot(t)
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

// runAsRoot runs the test in another process, which is root in its own name space. It does not
// return: the test fails here if it failed there, and is skipped here otherwise.
func runAsRoot(t *testing.T) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	c.Env = append(os.Environ(), mountVariable+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}}
	output, err := c.CombinedOutput()
	switch {
	case err != nil && c.ProcessState == nil:
		t.Skipf("no disk can be mounted here: %v", err)
	case err != nil:
		t.Fatalf("%v\n%s", err, output)
	case bytes.Contains(output, []byte("--- SKIP")):
		t.Skipf("no disk can be mounted here\n%s", output)
	}
	t.SkipNow() // the test has passed in the other process
}

// readTree returns the texts of all files below a folder, by their paths.
func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			texts[path] = string(readFile(t, filepath.Join(dir, path)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// usedSpace returns the number of bytes that the file system of a folder uses. It is a multiple of
// the size of a page.
func usedSpace(t *testing.T, dir string) int64 {
	t.Helper()
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		t.Fatal(err)
	}
	return int64(s.Blocks-s.Bfree) * s.Bsize
}

// checkNodes checks that the results folder source has all nodes of plan.yaml. It copies source to
// dir/out, where a run of the plan looks for them, since the disk of source may be full.
func checkNodes(t *testing.T, dir, source string) {
	t.Helper()
	copied := filepath.Join(dir, "out")
	if err := errors.Join(os.RemoveAll(copied), os.CopyFS(copied, os.DirFS(source))); err != nil {
		t.Fatal(err)
	}
	checkSampledBefore(t, dir, "plan.yaml")
}

// TestFullDisk checks commands that cannot write their files, since the disk becomes full at some
// point or is read-only. They must not change the files of an earlier run and of its report, and
// must not leave other files.
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("samples for seconds")
	}
	disk, resize := mountDisk(t)
	dir := writePlan(t, manyCells(40))
	outDir := filepath.Join(disk, "out")
	mcsim(t, dir, "run", "plan.yaml", "-q", "-o", outDir)
	runSize := usedSpace(t, disk)
	mcsim(t, dir, "report", "-q", outDir)
	before, sizeBefore := readTree(t, outDir), usedSpace(t, disk)
	nodes := filepath.Join(outDir, results.NodesFile)
	nodesText := readFile(t, nodes)
	// checkRefusal checks that a command failed with one line on stderr, and that the files of the
	// folder are unchanged. The command may have added nodes to the file of nodes, but must not
	// lose any; so the earlier file of nodes is restored before the comparison.
	checkRefusal := func(situation string, code int, stderr *bytes.Buffer) {
		t.Helper()
		if code != program.BadInput || !isOneLine(stderr.String()) {
			t.Errorf("%s: exit code %d with %q, want %d with one line", situation, code, stderr, program.BadInput)
		}
		checkNodes(t, dir, outDir)
		resize(64<<20, 0)
		if err := os.WriteFile(nodes, nodesText, 0o644); err != nil {
			t.Fatal(err)
		}
		if after := readTree(t, outDir); !maps.Equal(after, before) {
			t.Fatalf("%s: the folder had the files %q and now has %q, or their contents differ", situation,
				slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
		}
	}
	run, report := []string{"run", "plan.yaml", "--seed", "2", "-q", "-o", outDir}, []string{"report", "-q", outDir}
	for _, c := range []struct {
		args    []string
		newSize int64 // bytes that the new files need
	}{{run, runSize}, {report, sizeBefore - runSize}} {
		for _, percent := range []int64{0, 5, 50, 80, 95} {
			resize(sizeBefore+percent*c.newSize/100, 0)
			situation := fmt.Sprintf("%s with space for %d %% of its files", c.args[0], percent)
			command, stderr := start(t, dir, c.args...)
			_ = command.Wait()
			checkRefusal(situation, command.ProcessState.ExitCode(), stderr)
		}
	}

	for _, args := range [][]string{run, report} {
		resize(64<<20, syscall.MS_RDONLY)
		command, stderr := start(t, dir, args...)
		_ = command.Wait()
		checkRefusal(args[0]+" on a read-only disk", command.ProcessState.ExitCode(), stderr)
	}
}
