package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"mcsim/cmd/mcsim/program"
	"mcsim/sim/result"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"mcsim": func() { os.Exit(Main()) }})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "holds": holds, "rows": estimates, "part": part, "cut": cut, "swap": swap,
			"plant": plant, "forge": forge,
		},
	})
}

// exits CODE PROGRAM ARGS...: the program ends with just this code. With code
// 2 it says so in one line on stderr and nothing on stdout; with 0, 1 and 3 it
// says nothing on stderr but how long a plan will take, which depends on the load of the machine.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	code := 0
	var ended *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &ended) {
		code = ended.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	out, complaint := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s\n%s%s", code, args[0], out, complaint)
	}
	ofShards := code >= program.Shards && code < program.Interrupted
	if code != program.Bad && !ofShards && estimatedTime.ReplaceAllString(complaint, "") != "" {
		ts.Fatalf("exit code %d, but stderr has %q", code, complaint)
	}
	if ofShards && !isOneLine(complaint) {
		ts.Fatalf("want one line on stderr, not %q", complaint)
	}
	if code == program.Bad && (!isOneLine(complaint) || out != "") {
		ts.Fatalf("want one line on stderr alone; stderr has %q, stdout %q", complaint, out)
	}
}

// estimatedTime is what a busy machine is told of a plan that will take long.
var estimatedTime = regexp.MustCompile(`mcsim: plan \S+ takes about .*\n`)

func isOneLine(text string) bool {
	return strings.HasPrefix(text, "mcsim: ") && strings.HasSuffix(text, "\n") && strings.Count(text, "\n") == 1
}

// holds DIR NAMES...: the folder holds these and nothing else, hidden files
// counted.
func holds(ts *testscript.TestScript, neg bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(args[1:])
	if slices.Equal(names, args[1:]) == neg {
		ts.Fatalf("%s holds %q", args[0], names)
	}
}

// rows FILE QUANTITIES...: the JSON object has estimates of these.
func estimates(ts *testscript.TestScript, neg bool, args []string) {
	var doc struct {
		Estimates []struct {
			Quantity string
			Value    *float64
			N        int64
		}
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &doc))
	for _, quantity := range args[1:] {
		found := false
		for _, r := range doc.Estimates {
			found = found || r.Quantity == quantity && r.Value != nil && r.N > 0
		}
		if found == neg {
			ts.Fatalf("%s: %s found: %v", args[0], quantity, found)
		}
	}
}

// part WHOLE PART EXPERIMENTS...: the two documents have the same rows and gates of each of
// the experiments, and some.
func part(ts *testscript.TestScript, neg bool, args []string) {
	of := func(name, experiment string) (lines []string) {
		var doc struct{ Estimates, Gates []json.RawMessage }
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(name)), &doc))
		for _, line := range slices.Concat(doc.Estimates, doc.Gates) {
			var row struct{ Experiment string }
			ts.Check(json.Unmarshal(line, &row))
			if row.Experiment == experiment {
				lines = append(lines, string(line))
			}
		}
		return lines
	}
	for _, experiment := range args[2:] {
		whole, part := of(args[0], experiment), of(args[1], experiment)
		if (len(part) > 0 && slices.Equal(whole, part)) == neg {
			ts.Fatalf("%s: %d rows and gates in the whole, %d in the part", experiment, len(whole), len(part))
		}
	}
}

// cut FILE SHARE: the file loses all but this share of its bytes.
func cut(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	share, err := strconv.ParseFloat(args[1], 64)
	ts.Check(err)
	write(ts, args[0], text[:int(share*float64(len(text)))])
}

// swap FILE OLD NEW: the first OLD in the file becomes NEW.
func swap(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	write(ts, args[0], strings.Replace(text, args[1], args[2], 1))
}

func write(ts *testscript.TestScript, name, text string) {
	ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o644))
}

