// Command generate makes what the templates need before any report is made:
// math.json, the MathML of every formula in them, through KaTeX, and
// math.woff2, the subset of a mathematical font that shows it, through
// fonttools. It is run by `make generate`, and needs Node, npm, Python and
// fonttools with brotli; `make report` needs none of them. It is a module of its
// own, so that the font that it cuts is no dependency of mcsim.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"codeberg.org/go-fonts/latin-modern/lmmath"

	"mcsim/report/markdown"
)

// The folder of this command is where it runs; what it makes stands above.
const (
	mathFile = "../math.json"
	fontFile = "../math.woff2"
)

func main() {
	if err := generate(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func generate() error {
	formulas, err := markdown.Formulas()
	if err != nil {
		return err
	}
	if err := install(); err != nil {
		return err
	}
	set, err := typeset(formulas)
	if err != nil {
		return err
	}
	if err := os.WriteFile(mathFile, set, 0o644); err != nil {
		return err
	}
	return subset()
}

// install brings the pinned packages; nothing of them is run but what
// render.mjs imports.
func install() error {
	_, err := run("npm", nil, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")
	return err
}

// typeset turns each formula into MathML.
func typeset(formulas markdown.FormulaSet) ([]byte, error) {
	in, err := json.Marshal(formulas)
	if err != nil {
		return nil, err
	}
	return run("node", in, "render.mjs")
}

// subset cuts the font down to the characters of math.json. The script leaves
// the font as it is where its coverage is already right, because another
// fonttools may give other bytes.
func subset() error {
	source, err := os.CreateTemp("", "*.otf")
	if err != nil {
		return err
	}
	defer os.Remove(source.Name())
	_, err = source.Write(lmmath.TTF)
	if err := errors.Join(err, source.Close()); err != nil {
		return err
	}
	// Debian puts fonttools beside its own interpreter.
	python := "python3"
	if exec.Command(python, "-c", "import fontTools, brotli").Run() != nil {
		python = "/usr/bin/python3"
	}
	out, err := run(python, nil, "subset.py", source.Name(), mathFile, fontFile)
	os.Stderr.Write(out)
	return err
}

func run(name string, in []byte, args ...string) ([]byte, error) {
	c := exec.Command(name, args...)
	c.Stdin, c.Stderr = bytes.NewReader(in), os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w; `.ci/tools generate` installs what is missing", c, err)
	}
	return out, nil
}
