package replace

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestSweep checks that Sweep, which Text calls, removes only new files of processes that have
// ended and old files of other hosts.
func TestSweep(t *testing.T) {
	dead := exec.Command(os.Args[0], "-test.run=^$")
	must(t, dead.Run())
	alive := exec.Command("sleep", "60")
	if alive.Start() != nil {
		t.Skip("there is no sleep")
	}
	defer alive.Process.Kill()
	dir := t.TempDir()
	newName := func(host string, pid int, word string) string {
		return fmt.Sprintf("nodes[1].bin.%s-%d-%s.new", host, pid, word)
	}
	stale := []string{newName(host(), dead.Process.Pid, "AAAAAAAAAAAA"), newName("00000000", 1, "OLDOLDOLDOLD")}
	kept := []string{"nodes[1].bin", "nodes[1].bin.lock", "my.new", "my.7-0.new",
		newName(host(), alive.Process.Pid, "BBBBBBBBBBBB"),
		newName(host(), os.Getpid(), "CCCCCCCCCCCC"), newName("00000000", 1, "NEWNEWNEWNEW")}
	for _, n := range slices.Concat(kept, stale) {
		must(t, os.WriteFile(filepath.Join(dir, n), nil, 0o644))
	}
	old := time.Now().Add(-2 * maxWriteTime)
	must(t, os.Chtimes(filepath.Join(dir, stale[1]), old, old))
	must(t, Text(filepath.Join(dir, "nodes[1].bin"), []byte("text")))
	entries, err := os.ReadDir(dir)
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(kept)
	if !slices.Equal(names, kept) {
		t.Errorf("the folder has the files %q, want %q", names, kept)
	}
}
