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
			"exits": checkExit, "holds": checkFolder, "rows": checkEstimates, "part": checkPart, "cut": truncateFile,
			"swap":  replaceText,
			"plant": scaleEstimate, "forge": forgeResults,
		},
	})
}

// checkExit implements `exits CODE PROGRAM ARGS...`: the program must end with this code. With code
// 2 it must print one line on stderr and nothing on stdout. With the code of an error of shards it
// must print one line on stderr. With any other code stderr must be empty except for the verdict of
// --quiet and the expected duration of the run, which depends on the load of the machine.
func checkExit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	code := 0
	var exitErr *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exitErr) {
		code = exitErr.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	stdout, stderr := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s\n%s%s", code, args[0], stdout, stderr)
	}
	isShardError := code >= program.ShardErrors && code < program.Interrupted
	isVerdict := stdout == "" && (code == program.Failed || code == program.Undecided) && isOneLine(stderr)
	if code != program.BadInput && !isShardError && !isVerdict && estimatedTime.ReplaceAllString(stderr, "") != "" {
		ts.Fatalf("with exit code %d stderr must be empty; it has %q", code, stderr)
	}
	if isShardError && !isOneLine(stderr) {
		ts.Fatalf("want one line on stderr, not %q", stderr)
	}
	if code == program.BadInput && (!isOneLine(stderr) || stdout != "") {
		ts.Fatalf("want one line on stderr and nothing on stdout; stderr has %q, stdout %q", stderr, stdout)
	}
}

// estimatedTime matches the note about the duration of a long plan, or of the draws of an answer,
// which a slow machine prints.
var estimatedTime = regexp.MustCompile(`mcsim: (plan \S+|sampling) takes .*\n`)

func isOneLine(text string) bool {
	return strings.HasPrefix(text, "mcsim: ") && strings.HasSuffix(text, "\n") && strings.Count(text, "\n") == 1
}

// checkFolder implements `holds DIR NAMES...`: the folder must contain exactly these files, hidden
// files included.
func checkFolder(ts *testscript.TestScript, neg bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(args[1:])
	if slices.Equal(names, args[1:]) == neg {
		ts.Fatalf("%s has the files %q; the script requires %q: %v", args[0], names, args[1:], !neg)
	}
}

// checkEstimates implements `rows FILE QUANTITIES...`: the JSON object must have estimates of
// these quantities.
func checkEstimates(ts *testscript.TestScript, neg bool, args []string) {
	var doc struct {
		Estimates []struct {
			Quantity string
			Value    *float64
			N        int64
		}
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &doc))
	for _, quantity := range args[1:] {
		isFound := false
		for _, e := range doc.Estimates {
			if e.Quantity == quantity && e.Value != nil && e.N > 0 {
				isFound = true
			}
		}
		if isFound == neg {
			ts.Fatalf("%s has an estimate of %s: %v, want %v", args[0], quantity, isFound, !neg)
		}
	}
}

// checkPart implements `part WHOLE PART EXPERIMENTS...`: both documents must have the same
// estimates and gates of each experiment, and at least one of them.
func checkPart(ts *testscript.TestScript, neg bool, args []string) {
	readLines := func(name, experiment string) (lines []string) {
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
		whole, part := readLines(args[0], experiment), readLines(args[1], experiment)
		isSame := len(part) > 0 && slices.Equal(whole, part)
		if isSame == neg {
			ts.Fatalf("%s: %s has %d estimates and gates, %s has %d; they are the same: %v, want %v", experiment,
				args[0], len(whole), args[1], len(part), isSame, !neg)
		}
	}
}

// truncateFile implements `cut FILE PROPORTION`: it keeps the first bytes of the file, as many as
// this proportion of its size.
func truncateFile(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	proportion, err := strconv.ParseFloat(args[1], 64)
	ts.Check(err)
	writeFile(ts, args[0], text[:int(proportion*float64(len(text)))])
}

// replaceText implements `swap FILE OLD NEW`: it replaces the first OLD in the file by NEW.
func replaceText(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	writeFile(ts, args[0], strings.Replace(text, args[1], args[2], 1))
}

func writeFile(ts *testscript.TestScript, name, text string) {
	ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o644))
}

