package sim_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// Kernels and statistics alike: all of it can be seen in results.json. The
// compiler may fuse a product with a sum, even across statements, unless a
// conversion stands between them. On processors where it does, it must find
// nothing to fuse: a fused product is not rounded and gives other bits.
func TestNothingIsFused(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("wants the go command")
	}
	fused := regexp.MustCompile(`\s(FN?M(ADD|SUB)[SDF]?|WFM[AS]DB)\s`)
	if testing.Short() {
		t.Skip("compiles every edit again for each of four processors")
	}
	for _, arch := range []string{"arm64", "ppc64le", "s390x", "riscv64"} {
		build := exec.Command("go", "build", "-gcflags=-S", "./...")
		build.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch)
		listing, err := build.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", arch, err, listing)
		}
		for line := range bytes.Lines(listing) {
			// Most lines of the many are passed over by what is faster than the expression.
			near := bytes.Contains(line, []byte("MADD")) || bytes.Contains(line, []byte("MSUB")) || bytes.Contains(line, []byte("WFM"))
			if near && fused.Match(line) {
				t.Errorf("%s: %s", arch, line)
			}
		}
	}
}
