// Command gen writes the assembly of package kernel into the given folder. go generate runs it for
// the package.
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
	constants, err := readCoefficients(filepath.Join(folder, "coefficients.go"))
	if err != nil {
		return err
	}
	maps.Copy(constants, derivedConstants(constants))
	for _, e := range []extension{avx512, avx2, neon} {
		if err := writeExtension(folder, e, constants); err != nil {
			return err
		}
	}
	return nil
}

func writeExtension(folder string, e extension, constants map[string]uint32) error {
	m := newMachine(e, constants)
	m.ConstraintExpr("!noasm")
	for _, l := range distributions {
		m.emitPairs(l)
		m.emitFill(l)
	}
	m.emitRademacherPairs()
	m.emitRademacherFill()
	m.emitSpherePairs()
	m.emitRescale()
	m.emitGram()
	m.emitPeaks()
	m.emitGaps()
	m.emitLogs()
	m.emitSoftmax()
	m.emitWeights()
	m.emitDots()
	m.emitDifferences()
	m.emitBlend()
	m.emitAbove()
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
