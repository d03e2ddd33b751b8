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

// shown are the texts whose commands are run as they stand there, and what must be in the
// folder where they run.
var shown = []string{"README.md", "docs/ci.md", "docs/scaling.md"}

// listing is a fenced block of Markdown.
var listing = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// session is a command that a text shows, and what it prints there; checked is false where
// the text does not show that.
type session struct {
	command, output string
	checked         bool
}

// sessions are those of a text: the lines of listings of sh, whose output is not shown, and
// of those of console, where a line after "$ " is a command and what follows its output.
func sessions(text string) (all []session) {
	for _, block := range listing.FindAllStringSubmatch(text, -1) {
		for _, line := range strings.SplitAfter(block[2], "\n") {
			command, is := strings.CutPrefix(line, "$ ")
			switch {
			case block[1] == "sh" && strings.TrimSpace(line) != "":
				all = append(all, session{command: line})
			case block[1] == "console" && is:
				all = append(all, session{command: command, checked: true})
			case block[1] == "console" && line != "":
				all[len(all)-1].output += line
			}
		}
	}
	return all
}

// elapsed is a time that differs from run to run.
var elapsed = regexp.MustCompile(`\b\d+(\.\d+)?(ms|s)\b|\b\d+m\d+s\b`)

// Every command that the README, docs/ci.md and docs/scaling.md show ends as it should, run one
// after the other as a reader would, and prints what is shown: to the letter, but for times and
// empty lines at its end.
func TestShownCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all commands that the documentation shows")
	}
	program := filepath.Join(t.TempDir(), "bin", "mcsim")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range shown {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("../..", name))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			writeFiles(t, dir, readersFiles(t))
			all := sessions(string(text))
			if len(all) == 0 {
				t.Fatal("shows no command")
			}
			for _, s := range all {
				s.run(t, dir, filepath.Dir(program))
			}
		})
	}
}

// run runs a command of a text in the folder. What is for make is looked for in the
// Makefile, which tests of their own run.
func (s session) run(t *testing.T, dir, programs string) {
	t.Helper()
	if target, ok := strings.CutPrefix(s.command, "make "); ok {
		target, _, _ = strings.Cut(target, " ")
		makefile, err := os.ReadFile("../../Makefile")
		if err != nil || !strings.Contains(string(makefile), "\n"+strings.TrimSpace(target)+":") {
			t.Errorf("make has no target for %q (%v)", s.command, err)
		}
		return
	}
	c := exec.Command("bash", "-e", "-c", s.command)
	c.Dir, c.WaitDelay = dir, time.Minute
	c.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"), "NO_COLOR=1", "COLUMNS=80")
	out, err := c.Output()
	if err != nil {
		complaint := ""
		if exit, ok := err.(*exec.ExitError); ok {
			complaint = string(exit.Stderr)
		}
		t.Errorf("%s%v: %s%s", s.command, err, out, complaint)
		return
	}
	plain := func(text string) string {
		return strings.TrimRight(elapsed.ReplaceAllString(text, "(time)"), "\n")
	}
	if got, want := plain(string(out)), plain(s.output); s.checked && got != want {
		t.Errorf("%sprints\n%s\nand the text shows\n%s", s.command, got, want)
	}
}

// readersFiles are files that the commands of texts name, and that are their readers' own.
func readersFiles(t *testing.T) map[string][]byte {
	t.Helper()
	const begin = "name: attention\nseed:"
	_, plan, _ := strings.Cut(string(file(t, "../../docs/ci.md")), "```yaml\n"+begin)
	plan, _, ok := strings.Cut(plan, "```\n")
	if !ok {
		t.Fatal("docs/ci.md shows no plan")
	}
	return map[string][]byte{
		"attention.yaml":    []byte(begin + plan),
		"model.safetensors": file(t, "../../sim/model/statedict/testdata/c_attn/model.safetensors"),
		"config.json":       []byte(smallConfig),
		"qk.npz":            file(t, "../../testdata/attention/saved/right.npz"),
	}
}
