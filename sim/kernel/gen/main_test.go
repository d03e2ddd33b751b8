package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The committed assembly is what the generator writes.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	folder := t.TempDir()
	coefficients, err := os.ReadFile("../coefficients.go")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "coefficients.go"), coefficients, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := generate(folder); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"avx512_amd64.s", "avx512_amd64.go", "avx2_amd64.s", "avx2_amd64.go"} {
		got, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs: run go generate ./sim/kernel", file)
		}
	}
}

// AVX2 must not use what only AVX-512 has: masks and registers above 15.
func TestAVX2StaysWithinAVX2(t *testing.T) {
	text, err := os.ReadFile("../avx2_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range bytes.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' || r == '\t' }) {
		high := len(word) == 3 && (word[0] == 'X' || word[0] == 'Y') && (word[1] > '1' || word[2] > '5')
		mask := len(word) == 2 && word[0] == 'K'
		if word[0] == 'Z' || high || mask {
			t.Errorf("%s in the assembly for AVX2", word)
		}
	}
}
