// Command gen writes the assembly of package kernel into the given folder. go generate runs it for
// the package. Its comments use these terms:
//
//   - The kernel computes 16 independent things at once, one in each lane: streams of random
//     numbers, vectors, or attention rows. A row of memory has a float32 of every lane.
//   - A word is the next 32 random bits of the generator of every lane. A distribution converts a
//     group of words to a group of draws, which are numbers with this distribution.
//   - A value is a variable of the generated code with a number in every lane. It needs one register
//     of AVX-512, or two of AVX2, which are called its parts.
//   - Several steps of a loop may be computed together, each in its own registers of a value. They
//     are called chains.
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

// generate writes the files of all extensions into the folder, which must contain coefficients.go.
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
