//go:build long

package attention

import (
	"math"
	"os"
	"os/exec"
	"testing"
)

// byPyTorch runs a script with PyTorch and returns its output.
func byPyTorch(t *testing.T, script string) []byte {
	t.Helper()
	if err := exec.Command("/usr/bin/python3", "-c", "import torch").Run(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("PyTorch is not installed")
		}
		t.Skip("PyTorch is not installed (.ci/tools long)")
	}
	made, err := exec.Command("/usr/bin/python3", script).Output()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// TestLongThreeTokens checks that PyTorch still prints testdata/three_tokens.txt.
func TestLongThreeTokens(t *testing.T) {
	kept, err := os.ReadFile("testdata/three_tokens.txt")
	if err != nil {
		t.Fatal(err)
	}
	if made := byPyTorch(t, "testdata/three_tokens.py"); string(made) != string(kept) {
		t.Errorf("PyTorch prints\n%s, and this is kept:\n%s", made, kept)
	}
}

// TestLongPyTorch checks that PyTorch still computes testdata/attention.json.
func TestLongPyTorch(t *testing.T) {
	made := byPyTorch(t, "testdata/attention.py")
	kept, err := os.ReadFile("testdata/attention.json")
	if err != nil {
		t.Fatal(err)
	}
	now := readTorchCases(t, made)
	for i, c := range readTorchCases(t, kept) {
		for what, pair := range map[string][2][]hex{"weights": {c.Weights, now[i].Weights},
			"blend": {c.Blend, now[i].Blend}} {
			for j, w := range pair[0] {
				if math.Abs(float64(w-pair[1][j])) > 1e-13*max(1, math.Abs(float64(w))) {
					t.Errorf("%s, %s %d: %v is kept, and PyTorch says %v", c.Name, what, j, w, pair[1][j])
				}
			}
		}
	}
}
