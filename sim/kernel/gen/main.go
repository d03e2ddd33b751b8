// Command gen writes the assembly of package kernel into the folder that its
// argument names, as the package's go:generate line does.
package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/mmcloughlin/avo/printer"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen folder")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func generate(folder string) error {
	constants, err := coefficients(filepath.Join(folder, "coefficients.go"))
	if err != nil {
		return err
	}
	maps.Copy(constants, own(constants))
	for _, e := range []extension{avx512, avx2, neon} {
		if err := write(folder, e, constants); err != nil {
			return err
		}
	}
	return nil
}

func write(folder string, e extension, constants map[string]uint32) error {
	m := newMachine(e, constants)
	m.ConstraintExpr("!noasm")
	for _, l := range distributions {
		m.pairs(l)
		m.fill(l)
	}
	m.rademacherPairs()
	m.rademacherFill()
	m.spherePairs()
	m.rescale()
	m.gram()
	m.peaks()
	m.gaps()
	m.logs()
	m.softmax()
	m.weights()
	m.dots()
	m.differences()
	m.blend()
	m.above()
	f, err := m.Result()
	if err != nil {
		return err
	}
	if err := compile(e).Execute(f); err != nil {
		return fmt.Errorf("%s: %w", e.name, err)
	}
	file := filepath.Join(folder, strings.ToLower(e.name)+"_"+e.architecture)
	cfg := printer.Config{Name: "gen", Argv: []string{"gen"}, Pkg: "kernel"}
	for suffix, p := range map[string]printer.Printer{".s": printer.NewGoAsm(cfg), ".go": printer.NewStubs(cfg)} {
		text, err := p.Print(f)
		if err != nil {
			return err
		}
		if err := os.WriteFile(file+suffix, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
