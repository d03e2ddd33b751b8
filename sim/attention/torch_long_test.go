//go:build long

package attention

import (
	"math"
	"os"
	"os/exec"
	"testing"
)

// runPyTorch runs a script that uses PyTorch and returns its output.
func runPyTorch(t *testing.T, script string) []byte {
	t.Helper()
	if err := exec.Command("/usr/bin/python3", "-c", "import torch").Run(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("PyTorch is not installed")
		}
		t.Skip("PyTorch is not installed (.ci/tools long)")
	}
	output, err := exec.Command("/usr/bin/python3", script).Output()
	if err != nil {
		t.Fatal(err)
	}
	return output
}

// TestLongThreeTokens checks that testdata/three_tokens.py prints testdata/three_tokens.txt.
func TestLongThreeTokens(t *testing.T) {
	stored, err := os.ReadFile("testdata/three_tokens.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := runPyTorch(t, "testdata/three_tokens.py"); string(got) != string(stored) {
		t.Errorf("three_tokens.py prints\n%s\nwant three_tokens.txt:\n%s", got, stored)
	}
}

// TestLongPyTorch checks that testdata/attention.py computes the numbers of
// testdata/attention.json.
func TestLongPyTorch(t *testing.T) {
	now := readTorchCases(t, runPyTorch(t, "testdata/attention.py"))
	stored, err := os.ReadFile("testdata/attention.json")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range readTorchCases(t, stored) {
		for what, pair := range map[string][2][]hex{"weights": {c.Weights, now[i].Weights},
			"blend": {c.Blend, now[i].Blend}} {
			for j, w := range pair[0] {
				if math.Abs(float64(w-pair[1][j])) > 1e-13*max(1, math.Abs(float64(w))) {
					t.Errorf("%s: number %d of %s is %v by PyTorch, want %v of attention.json", c.Name, j, what,
						pair[1][j], w)
				}
			}
		}
	}
}
