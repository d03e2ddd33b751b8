package sim_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// fusingArchitectures lists architectures for which the compiler fuses products with sums.
// Compiling for one takes more than a minute with an empty cache, so the others are only in the
// long tests (fused_long_test.go).
var fusingArchitectures = []string{"arm64"}

// fusedInstruction matches a fused multiply-add of any of these architectures in a listing.
var fusedInstruction = regexp.MustCompile(`\s(FN?M(ADD|SUB)[SDF]?|WFM[AS]DB)\s`)

// TestNothingIsFused checks that no product is fused with a sum, which would skip its rounding and
// so change the bits of results.json. The compiler fuses a product with a sum, also across
// statements, unless a conversion is between them.
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
				// The regular expression is slow, and most lines have none of these substrings.
				mayMatch := bytes.Contains(line, []byte("MADD")) || bytes.Contains(line, []byte("MSUB")) ||
					bytes.Contains(line, []byte("WFM"))
				if mayMatch && fusedInstruction.Match(line) {
					t.Errorf("a product is fused with a sum: %s", line)
				}
			}
		})
	}
}
