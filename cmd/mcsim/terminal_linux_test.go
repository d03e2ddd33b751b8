package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"mcsim/cmd/mcsim/show"
)

// onTerminal is what a command prints to a pseudo-terminal.
func onTerminal(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	return onScreen(t, 0, dir, env, args...)
}

// onScreen is the same of a terminal with lines of so many characters, 0 if it does not say.
func onScreen(t *testing.T, columns uint16, dir string, env []string, args ...string) string {
	t.Helper()
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("this system has no pseudo-terminals")
	}
	defer control.Close()
	if err := unix.IoctlSetPointerInt(int(control.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(control.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	screen, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(int(control.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
	said := make(chan string)
	go func() {
		text, _ := io.ReadAll(control) // ends with EIO when nobody has the screen any more
		said <- string(text)
	}()
	c := exec.Command("mcsim", args...)
	c.Dir, c.Stdout, c.Env = dir, screen, append(os.Environ(), append([]string{"NO_COLOR=", "TERM=xterm"}, env...)...)
	err = c.Run()
	screen.Close()
	text := <-said
	if c.ProcessState.ExitCode() > show.Undecided || text == "" {
		t.Fatalf("mcsim %s: %v: %q", strings.Join(args, " "), err, text)
	}
	return text
}

// Verdicts have colours on a terminal, unless somebody asks for none, and the words all the
// same; JSON has none anywhere, and a pipe neither.
func TestColours(t *testing.T) {
	dir := t.TempDir()
	plan := "experiments: [{experiment: variance, law: normal, d_k: 4, samples: 2^14, tolerance: 20%}]\nalpha: 0.01\nbeta: 0.01\n"
	if err := os.WriteFile(filepath.Join(dir, "plan.yaml"), []byte(plan), 0o644); err != nil {
		t.Fatal(err)
	}
	mcsim(t, dir, "run", "plan.yaml", "-q")
	const escape = "\x1b["
	if said := onTerminal(t, dir, nil, "verify"); !strings.Contains(said, "\x1b[32mpass\x1b[0m: ") {
		t.Errorf("on a terminal: %q", said)
	}
	if said := onTerminal(t, dir, nil, "verify", "--all"); !strings.Contains(said, "] ") || !strings.Contains(said, "\x1b[32mpass\x1b[0m\r\n") {
		t.Errorf("on a terminal, every gate: %q", said)
	}
	for name, args := range map[string]struct{ env, args []string }{
		"NO_COLOR": {[]string{"NO_COLOR=1"}, []string{"verify"}},
		"dumb":     {[]string{"TERM=dumb"}, []string{"verify"}},
		"JSON":     {nil, []string{"verify", "--json"}},
		"JUnit":    {nil, []string{"verify", "--junit", "-"}},
	} {
		if said := onTerminal(t, dir, args.env, args.args...); strings.Contains(said, escape) || !strings.Contains(said, "pass") {
			t.Errorf("%s: %q", name, said)
		}
	}
	c := exec.Command("mcsim", "verify")
	c.Dir, c.Env = dir, append(os.Environ(), "NO_COLOR=", "TERM=xterm")
	if piped, err := c.Output(); err != nil || strings.Contains(string(piped), escape) {
		t.Errorf("in a pipe: %v: %q", err, piped)
	}
	advice := onTerminal(t, dir, nil, "advise", "--d-model", "64", "--d-k", "16", "--draws", "16", "--init-sd", "1e-3")
	if !strings.Contains(advice, "\x1b[33mTOO SOFT\x1b[0m: ") {
		t.Errorf("advice on a terminal: %q", advice)
	}
}

// timed is how long something takes, which is another each time.
var timed = regexp.MustCompile(`(about|less than) [0-9.]+ s`)

// On a terminal no line is longer than its own, and no word is lost; in a pipe a line of a table
// stays one.
func TestLinesFitTheTerminal(t *testing.T) {
	dir := t.TempDir()
	for _, line := range []string{
		"probe --d-k 64 --check 5%", "probe --d-k 64 --keys 8 --exponent 1/2 --samples 1e4",
		"plan controls --all", "cost --keys 131072 --d-model 8192 --heads 64 --kv-heads 8",
	} {
		args := strings.Fields(line)
		c := exec.Command("mcsim", args...)
		c.Dir = dir
		piped, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Join(strings.Fields(timed.ReplaceAllString(string(piped), "")), " ")
		for _, width := range []uint16{60, 80, 200} {
			said := strings.ReplaceAll(onScreen(t, width, dir, []string{"NO_COLOR=1"}, args...), "\r\n", "\n")
			if width == 200 && said != string(piped) && args[0] != "plan" { // which has times
				t.Errorf("%s: a wide terminal has %q, a pipe %q", line, said, piped)
			}
			if strings.Join(strings.Fields(timed.ReplaceAllString(said, "")), " ") != words {
				t.Errorf("%s at %d: the words are others: %q", line, width, said)
			}
			for text := range strings.Lines(said) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(text, "\n")); n > int(width) && (width > 60 || !strings.HasPrefix(line, "plan")) { // whose head is prose of 80
					t.Errorf("%s: a line of %d characters on a terminal of %d: %q", line, n, width, text)
				}
			}
		}
	}
}
