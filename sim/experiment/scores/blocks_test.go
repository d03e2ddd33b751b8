package scores

import (
	"math"
	"strings"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/statistics/theory"
)

// TestErrorFromBlocks checks that the scatter of few blocks has no interval, whatever its kurtosis.
func TestErrorFromBlocks(t *testing.T) {
	c := newCell(Variance, "normal", 8)
	for blocks, printed := range map[int64]bool{2: false, 15: false, 16: false, 64: true, 4096: true} {
		for _, kurtosis := range []float64{1, 3, 50} {
			means := moments.Moments{N: blocks, Order: experiment.ErrorOrder, Mean: 8}
			means.Sum[2] = 4 * float64(blocks-1)
			means.Sum[4] = kurtosis * means.Sum[2] * means.Sum[2] / float64(blocks)
			var f experiment.CellEstimates
			addScatter(&f, c, 100*blocks, means, newScore(c).SquareSE(100*blocks), newScore(c).BlockCumulants(100))
			r := f.Estimates[0]
			unbiased := float64(r.Value) * newScore(c).BlockCumulants(100).ExpectedSD(blocks)
			if math.Abs(unbiased*math.Sqrt(float64(blocks))/2-1) > 1e-14 || r.Level.Present() != printed ||
				r.SE.Present() != printed || (len(f.Warnings) == 0) != printed {
				t.Errorf("%d blocks of kurtosis %v: %v ± %v in [%v, %v], %d warnings", blocks, kurtosis, r.Value, r.SE,
					r.Lo, r.Hi, len(f.Warnings))
			}
			if !printed && !strings.Contains(f.Warnings[0].Text, "degrees of freedom") {
				t.Errorf("%d blocks: %q", blocks, f.Warnings[0].Text)
			}
		}
	}
}

func newScore(c experiment.Cell) theory.Score {
	return theory.NewScore(c.Distribution(), c.Dimension())
}
