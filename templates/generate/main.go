// Command generate makes two files for the templates. KaTeX converts all their formulas to MathML,
// in math.json. fonttools makes math.woff2, the subset of a mathematical font that these formulas
// need. `make generate` runs the command. It needs Node, npm, Python and fonttools with brotli,
// which `make report` does not need. It is a separate module, so that the complete font is not a
// dependency of mcsim.
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

// The command runs in its folder. The files that it makes are in the folder above.
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

// install installs the pinned packages without running their scripts.
func install() error {
	_, err := run("npm", nil, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")
	return err
}

// typeset converts the formulas into the contents of math.json.
func typeset(formulas markdown.FormulaSet) ([]byte, error) {
	input, err := json.Marshal(formulas)
	if err != nil {
		return nil, err
	}
	return run("node", input, "render.mjs")
}

// subset makes the font with only the characters of math.json. The script does not change a font
// that already has exactly these characters, since another version of fonttools may give other
// bytes.
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
	// Debian installs fonttools only for its own interpreter.
	python := "python3"
	if exec.Command(python, "-c", "import fontTools, brotli").Run() != nil {
		python = "/usr/bin/python3"
	}
	output, err := run(python, nil, "subset.py", source.Name(), mathFile, fontFile)
	os.Stderr.Write(output)
	return err
}

func run(name string, input []byte, args ...string) ([]byte, error) {
	c := exec.Command(name, args...)
	c.Stdin, c.Stderr = bytes.NewReader(input), os.Stderr
	output, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w; `.ci/tools generate` installs missing programs", c, err)
	}
	return output, nil
}
