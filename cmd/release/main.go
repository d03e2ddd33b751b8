// Command release builds the releases of mcsim: an archive for every system, with the
// notices of all that is linked into the program, pages for man, completions of shells, and
// the checksums of the archives.
//
// The same commit and the same Go give the same bytes, wherever and whenever they are
// built: paths are trimmed, the time in the archives is that of the commit, and what the
// environment says of compilers is not heard.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	dir := flag.String("o", "dist", "folder of the archives")
	only := flag.String("only", "", "build for these systems alone, as linux/amd64,linux/arm64")
	flag.Parse()
	if err := release(*dir, *only, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(2)
	}
}

// release builds what is asked for into a folder.
func release(dir, only string, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("takes no argument, but got %q", args[0])
	}
	targets, err := chosen(only)
	if err != nil {
		return err
	}
	state, err := commit()
	if err != nil {
		return err
	}
	notices, err := notices()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	beside, err := guides(work, state)
	if err != nil {
		return err
	}
	beside = append(beside, content{name: noticesFile, text: notices})
	var archives []string
	for _, t := range targets {
		program := filepath.Join(work, t.program())
		if err := t.build(program, state.version); err != nil {
			return err
		}
		name := t.archive(state)
		if err := write(filepath.Join(dir, name), state, t, program, beside); err != nil {
			return err
		}
		archives = append(archives, name)
		fmt.Println(filepath.Join(dir, name))
	}
	return checksums(dir, archives)
}

// state is what is released: a commit, and what is called.
type state struct {
	version string // 1.2.0 of the tag v1.2.0; of a commit without one 0.1.0-dev
	name    string // the version, with the commit where no tag has it
	seconds int64  // time of the commit, since 1970
}

// commit is the state of the checkout, which must be whole.
func commit() (state, error) {
	changed, err := output("git", "status", "--porcelain")
	if err != nil {
		return state{}, err
	}
	if changed != "" {
		return state{}, fmt.Errorf("the checkout has changes, which no commit names:\n%s", changed)
	}
	said, err := output("git", "log", "-1", "--format=%ct %h", "--abbrev=12")
	if err != nil {
		return state{}, err
	}
	var s state
	var short string
	if _, err := fmt.Sscan(said, &s.seconds, &short); err != nil {
		return state{}, fmt.Errorf("git says %q of the commit", said)
	}
	if tag, err := output("git", "describe", "--tags", "--exact-match", "--match", "v[0-9]*"); err == nil {
		s.version = strings.TrimPrefix(tag, "v")
		s.name = s.version
		return s, nil
	}
	s.version, err = unreleased()
	s.name = s.version + "-" + short
	return s, err
}

// unreleased is the version that the source gives itself, between releases.
func unreleased() (string, error) {
	const file = "cmd/mcsim/folder/version.go"
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	_, rest, found := strings.Cut(string(text), "\nvar Version = \"")
	version, _, ends := strings.Cut(rest, "\"")
	if !found || !ends {
		return "", fmt.Errorf("%s has no version", file)
	}
	return version, nil
}

// output is what a command prints, without the space around it.
func output(name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	var complaint strings.Builder
	c.Stderr = &complaint
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(complaint.String()))
	}
	return strings.TrimSpace(string(out)), nil
}
