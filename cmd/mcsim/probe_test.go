package main

import (
	"os/exec"
	"testing"
)

// BenchmarkStart is a probe of the fewest samples, from the start of its process
// to its end.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		if out, err := exec.Command("mcsim", "probe", "--d-k", "1", "--samples", "16").CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
}
