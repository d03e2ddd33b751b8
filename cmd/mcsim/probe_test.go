package main

import (
	"os/exec"
	"testing"
)

// BenchmarkStart measures a probe of the fewest samples, including the start of its process.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		if out, err := exec.Command("mcsim", "probe", "--d-k", "1", "--samples", "16").CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
}