// plant FILE QUANTITY RATIO: the first row of the quantity, and the gate on
// it, are multiplied by the ratio, and the digest is made to fit.
func plant(ts *testscript.TestScript, _ bool, args []string) {
	doc, err := result.Decode([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	ratio, err := strconv.ParseFloat(args[2], 64)
	ts.Check(err)
	i := slices.IndexFunc(doc.Estimates, func(r result.Estimate) bool { return r.Quantity == args[1] })
	if i < 0 {
		ts.Fatalf("%s has no %s", args[0], args[1])
	}
	r := &doc.Estimates[i]
	r.Value *= result.Number(ratio)
	for j, g := range doc.Gates {
		if g.Quantity == r.Quantity && g.Cell == r.Cell {
			doc.Gates[j].Value = r.Value
		}
	}
	text, err := result.Encode(doc)
	ts.Check(err)
	write(ts, args[0], string(text))
}

// forge FILE OLD NEW: every OLD in the results becomes NEW, where \u1234 stands for a
// character and \xff for a byte, and the digest is made to fit, as no program of ours would.
func forge(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	written, err := strconv.Unquote(`"` + strings.ReplaceAll(args[2], `"`, `\"`) + `"`)
	ts.Check(err)
	start := strings.Index(text, `"digest": "`) + len(`"digest": "`)
	open := strings.ReplaceAll(text[:start]+text[start+strings.IndexByte(text[start:], '"'):], args[1], written)
	write(ts, args[0], fmt.Sprintf("%ssha256:%x%s", open[:start], sha256.Sum256([]byte(open)), open[start:]))
}

// What is complained of is one line that shows all there is, whatever it names.
func TestComplain(t *testing.T) {
	for said, want := range map[string]string{
		"open \x1b[31mred: no such file": "mcsim: open \ufffd[31mred: no such file\n",
		"a\nb":                           "mcsim: a b\n",
		"\u202etxt.exe is not there":     "mcsim: \ufffdtxt.exe is not there\n",
		"caf\xe9.yaml":                   "mcsim: caf\ufffd.yaml\n",
		"\u009b31m":                      "mcsim: \ufffd31m\n",
	} {
		var b bytes.Buffer
		if program.PrintError(&b, errors.New(said)); b.String() != want {
			t.Errorf("%q is complained of as %q, want %q", said, b.String(), want)
		}
	}
}

// longPlan takes a second or two to draw.
const longPlan = `
name: long
tolerance: 5%
experiments:
  - {experiment: variance, distribution: normal, d_k: [32, 64], samples: 2^24}
  - {experiment: variance, distribution: laplace, d_k: [7, 64], samples: 2^23}
  - experiment: exponents
`

// manyCells is a plan of n cells.
func manyCells(n int) string {
	dimensions := make([]string, n/2)
	for i := range dimensions {
		dimensions[i] = fmt.Sprint(i + 1)
	}
	return fmt.Sprintf("experiments:\n  - {experiment: variance, distribution: [rademacher, uniform], d_k: [%s], samples: 16, gate: false}\n",
		strings.Join(dimensions, ", "))
}

// endlessPlan is still drawn whenever a test ends it.
var endlessPlan = strings.ReplaceAll(longPlan, "2^2", "2^3")

// eventually waits until a condition holds; failure says what does not happen.
func eventually(t *testing.T, failure string, condition func() bool) {
	t.Helper()
	for range 6000 {
		if condition() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal(failure)
}

// waitForSize waits until a file is larger than a number of bytes.
func waitForSize(t *testing.T, path string, bytes int64) {
	t.Helper()
	eventually(t, path+" does not grow", func() bool {
		info, err := os.Stat(path)
		return err == nil && info.Size() > bytes
	})
}

// writeFiles writes files into a folder.
func writeFiles(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// writePlan writes plan.yaml and returns its folder.
func writePlan(t *testing.T, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	writeFiles(t, dir, map[string][]byte{"plan.yaml": []byte(text)})
	return dir
}

// runIn runs mcsim in a folder.
func runIn(t *testing.T, dir string, args ...string) (out, errs string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := exec.Command("mcsim", args...)
	c.Dir, c.Stdout, c.Stderr = dir, &stdout, &stderr
	if err := c.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), c.ProcessState.ExitCode()
}

// runHere runs mcsim without a process of its own, which is faster.
func runHere(args ...string) (out, errs string, code int) {
	var stdout, stderr bytes.Buffer
	code = exitCode(execute(program.NewShutdown(), args, &stdout, &stderr), &stderr)
	return stdout.String(), stderr.String(), code
}

// mcsim runs a command of mcsim that must pass and print nothing.
func mcsim(t *testing.T, dir string, args ...string) {
	t.Helper()
	if out, errs, code := runIn(t, dir, args...); code != 0 || out+errs != "" {
		t.Fatalf("mcsim %s: exit code %d: %s%s", strings.Join(args, " "), code, out, errs)
	}
}

func file(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func size(t *testing.T, path string) int { return len(file(t, path)) }

func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
