//go:build long

package samples

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/simtest"
)

// TestBlocksOfLargeHeadLong compares the variance of a head that is divided into 9 blocks with its
// expected value, to 4.5 standard errors.
func TestBlocksOfLargeHeadLong(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "q.npy"), filepath.Join(dir, "k.npy")}
	const rows, d = 36_864, 128
	for _, path := range paths {
		v := testArray{[]int{rows, d}, true, make([]float64, rows*d)}
		for i := range v.data {
			v.data[i] = math.Round(20 * r.NormFloat64())
		}
		writeArray(t, path, v)
	}
	files, err := tensor.Open(paths...)
	simtest.Must(t, err)
	defer files.Close()
	s, err := Find(files, Names{}, 0, 0)
	simtest.Must(t, err)
	got, _, err := s.Measure(context.Background(), inspect.Options{Scale: 1, Workers: 2}, func() {})
	simtest.Must(t, err)
	// Rounding to integers increases the variance by 1/12.
	want := math.Pow(400+1./12, 2)
	value, se := float64(got.Overall.VarianceOverDK.Value), float64(got.Overall.VarianceOverDK.SE)
	if got.Blocks != 9 {
		t.Errorf("errors come from %d blocks, want 9", got.Blocks)
	}
	if !(math.Abs((value-want)/se) < 4.5) || se > 0.01*want {
		t.Errorf("the variance over d_k is %v ± %v, want %v ± 1 %%", value, se, want)
	}
}
