//go:build linux

package main

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// maxResident is the limit on the resident memory of a run, in bytes.
const maxResident = 64 << 20

// TestMemory checks that runs of large d_k, many samples or many cells use at most maxResident
// bytes. The memory does not grow with d_k or the number of samples. It grows by about 3 KiB for
// each cell: for its part of the plan, of the nodes and of the document.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("samples for seconds")
	}
	// Linux counts the peak memory of the process that starts a program as memory of the program.
	// So the test starts itself again in a new process, which has used little memory.
	const newProcessVariable = "MCSIM_TEST_FRESH"
	if os.Getenv(newProcessVariable) == "" {
		c := exec.Command(os.Args[0], "-test.run=^TestMemory$", "-test.v")
		c.Env = append(os.Environ(), newProcessVariable+"=1")
		out, err := c.CombinedOutput()
		t.Logf("%s", out)
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	for name, plan := range map[string]string{
		"d_k = 65536": "experiments:\n  - {experiment: variance, distribution: [normal, sphere, student-t(10)], " +
			"d_k: 65536, samples: 1024, gate: false}\n",
		"gram": "experiments:\n  - {experiment: variance, distribution: normal, d_k: 4096, " +
			"estimator: gram, samples: 4e6, gate: false}\n",
		"10⁸ pairs": "experiments:\n  - {experiment: variance, distribution: rademacher, d_k: 4, " +
			"samples: 1e8, gate: false}\n",
		"1000 cells": manyCells(1000),
		// 10⁴ cells can exceed the limit if other processes delay the garbage collector.
		"5000 cells": manyCells(5000),
	} {
		t.Run(name, func(t *testing.T) {
			dir := writePlan(t, plan)
			c := exec.Command("mcsim", "run", "plan.yaml", "--quiet")
			c.Dir = dir
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			resident := c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10 // Linux counts KiB
			t.Logf("%.1f MiB resident in %v", float64(resident)/(1<<20), c.ProcessState.UserTime())
			if resident > maxResident {
				t.Errorf("the run used %.1f MiB of memory, want at most %d MiB",
					float64(resident)/(1<<20), maxResident>>20)
			}
		})
	}
}
