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

// A second run is refused, and told who has the file; the first goes on.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes")
	s := mustOpen(t, path, origin)
	host, err := os.Hostname()
	must(t, err)
	_, err = Open(path, origin)
	var inUse InUseError
	if !errors.As(err, &inUse) || inUse.Path != path || strings.Contains(err.Error(), "\n") ||
		!strings.Contains(err.Error(), fmt.Sprintf("process %d on %s", os.Getpid(), host)) {
		t.Errorf("a second run is told %v", err)
	}
	read, err := Read(path, origin) // which takes no lock
	must(t, err)
	must(t, read.Close())
	sampleMissing(t, s, cell, 4, 62)
	must(t, s.Sync())
	must(t, s.Close())
	if _, err := os.Stat(lockPath(path)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock's file is left: %v", err)
	}
	checkTotal(t, mustOpen(t, path, origin), cell, 4)
}

// Of many that come and go, one at a time has the file.
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
				if openings.Add(1); holders.Add(1) > 1 {
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

// The lock of a process that is killed ends with it, and what it flushed is there.
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
	defer c.Process.Kill() // where the test ends before
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "flushed\n" {
		t.Fatalf("%q %v", line, err)
	}
	if _, err := Open(path, origin); err == nil || !strings.Contains(err.Error(), fmt.Sprint("process ", c.Process.Pid, " ")) {
		t.Errorf("the file that process %d has is held by %v", c.Process.Pid, err)
	}
	must(t, c.Process.Kill())
	_ = c.Wait()
	s := mustOpen(t, path, origin)
	checkTotal(t, s, cell, 4)
	if f := s.Found(); f.Lost > 0 {
		t.Errorf("%+v", f)
	}
}
