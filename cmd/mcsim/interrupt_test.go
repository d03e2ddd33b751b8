package main

import (
	"bytes"
	"errors"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// signals are those that end a command; a hangup does not where it is ignored, as under
// nohup, which a program hands down to those that it starts.
var signals = slices.DeleteFunc([]syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP},
	func(s syscall.Signal) bool { return signal.Ignored(s) })

// TestInterruptAnywhere: whenever the signal comes, what the program says of the files is
// so, and they are those of one run.
func TestInterruptAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("ends many runs")
	}
	dir := t.TempDir()
	for name, seed := range map[string]string{"old": "1", "new": "2"} {
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte("seed: "+seed+"\n"+manyCells(400)),
			0o644); err != nil {
			t.Fatal(err)
		}
		mcsim(t, dir, "run", name+".yaml", "-q", "-o", name)
	}
	old, fresh := file(t, filepath.Join(dir, "old", results.DocumentFile)),
		file(t, filepath.Join(dir, "new", results.DocumentFile))
	begun := time.Now()
	mcsim(t, dir, "run", "new.yaml", "-q", "--fresh", "-o", "new")
	whole := time.Since(begun)
	const steps = 16
	for i := range steps {
		out := filepath.Join(dir, "out")
		if err := errors.Join(os.RemoveAll(out), os.CopyFS(out, os.DirFS(filepath.Join(dir, "old")))); err != nil {
			t.Fatal(err)
		}
		before := list(t, out)
		c, complaint := begin(t, dir, "run", "new.yaml", "-q", "--fresh")
		time.Sleep(whole * time.Duration(i+1) / time.Duration(steps-2))
		code := c.end(t, syscall.SIGTERM)
		want, said := old, complaint.String()
		switch {
		case code == program.Passed && said == "",
			code == program.Interrupted && strings.Contains(said, "in its place"):
			want = fresh
		case code == -1 && said == "": // the signal came before the program could take it
		case code != program.Interrupted || !isOneLine(said):
			t.Errorf("step %d: ends with %d and says %q", i, code, said)
		}
		t.Logf("step %d: %d %q", i, code, said)
		if !bytes.Equal(file(t, filepath.Join(out, results.DocumentFile)), want) {
			t.Errorf("step %d: it says %q, but the results are others", i, said)
		}
		// what ends a program at once leaves the file of its lock, which locks nothing then
		if names := slices.DeleteFunc(list(t, out),
			func(n string) bool { return n == results.NodesFile+".lock" }); !slices.Equal(names, before) {
			t.Errorf("step %d: leaves %q, before %q", i, names, before)
		}
		if i%4 == 0 { // what was drawn is gone on from, and nothing of the old plan is lost
			mcsim(t, dir, "run", "new.yaml", "-q")
			if names := list(t, out); !slices.Equal(names, before) ||
				!bytes.Equal(file(t, filepath.Join(out, results.DocumentFile)), fresh) {
				t.Errorf("step %d: the run that goes on leaves %q, before %q", i, names, before)
			}
			drawnBefore(t, dir, "old.yaml")
			if !bytes.Equal(file(t, filepath.Join(out, results.DocumentFile)), old) {
				t.Errorf("step %d: the old plan has other results", i)
			}
		}
	}
}

// drawnBefore wants a run of a plan to find all that it draws in the folder.
func drawnBefore(t *testing.T, dir, plan string) {
	t.Helper()
	if out, errs, code := runIn(t, dir, "run", plan); code != 0 ||
		!strings.Contains(out, ", all of it drawn before") {
		t.Errorf("mcsim run %s: exit code %d: %s%s", plan, code, out, errs)
	}
}

// process is a program that was begun.
type process struct{ *exec.Cmd }

// begin starts the program in a folder; complaint is what it says on stderr.
func begin(t *testing.T, dir string, args ...string) (c process, complaint *bytes.Buffer) {
	t.Helper()
	complaint = new(bytes.Buffer)
	c = process{exec.Command("mcsim", args...)}
	c.Dir, c.Stderr = dir, complaint
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c, complaint
}

// end sends a signal, unless the program has ended, and returns its exit code.
func (c process) end(t *testing.T, signal syscall.Signal) int {
	t.Helper()
	// a program that goes on is ended, and has another exit code
	late := time.AfterFunc(20*time.Second, func() { _ = c.Process.Kill() })
	defer late.Stop()
	if err := c.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	_ = c.Wait()
	return c.ProcessState.ExitCode()
}
