//go:build linux

package mcsim_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// BenchmarkLoad is what the program costs as a plan grows, and on the default plan where all
// is drawn: processor seconds of its process (CPU-s) and memory resident at most (MiB).
// docs/performance.md says how to run it.
func BenchmarkLoad(b *testing.B) {
	p := built(b)
	b.Run("plan-1e4-cells", func(b *testing.B) {
		dir := b.TempDir()
		plan := gridPlan(b, dir, 2000, 1000, true)
		p.measure(b, dir, "plan", plan)
	})
	b.Run("run-1e5-cells", func(b *testing.B) {
		dir := b.TempDir()
		p.measure(b, dir, "run", gridPlan(b, dir, 20_000, 16, false), "-q", "--fresh")
	})
	b.Run("one-of-1e2-cells", func(b *testing.B) {
		p.measure(b, hundred(b), "run", "plan.yaml", "-q", "--fresh", "--workers", "1")
	})
	b.Run("64-shards-of-1e2-cells", func(b *testing.B) {
		var seconds float64
		for b.Loop() {
			dir := hundred(b)
			seconds += p.shards(b, dir, 64)
			s, _ := p.spent(b, dir, "merge", "shards", "-q")
			seconds += s
		}
		b.ReportMetric(seconds/float64(b.N), "CPU-s")
	})
	b.Run("merge-1e3-shards-of-1e2-cells", func(b *testing.B) {
		dir := hundred(b)
		p.shards(b, dir, 1000)
		p.measure(b, dir, "merge", "shards", "-q")
	})
	grid := sync.OnceValue(func() string {
		dir := b.TempDir()
		p.spent(b, dir, "run", gridPlan(b, dir, 2000, 1000, true), "-q")
		return dir
	})
	drawn := sync.OnceValue(func() string {
		dir := b.TempDir()
		p.spent(b, dir, "run", "-q")
		return dir
	})
	for _, command := range []string{"report", "verify"} {
		b.Run(command+"-1e4-cells", func(b *testing.B) { p.measure(b, grid(), command, "-q") })
	}
	for _, command := range []string{"run", "report", "verify"} {
		b.Run(command+"-default-drawn", func(b *testing.B) { p.measure(b, drawn(), command, "-q") })
	}
}

// gridPlan writes a plan of five laws at d_k from 1 to a largest, of so many
// samples, with or without slopes.
func gridPlan(b *testing.B, dir string, largest, samples int, exponents bool) (path string) {
	b.Helper()
	text := fmt.Sprintf("experiments:\n  - {experiment: variance, law: [normal, uniform, rademacher, laplace, triangular], d_k: [%s], samples: %d, gate: false}\n",
		strings.Trim(strings.ReplaceAll(fmt.Sprint(sequence(largest)), " ", ", "), "[]"), samples)
	if exponents {
		text += "  - {experiment: exponents, exponent: [0, 1/2, 1], gate: false}\n"
	}
	path = filepath.Join(dir, "plan.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	return path
}

// hundred is a folder with a plan of a hundred cells, of half a minute on one core.
func hundred(b *testing.B) (dir string) {
	b.Helper()
	dir = b.TempDir()
	text := `name: hundred cells
seed: 11
experiments:
  - experiment: variance
    law: [normal, uniform, rademacher, laplace, triangular]
    d_k: [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024]
    samples: 2^22
    gate: false
`
	if err := os.WriteFile(filepath.Join(dir, "plan.yaml"), []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	return dir
}

// sequence is 1, 2, …, n.
func sequence(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i + 1
	}
	return out
}

// program is the path of the program.
type program string

// built builds the program.
func built(b *testing.B) program {
	b.Helper()
	path := filepath.Join(b.TempDir(), "mcsim")
	if said, err := exec.Command("go", "build", "-o", path, "./cmd/mcsim").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, said)
	}
	return program(path)
}

// measure runs the program again and again, and reports the mean of its seconds and the
// most of its memory.
func (p program) measure(b *testing.B, dir string, args ...string) {
	var seconds, most float64
	for b.Loop() {
		s, mebibytes := p.spent(b, dir, args...)
		seconds, most = seconds+s, max(most, mebibytes)
	}
	b.ReportMetric(seconds/float64(b.N), "CPU-s")
	b.ReportMetric(most, "MiB")
}

// shards draws the plan of a folder in so many shards, one after the other on one core each,
// and gives the seconds of all.
func (p program) shards(b *testing.B, dir string, count int) (seconds float64) {
	b.Helper()
	for i := range count {
		s, _ := p.spent(b, dir, "run", "plan.yaml", "-q", "--workers", "1", "--shard", fmt.Sprintf("%d/%d", i, count), "-o", fmt.Sprintf("shards/%d.shard", i))
		seconds += s
	}
	return seconds
}

// spent runs the program in a folder, on as many processors as -cpu gives the benchmark.
func (p program) spent(b *testing.B, dir string, args ...string) (seconds, mebibytes float64) {
	b.Helper()
	c := exec.Command(string(p), args...)
	c.Dir = dir
	c.Env = append(os.Environ(), fmt.Sprint("GOMAXPROCS=", runtime.GOMAXPROCS(0)))
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("mcsim %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	s := c.ProcessState
	return (s.UserTime() + s.SystemTime()).Seconds(), float64(s.SysUsage().(*syscall.Rusage).Maxrss) / 1024 // Linux counts KiB
}
