package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// script writes an executable that waits and prints a number of seconds.
func script(t *testing.T, name, wait, prints string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\nsleep "+wait+"\necho "+prints+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// A peer that waits four times as long is no more than four times slower, the
// start of a process being the same for both; alone it says 1 s.
func TestCompare(t *testing.T) {
	p := peer{Name: "sleep", Law: "normal", Workers: 1, command: []string{script(t, "peer", "0.4", "1"), countMark}}
	r, err := p.compare(t.Context(), script(t, "mcsim", "0.1", ""), 1e6, 3)
	if err != nil {
		t.Fatal(err)
	}
	if r.Ratio.Median < 1.3 || r.Ratio.Min > 4 {
		t.Errorf("ratio %v", r.Ratio)
	}
	if want := 1 / r.Ours.Median; math.Abs(r.Alone.Median-want) > 1e-12*want {
		t.Errorf("alone %v, want %v", r.Alone, want)
	}
	broken := peer{Workers: 1, command: []string{"false"}}
	if _, err := broken.compare(t.Context(), script(t, "mcsim", "0", ""), 1e6, 1); err == nil || !strings.Contains(err.Error(), "false") {
		t.Errorf("a peer that fails gives the error %v", err)
	}
}
