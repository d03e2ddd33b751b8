//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// GNU parallel draws all shards; what is lost, corrupt or killed is drawn again, and the
// results are those of a single run.
func TestParallel(t *testing.T) {
	if testing.Short() {
		t.Skip("draws a plan three times")
	}
	if out, err := exec.Command("parallel", "--version").Output(); !installed && (err != nil || !strings.HasPrefix(string(out), "GNU parallel")) {
		t.Skip("no GNU parallel; to install it: apt-get install parallel")
	}
	single := singleRun(t)
	u := &user{dir: t.TempDir(), env: []string{"HOME=" + t.TempDir()}}
	u.print(t, "parallel", 8)
	u.refuses(t)
	u.killed(t)
	u.runs(t, 0)
	u.has(t, single)

	u.spoil(t, 1, 5)
	if err := os.RemoveAll(filepath.Join(u.dir, "out")); err != nil {
		t.Fatal(err)
	}
	if said := u.runs(t, 5); !strings.HasSuffix(said, "sh run.sh 1,5\n") {
		t.Errorf("without two shards the script says %q", said)
	}
	u.runs(t, 0, "1,5")
	u.has(t, single)
}

// killed runs the script, and kills a shard that is drawn.
func (u *user) killed(t *testing.T) {
	t.Helper()
	c := u.command("sh", "run.sh")
	var said strings.Builder
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	for killed := false; !killed; time.Sleep(20 * time.Millisecond) {
		select {
		case err := <-done:
			t.Fatalf("all was drawn before a shard could be killed (%v): %s", err, &said)
		default:
		}
		for _, p := range u.drawing(3, 8) {
			killed = syscall.Kill(p.pid, syscall.SIGKILL) == nil || killed
		}
	}
	<-done
	if code := c.ProcessState.ExitCode(); code != 4 || !strings.HasSuffix(said.String(), "sh run.sh 3\n") {
		t.Fatalf("with a shard killed the script ends with %d and says %s", code, &said)
	}
	if _, err := os.Stat(u.shard(3)); err == nil {
		t.Fatal(fmt.Errorf("%s is there, though its process was killed", u.shard(3)))
	}
}
