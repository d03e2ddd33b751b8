package scores

import (
	"math"
	"strings"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/statistics/theory"
)

// TestErrorFromBlocks checks the standard error from the scatter of blocks, for several kurtoses of
// the blocks' means. It must have a standard error and an interval if there are many blocks, and a
// warning if there are few.
func TestErrorFromBlocks(t *testing.T) {
	c := newCell(Variance, "normal", 8)
	for blocks, hasInterval := range map[int64]bool{2: false, 15: false, 16: false, 64: true, 4096: true} {
		for _, kurtosis := range []float64{1, 3, 50} {
			means := moments.Moments{N: blocks, Order: experiment.ErrorOrder, Mean: 8}
			means.Sum[2] = 4 * float64(blocks-1)
			means.Sum[4] = kurtosis * means.Sum[2] * means.Sum[2] / float64(blocks)
			var f experiment.CellEstimates
			addScatter(&f, c, 100*blocks, means, newScore(c).SquareSE(100*blocks), newScore(c).BlockCumulants(100))
			r := f.Estimates[0]
			biased := float64(r.Value) * newScore(c).BlockCumulants(100).ExpectedSD(blocks)
			if want := 2 / math.Sqrt(float64(blocks)); math.Abs(biased/want-1) > 1e-14 {
				t.Errorf("%d blocks of kurtosis %v: value without the correction of bias: got %v, want %v", blocks,
					kurtosis, biased, want)
			}
			if got := r.Level.Present(); got != hasInterval {
				t.Errorf("%d blocks of kurtosis %v: has an interval: got %v, want %v", blocks, kurtosis, got,
					hasInterval)
			}
			if got := r.SE.Present(); got != hasInterval {
				t.Errorf("%d blocks of kurtosis %v: has a standard error: got %v, want %v", blocks, kurtosis, got,
					hasInterval)
			}
			switch {
			case hasInterval && len(f.Warnings) > 0:
				t.Errorf("%d blocks of kurtosis %v: got warnings %v, want none", blocks, kurtosis, f.Warnings)
			case !hasInterval && (len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0].Text, "degrees of freedom")):
				t.Errorf("%d blocks of kurtosis %v: got warnings %v, want one about degrees of freedom", blocks,
					kurtosis, f.Warnings)
			}
		}
	}
}

func newScore(c experiment.Cell) theory.Score {
	return theory.NewScore(c.Distribution(), c.Dimension())
}
