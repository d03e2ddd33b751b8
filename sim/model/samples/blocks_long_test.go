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

// A head that is too large to be kept is judged in blocks of rows.
func TestBlocksOfLargeHeadLong(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "q.npy"), filepath.Join(dir, "k.npy")}
	const rows, d = 36_864, 128
	for _, path := range paths {
		v := values{[]int{rows, d}, true, make([]float64, rows*d)}
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
	// A normal number that is rounded has a twelfth more variance.
	want := math.Pow(400+1./12, 2)
	if z := (float64(got.Overall.VarianceOverDK.Value) - want) / float64(got.Overall.VarianceOverDK.SE); got.Blocks != 9 || !(math.Abs(z) < 4.5) ||
		float64(got.Overall.VarianceOverDK.SE) > 0.01*want {
		t.Errorf("%d blocks: %+v, not %v", got.Blocks, got.Overall.VarianceOverDK, want)
	}
}
