package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"golang.org/x/arch/arm64/arm64asm"
)

func TestGeneratedFilesAreCurrent(t *testing.T) {
	folder := t.TempDir()
	coefficients, err := os.ReadFile("../coefficients.go")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(folder, "coefficients.go"), coefficients, 0o600))
	must(t, generate(folder))
	for _, file := range []string{
		"avx512_amd64.s", "avx512_amd64.go", "avx2_amd64.s", "avx2_amd64.go", "neon_arm64.s", "neon_arm64.go",
	} {
		got, err := os.ReadFile(filepath.Join(folder, file))
		must(t, err)
		want, err := os.ReadFile(filepath.Join("..", file))
		must(t, err)
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs: run go generate ./sim/kernel", file)
		}
	}
}

// TestAVX2StaysWithinAVX2 checks that AVX2 code does not use masks and registers above 15, which
// only AVX-512 has.
func TestAVX2StaysWithinAVX2(t *testing.T) {
	text, err := os.ReadFile("../avx2_amd64.s")
	must(t, err)
	isSeparator := func(r rune) bool { return r == ' ' || r == ',' || r == '\n' || r == '\t' }
	for _, word := range bytes.FieldsFunc(text, isSeparator) {
		high := len(word) == 3 && (word[0] == 'X' || word[0] == 'Y') && (word[1] > '1' || word[2] > '5')
		mask := len(word) == 2 && word[0] == 'K'
		if word[0] == 'Z' || high || mask {
			t.Errorf("%s in the assembly for AVX2", word)
		}
	}
}

// TestInstructionCodes compares the codes of instructions that Go's assembler does not support
// with their comments. Go's disassembler must give the same instruction, registers and numbers.
func TestInstructionCodes(t *testing.T) {
	text, err := os.ReadFile("../neon_arm64.s")
	must(t, err)
	matches := regexp.MustCompile(`WORD +\$(0x[0-9a-f]{8}) // V(\w+) (.*)`).FindAllSubmatch(text, -1)
	if len(matches) == 0 {
		t.Fatal("no codes")
	}
	for _, c := range matches {
		code, _ := strconv.ParseUint(string(c[1]), 0, 32)
		i, err := arm64asm.Decode(binary.LittleEndian.AppendUint32(nil, uint32(code)))
		if err != nil {
			t.Fatalf("%s: %v", c[0], err)
		}
		registers, numbers := parseOperands(string(c[3]))
		wantRegisters, wantNumbers := parseOperands(i.String())
		slices.Reverse(wantRegisters) // Go's assembler has the result last
		if i.Op.String() != string(c[2]) || !slices.Equal(registers, wantRegisters) ||
			!slices.Equal(numbers, wantNumbers) {
			t.Errorf("%s is %v", c[0], i)
		}
	}
}

// parseOperands returns the numbers of registers in an instruction, and its other numbers: of bits
// or of an element.
func parseOperands(instruction string) (registers, numbers []uint64) {
	for _, m := range regexp.MustCompile(`(?:^| )[VS](\d+)|[$#](\w+)|\[(\d)\]`).FindAllStringSubmatch(instruction, -1) {
		for k, digits := range m[1:] {
			n, err := strconv.ParseUint(digits, 0, 32)
			switch {
			case err != nil:
			case k == 0:
				registers = append(registers, n)
			default:
				numbers = append(numbers, n)
			}
		}
	}
	return registers, numbers
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
