package statedict

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"mcsim/sim/inspect"
	"mcsim/sim/simtest"
	"mcsim/sim/tensor"
)

// near holds a number to PyTorch's, to 10⁻⁶ of what is usual among these.
func near(got, want, size float64) bool {
	return math.Abs(got-want) <= 1e-6*math.Max(math.Abs(want), size)
}

// Queries and keys of every layout are those of PyTorch, by the code of each model.
func TestAgainstPyTorch(t *testing.T) {
	text, err := os.ReadFile("testdata/layouts.json")
	simtest.Must(t, err)
	var all []struct {
		Name, Folder            string
		Heads, Dimension        int
		Mean, Variance, Largest []float64
		Participation           []*float64
	}
	simtest.Must(t, json.Unmarshal(text, &all))
	if len(all) < 15 {
		t.Errorf("%d layouts", len(all))
	}
	for _, want := range all {
		t.Run(want.Name, func(t *testing.T) {
			path := filepath.Join("testdata", want.Folder, "model.safetensors")
			files, err := tensor.Open(path)
			simtest.Must(t, err)
			defer files.Close()
			m, err := Open(files, Options{X: "x", Path: path})
			simtest.Must(t, err)
			got, err := m.Measure(context.Background(), inspect.Options{Scale: 1, Workers: 2}, func() {})
			simtest.Must(t, err)
			if len(got) != want.Heads {
				t.Fatalf("%d heads, not %d", len(got), want.Heads)
			}
			for h, g := range got {
				if p := want.Participation[h]; p != nil && !near(g.Participation, *p, 0) {
					t.Errorf("head %d: participation ratio %v, PyTorch %v", h, g.Participation, *p)
				}
				variance := want.Variance[h]
				if p := g.Part; p.Dimension != want.Dimension || !near(p.Mean, want.Mean[h], math.Sqrt(variance)) || !near(p.Variance, variance, 0) || !near(p.Largest(), want.Largest[h], math.Sqrt(variance)) {
					t.Errorf("head %d of d_k = %d: mean %v, variance %v, largest %v; PyTorch: d_k = %d, %v, %v, %v", h, p.Dimension, p.Mean, p.Variance, p.Largest(), want.Dimension, want.Mean[h], variance, want.Largest[h])
				}
			}
		})
	}
}
