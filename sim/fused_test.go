package sim_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// fusingArchitectures are those for which the compiler fuses products with sums, and that a test of
// every change compiles for. Another compiles for more (fused_long_test.go): with an empty cache
// each takes more than a minute.
var fusingArchitectures = []string{"arm64"}

// fusedInstruction matches a fused multiply-add of any of these architectures in a listing.
var fusedInstruction = regexp.MustCompile(`\s(FN?M(ADD|SUB)[SDF]?|WFM[AS]DB)\s`)

// TestNothingIsFused: a fused product is not rounded and so gives other bits in results.json. The
// compiler fuses a product with a sum, also across statements, unless a conversion is between them.
func TestNothingIsFused(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	if testing.Short() {
		t.Skip("compiles for other processors")
	}
	for _, arch := range fusingArchitectures {
		t.Run(arch, func(t *testing.T) {
			build := exec.Command("go", "build", "-gcflags=-S", "./...")
			build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
			listing, err := build.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, listing)
			}
			for line := range bytes.Lines(listing) {
				// The expression is slow, and most lines have none of these.
				candidate := bytes.Contains(line, []byte("MADD")) || bytes.Contains(line, []byte("MSUB")) ||
					bytes.Contains(line, []byte("WFM"))
				if candidate && fusedInstruction.Match(line) {
					t.Errorf("%s", line)
				}
			}
		})
	}
}
