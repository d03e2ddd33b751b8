package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// target is a system that mcsim is released for.
type target struct{ system, processor string }

// targets are all of them.
var targets = []target{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

func (t target) String() string { return t.system + "/" + t.processor }

// chosen are the targets of a list with commas, all of an empty one.
func chosen(list string) ([]target, error) {
	if list == "" {
		return targets, nil
	}
	var names []string
	for _, t := range targets {
		names = append(names, t.String())
	}
	var out []target
	for _, name := range strings.Split(list, ",") {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, fmt.Errorf("-only: %q is none of %s", name, strings.Join(names, ", "))
		}
		if !slices.Contains(out, targets[i]) {
			out = append(out, targets[i])
		}
	}
	return out, nil
}

// program is the file of the program.
func (t target) program() string {
	if t.system == "windows" {
		return "mcsim.exe"
	}
	return "mcsim"
}

// folder is the one folder in the archive.
func (t target) folder(s state) string {
	return strings.Join([]string{"mcsim", s.name, t.system, t.processor}, "-")
}

// archive is the file of the archive, of the kind that the system opens by itself.
func (t target) archive(s state) string {
	if t.system == "windows" {
		return t.folder(s) + ".zip"
	}
	return t.folder(s) + ".tar.gz"
}

// environment is that of the compiler: the target's, and nothing of what the user's says
// that would change bytes.
func (t target) environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GOFLAGS", "GOEXPERIMENT", "GOFIPS140", "GO_EXTLINK_ENABLED"}, name)
	})
	return append(env, "GOOS="+t.system, "GOARCH="+t.processor, "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0", "GOWORK=off", "GOENV=off")
}

// build compiles the program, stamped with the version and, by go itself, with the commit.
func (t target) build(to, version string) error {
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -buildid= -X mcsim/cmd/mcsim/folder.Version="+version, "-o", to, "./cmd/mcsim")
	c.Env, c.Stderr = t.environment(), os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", t, err)
	}
	return nil
}
