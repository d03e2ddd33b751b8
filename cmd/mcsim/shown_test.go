package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// shownTexts are the documents whose commands TestShownCommands runs.
var shownTexts = []string{"README.md", "docs/ci.md", "docs/scaling.md"}

// listing matches a fenced block of Markdown.
var listing = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// shownCommand is a command in a document, with the output that is shown for it; isChecked is
// false if none is shown.
type shownCommand struct {
	command, output string
	isChecked       bool
}

// findCommands returns the commands of a document. The lines of sh listings are commands without
// output. In console listings a line after "$ " is a command, and the following lines are its
// output.
func findCommands(text string) (commands []shownCommand) {
	for _, block := range listing.FindAllStringSubmatch(text, -1) {
		for _, line := range strings.SplitAfter(block[2], "\n") {
			command, isCommand := strings.CutPrefix(line, "$ ")
			switch {
			case block[1] == "sh" && strings.TrimSpace(line) != "":
				commands = append(commands, shownCommand{command: line})
			case block[1] == "console" && isCommand:
				commands = append(commands, shownCommand{command: command, isChecked: true})
			case block[1] == "console" && line != "":
				commands[len(commands)-1].output += line
			}
		}
	}
	return commands
}

// elapsedTime matches a duration, which differs between runs.
var elapsedTime = regexp.MustCompile(`\b\d+(\.\d+)?(ms|s)\b|\b\d+m\d+s\b`)

// TestShownCommands runs every command of the documents in order, as a reader would. The output
// must be as shown, except for durations and empty lines at the end.
func TestShownCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all commands that the documentation shows")
	}
	programPath := filepath.Join(t.TempDir(), "bin", "mcsim")
	if out, err := exec.Command("go", "build", "-o", programPath, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range shownTexts {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("../..", name))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			writeFiles(t, dir, makeReaderFiles(t))
			commands := findCommands(string(text))
			if len(commands) == 0 {
				t.Fatal("the document shows no command")
			}
			for _, s := range commands {
				s.run(t, dir, filepath.Dir(programPath))
			}
		})
	}
}

// run runs a command of a document in the folder. For make it only checks that the Makefile has
// the target, since other tests run it.
func (s shownCommand) run(t *testing.T, dir, programs string) {
	t.Helper()
	if target, ok := strings.CutPrefix(s.command, "make "); ok {
		target, _, _ = strings.Cut(target, " ")
		makefile, err := os.ReadFile("../../Makefile")
		if err != nil || !strings.Contains(string(makefile), "\n"+strings.TrimSpace(target)+":") {
			t.Errorf("the Makefile has no target for the command %q (%v)", s.command, err)
		}
		return
	}
	c := exec.Command("bash", "-e", "-c", s.command)
	c.Dir, c.WaitDelay = dir, time.Minute
	c.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"), "NO_COLOR=1", "COLUMNS=")
	out, err := c.Output()
	if err != nil {
		stderr := ""
		if exit, ok := err.(*exec.ExitError); ok {
			stderr = string(exit.Stderr)
		}
		t.Errorf("%s%v: %s%s", s.command, err, out, stderr)
		return
	}
	normalise := func(text string) string {
		return strings.TrimRight(elapsedTime.ReplaceAllString(text, "(time)"), "\n")
	}
	if got, want := normalise(string(out)), normalise(s.output); s.isChecked && got != want {
		t.Errorf("the output of %sis\n%s\nbut the document shows\n%s", s.command, got, want)
	}
}

// makeReaderFiles returns the files that the documents' commands need and that the reader would
// supply.
func makeReaderFiles(t *testing.T) map[string][]byte {
	t.Helper()
	const planStart = "name: attention\nseed:"
	_, plan, _ := strings.Cut(string(readFile(t, "../../docs/ci.md")), "```yaml\n"+planStart)
	plan, _, ok := strings.Cut(plan, "```\n")
	if !ok {
		t.Fatal("docs/ci.md shows no plan")
	}
	var logSums []float32
	for i := range 128 {
		logSums = append(logSums, 9+float32(i*i%7)/100)
	}
	return map[string][]byte{
		"softmax_lse.npy":   encodeNumbers(logSums, 2, 64),
		"attention.yaml":    []byte(planStart + plan),
		"model.safetensors": readFile(t, "../../sim/model/statedict/testdata/c_attn/model.safetensors"),
		"config.json":       []byte(smallConfig),
		"qk.npz":            readFile(t, "../../testdata/attention/saved/right.npz"),
	}
}