// scaleEstimate implements `plant FILE QUANTITY RATIO`: it multiplies the first estimate of the
// quantity and its gate by the ratio, and updates the digest.
func scaleEstimate(ts *testscript.TestScript, _ bool, args []string) {
	doc, err := result.Decode([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	ratio, err := strconv.ParseFloat(args[2], 64)
	ts.Check(err)
	i := slices.IndexFunc(doc.Estimates, func(r result.Estimate) bool { return r.Quantity == args[1] })
	if i < 0 {
		ts.Fatalf("%s has no %s", args[0], args[1])
	}
	e := &doc.Estimates[i]
	e.Value *= result.Number(ratio)
	for j, g := range doc.Gates {
		if g.Quantity == e.Quantity && g.Cell == e.Cell {
			doc.Gates[j].Value = e.Value
		}
	}
	text, err := result.Encode(doc)
	ts.Check(err)
	writeFile(ts, args[0], string(text))
}

// forgeResults implements `forge FILE OLD NEW`: it replaces every OLD in the results by NEW, and
// updates the digest. In NEW, \u1234 is a character and \xff is a byte, so that a script can make
// results that the program itself never writes.
func forgeResults(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	replacement, err := strconv.Unquote(`"` + strings.ReplaceAll(args[2], `"`, `\"`) + `"`)
	ts.Check(err)
	start := strings.Index(text, `"digest": "`) + len(`"digest": "`)
	unsigned := strings.ReplaceAll(text[:start]+text[start+strings.IndexByte(text[start:], '"'):], args[1], replacement)
	writeFile(ts, args[0], fmt.Sprintf("%ssha256:%x%s", unsigned[:start], sha256.Sum256([]byte(unsigned)),
		unsigned[start:]))
}

// TestPrintError checks that an error is printed as one line of visible characters.
func TestPrintError(t *testing.T) {
	for message, want := range map[string]string{
		"open \x1b[31mred: no such file": "mcsim: open \ufffd[31mred: no such file\n",
		"a\nb":                           "mcsim: a b\n",
		"\u202etxt.exe is not there":     "mcsim: \ufffdtxt.exe is not there\n",
		"caf\xe9.yaml":                   "mcsim: caf\ufffd.yaml\n",
		"\u009b31m":                      "mcsim: \ufffd31m\n",
	} {
		var b bytes.Buffer
		program.PrintError(&b, errors.New(message))
		if b.String() != want {
			t.Errorf("PrintError(%q) prints %q, want %q", message, b.String(), want)
		}
	}
}

// longPlan takes a second or two.
const longPlan = `
name: long
tolerance: 5%
experiments:
  - {experiment: variance, distribution: normal, d_k: [32, 64], samples: 2^24}
  - {experiment: variance, distribution: laplace, d_k: [7, 64], samples: 2^23}
  - experiment: exponents
`

// manyCells returns a plan with n cells; n must be even.
func manyCells(n int) string {
	dimensions := make([]string, n/2)
	for i := range dimensions {
		dimensions[i] = fmt.Sprint(i + 1)
	}
	return fmt.Sprintf("experiments:\n  - {experiment: variance, distribution: [rademacher, uniform], "+
		"d_k: [%s], samples: 16, gate: false}\n",
		strings.Join(dimensions, ", "))
}

// endlessPlan takes longer than any test.
var endlessPlan = strings.ReplaceAll(longPlan, "2^2", "2^3")

// eventually waits up to a minute until a condition holds. If it does not, the test fails with the
// message failure.
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
	eventually(t, fmt.Sprintf("%s does not grow to more than %d bytes", path, bytes), func() bool {
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
func runIn(t *testing.T, dir string, args ...string) (stdoutText, stderrText string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := exec.Command("mcsim", args...)
	c.Dir, c.Stdout, c.Stderr = dir, &stdout, &stderr
	if err := c.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), c.ProcessState.ExitCode()
}

// runHere runs mcsim in this process, which is faster.
func runHere(args ...string) (stdoutText, stderrText string, code int) {
	var stdout, stderr bytes.Buffer
	code = exitCode(execute(program.NewShutdown(), args, &stdout, &stderr), &stderr)
	return stdout.String(), stderr.String(), code
}

// mcsim runs a command of mcsim that must pass and print nothing.
func mcsim(t *testing.T, dir string, args ...string) {
	t.Helper()
	if stdout, stderr, code := runIn(t, dir, args...); code != 0 || stdout+stderr != "" {
		t.Fatalf("mcsim %s: exit code %d: %s%s", strings.Join(args, " "), code, stdout, stderr)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func fileSize(t *testing.T, path string) int { return len(readFile(t, path)) }

func listNames(t *testing.T, dir string) []string {
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
