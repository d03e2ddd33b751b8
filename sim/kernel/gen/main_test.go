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

// TestAVX2StaysWithinAVX2 checks that the code for AVX2 does not use masks, registers of 512 bits
// and registers above 15, which only AVX-512 has.
func TestAVX2StaysWithinAVX2(t *testing.T) {
	text, err := os.ReadFile("../avx2_amd64.s")
	must(t, err)
	isSeparator := func(r rune) bool { return r == ' ' || r == ',' || r == '\n' || r == '\t' }
	for _, word := range bytes.FieldsFunc(text, isSeparator) {
		isAbove15 := len(word) == 3 && (word[0] == 'X' || word[0] == 'Y') && (word[1] > '1' || word[2] > '5')
		isMask := len(word) == 2 && word[0] == 'K'
		isZMM := word[0] == 'Z'
		if isZMM || isAbove15 || isMask {
			t.Errorf("the assembly for AVX2 uses %s, which only AVX-512 has", word)
		}
	}
}

// TestInstructionCodes checks the machine codes of instructions that Go's assembler does not
// support. Go's disassembler must decode them to the instruction, the registers and the numbers of
// the comment after each code.
func TestInstructionCodes(t *testing.T) {
	text, err := os.ReadFile("../neon_arm64.s")
	must(t, err)
	matches := regexp.MustCompile(`WORD +\$(0x[0-9a-f]{8}) // V(\w+) (.*)`).FindAllSubmatch(text, -1)
	if len(matches) == 0 {
		t.Fatal("neon_arm64.s has no machine codes, want some")
	}
	for _, c := range matches {
		code, err := strconv.ParseUint(string(c[1]), 0, 32)
		must(t, err)
		i, err := arm64asm.Decode(binary.LittleEndian.AppendUint32(nil, uint32(code)))
		if err != nil {
			t.Fatalf("%s: %v", c[0], err)
		}
		wantRegisters, wantNumbers := parseOperands(string(c[3]))
		registers, numbers := parseOperands(i.String())
		slices.Reverse(registers) // the comment has the result last
		if i.Op.String() != string(c[2]) || !slices.Equal(registers, wantRegisters) ||
			!slices.Equal(numbers, wantNumbers) {
			t.Errorf("%s: the code is decoded to %v, want the instruction of the comment", c[0], i)
		}
	}
}

// parseOperands returns the numbers of the registers in the text of an instruction, and its other
// numbers: numbers of bits and indexes of elements.
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
