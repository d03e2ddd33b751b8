package main

import (
	"fmt"
	"io"
	"mcsim/cmd/mcsim/program"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// terminalColumns is the width of the pseudo-terminal of runOnTerminal.
const terminalColumns = 60

// runOnTerminal returns the output of a command on a pseudo-terminal.
func runOnTerminal(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("this system has no pseudo-terminals")
	}
	defer control.Close()
	if err := unix.IoctlSetPointerInt(int(control.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	size := unix.Winsize{Row: 24, Col: terminalColumns}
	if err := unix.IoctlSetWinsize(int(control.Fd()), unix.TIOCSWINSZ, &size); err != nil {
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
	output := make(chan string)
	go func() {
		text, _ := io.ReadAll(control) // ends with the error EIO after every process has closed the screen
		output <- string(text)
	}()
	c := exec.Command("mcsim", args...)
	c.Dir, c.Stdout, c.Env = dir, screen, append(os.Environ(), append([]string{"NO_COLOR=", "TERM=xterm"}, env...)...)
	err = c.Run()
	screen.Close()
	text := <-output
	if c.ProcessState.ExitCode() > program.Undecided || text == "" {
		t.Fatalf("mcsim %s: %v: %q", strings.Join(args, " "), err, text)
	}
	return text
}

// TestNarrowTerminal checks that no line of help, prose or a table is wider than the terminal, except
// for examples, which a user copies.
func TestNarrowTerminal(t *testing.T) {
	for _, args := range []string{"help", "help advise", "help inspect", "advise --d-k 16 --d-model 64", "explain rule",
		"models", "cost", "explain", "plan quick", "probe --keys 8 --samples 1000"} {
		output := runOnTerminal(t, t.TempDir(), []string{"NO_COLOR=1"}, strings.Fields(args)...)
		lines := strings.Split(strings.ReplaceAll(output, "\r", "\x1b[K\n"), "\n")
		for _, line := range lines {
			line = strings.ReplaceAll(line, "\x1b[K", "")
			if utf8.RuneCountInString(line) > terminalColumns && !strings.HasPrefix(line, "  mcsim ") {
				t.Errorf("mcsim %s: a line is wider than %d columns: %q", args, terminalColumns, line)
			}
		}
		if len(lines) < 10 {
			t.Errorf("mcsim %s prints only %q", args, output)
		}
	}
}

// TestColours checks that verdicts have colours on a terminal unless the user turns them off, and
// that JSON, JUnit and a pipe never have colours.
func TestColours(t *testing.T) {
	dir := writePlan(t, "experiments: [{experiment: variance, distribution: normal, d_k: 4, samples: 2^14, "+
		"tolerance: 20%}]\n"+
		"alpha: 0.01\nbeta: 0.01\n")
	mcsim(t, dir, "run", "plan.yaml", "-q")
	const escape = "\x1b["
	const greenPass = "\x1b[32mpass\x1b[0m"
	if output := runOnTerminal(t, dir, nil, "verify"); !strings.Contains(output, greenPass+": ") {
		t.Errorf("verify on a terminal prints no green verdict: %q", output)
	}
	output := runOnTerminal(t, dir, nil, "verify", "--all")
	if !strings.Contains(output, "] ") {
		t.Errorf("verify --all on a terminal prints no band: %q", output)
	}
	if !strings.Contains(output, greenPass+"\r\n") {
		t.Errorf("verify --all on a terminal prints no green verdict of a gate: %q", output)
	}
	for name, args := range map[string]struct{ env, args []string }{
		"NO_COLOR": {[]string{"NO_COLOR=1"}, []string{"verify"}},
		"dumb":     {[]string{"TERM=dumb"}, []string{"verify"}},
		"JSON":     {nil, []string{"verify", "--json"}},
		"JUnit":    {nil, []string{"verify", "--junit", "-"}},
	} {
		output := runOnTerminal(t, dir, args.env, args.args...)
		if strings.Contains(output, escape) {
			t.Errorf("%s: the output has colours: %q", name, output)
		}
		if !strings.Contains(output, "pass") {
			t.Errorf("%s: the output has no verdict: %q", name, output)
		}
	}
	c := exec.Command("mcsim", "verify")
	c.Dir, c.Env = dir, append(os.Environ(), "NO_COLOR=", "TERM=xterm")
	piped, err := c.Output()
	if err != nil {
		t.Errorf("verify in a pipe: %v", err)
	}
	if strings.Contains(string(piped), escape) {
		t.Errorf("the output in a pipe has colours: %q", piped)
	}
	advice := runOnTerminal(t, dir, nil, "advise", "--d-model", "64", "--d-k", "16", "--draws", "16", "--init-sd",
		"1e-3")
	if !strings.Contains(advice, "\x1b[32mSPREAD\x1b[0m: ") {
		t.Errorf("advise on a terminal prints no green verdict: %q", advice)
	}
}
