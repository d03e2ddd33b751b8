//go:build slurm

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// shardFolder is the folder of the shards. The script must quote the special characters in its
// name.
const shardFolder = `it's "$(touch x)" $HOME {} shards`

// userPlan is a plan whose shards take a few seconds.
const userPlan = `name: "it's small"
seed: 5
experiments:
  - {experiment: variance, distribution: [normal, uniform, laplace], d_k: [64, 256], samples: 2^23, gate: false}
  - {experiment: softmax, distribution: normal, d_k: 64, keys: 32, samples: 2^20, gate: false}
`

// runAlone returns the document of a run without shards.
func runAlone(t *testing.T) []byte {
	t.Helper()
	u := &user{dir: t.TempDir()}
	if err := os.WriteFile(filepath.Join(u.dir, "plan.yaml"), []byte(userPlan), 0o600); err != nil {
		t.Fatal(err)
	}
	u.mcsim(t, "run", "plan.yaml", "-o", "out")
	text, err := os.ReadFile(filepath.Join(u.dir, "out", "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// user is somebody who works in a folder.
type user struct {
	dir   string
	env   []string // additions to the environment
	count int      // number of shards
}

// writeScript writes the script of the plan for an engine. Then it overwrites the plan, since the
// script must not depend on later edits of it.
func (u *user) writeScript(t *testing.T, engine string, count int, flags ...string) {
	t.Helper()
	u.count = count
	plan := filepath.Join(u.dir, "plan.yaml")
	text := userPlan + "# " + t.Name() + "\n" // a different text gives the jobs a different name
	if err := os.WriteFile(plan, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	script := u.mcsim(t, append([]string{"script", engine, "plan.yaml", "-N", strconv.Itoa(count), "--shards",
		shardFolder}, flags...)...)
	if err := errors.Join(os.WriteFile(plan, []byte("this is edited meanwhile"), 0o600),
		os.WriteFile(filepath.Join(u.dir, "run.sh"), []byte(script), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// command returns a command in the folder of the user.
func (u *user) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir, c.Env = u.dir, append(os.Environ(), u.env...)
	return c
}

// mcsim runs the program, which must pass, and returns its output.
func (u *user) mcsim(t *testing.T, args ...string) string {
	t.Helper()
	c := u.command("mcsim", args...)
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("mcsim %q: %v: %s", args, err, &stderr)
	}
	return string(out)
}

// runScript runs the script, which must end with a code, and returns its output.
func (u *user) runScript(t *testing.T, code int, args ...string) string {
	t.Helper()
	c := u.command("sh", append([]string{"run.sh"}, args...)...)
	out, err := c.CombinedOutput()
	if got := c.ProcessState.ExitCode(); got != code {
		t.Fatalf("run.sh %q: exit code %d, want %d (%v): %s", args, got, code, err, out)
	}
	return string(out)
}

// checkRefusals checks that the script refuses texts that do not name shards of eight.
func (u *user) checkRefusals(t *testing.T) {
	t.Helper()
	for _, text := range []string{"8", "3-1", "1;2", "a", "0-8", "-1", "1,,2", "1,", "0x1", "1 2", "$(x)",
		"4294967297"} {
		message := u.runScript(t, 2, text)
		if strings.Count(message, "\n") != 1 || !strings.Contains(message, "0 to 7") {
			t.Errorf("run.sh %q prints %q, want one line with the valid range, 0 to 7", text, message)
		}
	}
}

// checkResults checks that the results have the bytes of a single run, and that no shell executed
// the command in the name of a folder.
func (u *user) checkResults(t *testing.T, single []byte) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(u.dir, "out", "results.json"))
	if err != nil {
		t.Error(err)
	} else if !bytes.Equal(got, single) {
		t.Errorf("the results (%d bytes) differ from the results of a single run (%d bytes)", len(got), len(single))
	}
	for _, stray := range []string{filepath.Join(u.dir, "x"), filepath.Join(u.dir, shardFolder, "x")} {
		if _, err := os.Stat(stray); err == nil {
			t.Errorf("%s exists: a shell executed the command in the name of a folder", stray)
		}
	}
}

// damageShards removes the shard lost and flips a bit in the file of the shard corrupt.
func (u *user) damageShards(t *testing.T, lost, corrupt int) {
	t.Helper()
	text, err := os.ReadFile(u.shardPath(corrupt))
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := errors.Join(os.Remove(u.shardPath(lost)), os.WriteFile(u.shardPath(corrupt), text, 0o600)); err != nil {
		t.Fatal(err)
	}
}

func (u *user) shardPath(i int) string {
	return filepath.Join(u.dir, shardFolder, fmt.Sprintf("%d-of-%d.shard", i, u.count))
}
