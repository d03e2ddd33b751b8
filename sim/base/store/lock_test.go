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

// TestLocked checks that a second Open fails with an error that names the process with the lock,
// and that the first store can still be used.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes")
	s := mustOpen(t, path, origin)
	host, err := os.Hostname()
	must(t, err)
	_, err = Open(path, origin)
	var inUse InUseError
	if !errors.As(err, &inUse) || inUse.Path != path || strings.Contains(err.Error(), "\n") {
		t.Fatalf("second Open: error %v, want an InUseError of one line for %s", err, path)
	}
	if holder := fmt.Sprintf("process %d on %s", os.Getpid(), host); !strings.Contains(err.Error(), holder) {
		t.Errorf("second Open: error %v, want it to name %s", err, holder)
	}
	read, err := Read(path, origin) // takes no lock
	must(t, err)
	must(t, read.Close())
	sampleMissing(t, s, cell, 4, anyLevel)
	must(t, s.Sync())
	must(t, s.Close())
	if _, err := os.Stat(lockPath(path)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock's file is not removed by Close (error %v)", err)
	}
	checkTotal(t, mustOpen(t, path, origin), cell, 4)
}

// TestLockIsExclusive opens and closes the file in many goroutines. Only one may have it open at a
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
					t.Error("two goroutines have the file open at the same time")
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
		t.Error("no goroutine could open the file")
	}
}

// lockPathVariable is the environment variable that makes TestLockKilled open its value and wait.
const lockPathVariable = "MCSIM_TEST_HOLDS"

// TestLockKilled runs itself in another process, which opens a file, flushes nodes and is killed.
// It checks that the lock ends then, and that the flushed nodes are in the file.
func TestLockKilled(t *testing.T) {
	if path := os.Getenv(lockPathVariable); path != "" {
		s, err := Open(path, origin)
		must(t, err)
		sampleMissing(t, s, cell, 4, anyLevel)
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
		t.Fatalf("the process printed %q (error %v), want \"flushed\"", line, err)
	}
	if _, err := Open(path, origin); err == nil ||
		!strings.Contains(err.Error(), fmt.Sprint("process ", c.Process.Pid, " ")) {
		t.Errorf("Open of a file that process %d has: error %v, want one that names the process", c.Process.Pid, err)
	}
	must(t, c.Process.Kill())
	_ = c.Wait()
	s := mustOpen(t, path, origin)
	checkTotal(t, s, cell, 4)
	if f := s.Found(); f.Lost > 0 {
		t.Errorf("found %+v, want no lost bytes", f)
	}
}
