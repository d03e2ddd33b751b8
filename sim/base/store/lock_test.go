package store

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestLocked checks that a second run is refused and learns who has the file, and that the first
// run can continue.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes")
	s := mustOpen(t, path, origin)
	host, err := os.Hostname()
	must(t, err)
	_, err = Open(path, origin)
	var inUse InUseError
	if !errors.As(err, &inUse) || inUse.Path != path || strings.Contains(err.Error(), "\n") ||
		!strings.Contains(err.Error(), fmt.Sprintf("process %d on %s", os.Getpid(), host)) {
		t.Errorf("a second run: %v", err)
	}
	read, err := Read(path, origin) // takes no lock
	must(t, err)
	must(t, read.Close())
	sampleMissing(t, s, cell, 4, 62)
	must(t, s.Sync())
	must(t, s.Close())
	if _, err := os.Stat(lockPath(path)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock's file remains: %v", err)
	}
	checkTotal(t, mustOpen(t, path, origin), cell, 4)
}

// TestLockIsExclusive opens and closes the file in many goroutines; only one may have it at a
// time.
func TestLockIsExclusive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes")
	var group sync.WaitGroup
	var holders, openings atomic.Int64
	for range 8 {
		group.Go(func() {
			for range 30 {
				s, err := Open(path, origin)
				if errors.As(err, new(InUseError)) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				openings.Add(1)
				if holders.Add(1) > 1 {
					t.Error("two have the file")
				}
				holders.Add(-1)
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if openings.Load() == 0 {
		t.Error("nobody had it")
	}
}

const lockPathVariable = "MCSIM_TEST_HOLDS"

// TestLockKilled checks that the lock of a killed process ends, and that its flushed nodes are in
// the file.
func TestLockKilled(t *testing.T) {
	if path := os.Getenv(lockPathVariable); path != "" {
		s, err := Open(path, origin)
		must(t, err)
		sampleMissing(t, s, cell, 4, 62)
		must(t, s.Flush())
		fmt.Println("flushed")
		select {}
	}
	path := filepath.Join(t.TempDir(), "nodes")
	c := exec.Command(os.Args[0], "-test.run=^TestLockKilled$")
	c.Env = append(os.Environ(), lockPathVariable+"="+path)
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	defer c.Process.Kill() // in case the test fails before
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "flushed\n" {
		t.Fatalf("%q %v", line, err)
	}
	if _, err := Open(path, origin); err == nil ||
		!strings.Contains(err.Error(), fmt.Sprint("process ", c.Process.Pid, " ")) {
		t.Errorf("the file of process %d: %v", c.Process.Pid, err)
	}
	must(t, c.Process.Kill())
	_ = c.Wait()
	s := mustOpen(t, path, origin)
	checkTotal(t, s, cell, 4)
	if f := s.Found(); f.Lost > 0 {
		t.Errorf("%+v", f)
	}
}
