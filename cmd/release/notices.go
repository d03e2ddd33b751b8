package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// module is where something that is linked in comes from.
type module struct {
	Path, Version, Dir string
	Main               bool
}

// legal are the files of a module that say what one may do with it.
var legal = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|copyright|notice|patents)([-.].*)?$`)

// notices is the text that goes with every program: the licence of everything that is
// linked into any of them, the lab's program and the fonts among it.
func notices() ([]byte, error) {
	linked, err := linked()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "mcsim is distributed under the licence in the file LICENSE. Its programs and its pages\nhold the following work of others, under these licences.\n")
	for _, m := range linked {
		files, err := m.legal()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&text, "\n%s\n%s\n", strings.Repeat("=", 80), strings.TrimSpace(m.Path+" "+m.Version))
		for _, f := range files {
			said, err := os.ReadFile(filepath.Join(m.Dir, f))
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&text, "%s\n%s:\n\n%s\n", strings.Repeat("-", 80), f, bytes.TrimSpace(said))
		}
	}
	return text.Bytes(), nil
}

// legal are the names of a module's files of that kind; a module without one cannot be
// passed on.
func (m module) legal() (names []string, err error) {
	entries, err := os.ReadDir(m.Dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.IsDir() && legal.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no licence in %s", m.Path, m.Dir)
	}
	return names, nil
}

// linked are Go itself, the modules of every target and of the lab, and the one that the
// font of the formulas was cut from, by their paths.
func linked() ([]module, error) {
	root, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	version, err := output("go", "env", "GOVERSION")
	if err != nil {
		return nil, err
	}
	all := map[string]module{"Go": {Path: "Go", Version: version, Dir: root}}
	if err := imports(all, target{"js", "wasm"}, "./cmd/lab"); err != nil {
		return nil, err
	}
	for _, t := range targets {
		if err := imports(all, t, "./cmd/mcsim"); err != nil {
			return nil, err
		}
	}
	const generator, fonts = "templates/generate", "codeberg.org/go-fonts/latin-modern"
	if _, err := output("go", "-C", generator, "mod", "download", fonts); err != nil {
		return nil, err
	}
	text, err := output("go", "-C", generator, "list", "-m", "-json", fonts)
	if err != nil {
		return nil, err
	}
	var font module
	if err := json.Unmarshal([]byte(text), &font); err != nil {
		return nil, err
	}
	all[font.Path] = font
	return slices.SortedFunc(maps.Values(all), func(a, b module) int { return strings.Compare(a.Path, b.Path) }), nil
}

// imports adds the modules whose packages a program has for a target.
func imports(to map[string]module, t target, program string) error {
	c := exec.Command("go", "list", "-deps", "-json=Module", program)
	c.Env, c.Stderr = t.environment(), os.Stderr
	text, err := c.Output()
	if err != nil {
		return fmt.Errorf("what %s imports for %s: %w", program, t, err)
	}
	for list := json.NewDecoder(bytes.NewReader(text)); ; {
		var p struct{ Module *module }
		if err := list.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if p.Module != nil && !p.Module.Main {
			to[p.Module.Path] = *p.Module
		}
	}
}
