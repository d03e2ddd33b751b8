package scores

import (
	"math"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/theory"
)

// By hand: blocks of 100 pairs, variance of their means 4, whatever their kurtosis is:
// error 2/√B, by theory, at d = 8 where γ₂ = ¾, 8√(2.75/100B), and its own 1/√(2ν) of
// the latter. Of 16 blocks too few degrees of freedom are left.
func TestErrorFromBlocks(t *testing.T) {
	node := func(blocks int64, kurtosis float64) moments.Node {
		scores := moments.Moments{N: 100 * blocks, Order: moments.MaxOrder}
		means := moments.Moments{N: blocks, Order: experiment.ErrorOrder, Mean: 8}
		means.Sum[2] = 4 * float64(blocks-1)
		means.Sum[4] = kurtosis * means.Sum[2] * means.Sum[2] / float64(blocks)
		return moments.Node{Moments: []moments.Moments{scores, means}}
	}
	c := cellOf(Variance, "normal", 8)
	for _, k := range []struct {
		blocks  int64
		printed bool
	}{{2, false}, {15, false}, {16, false}, {64, true}, {4096, true}} {
		for _, kurtosis := range []float64{1, 3, 50} {
			var f experiment.Findings
			addBlocks(&f, c, node(k.blocks, kurtosis), scoreOf(c))
			r, b := f.Rows[0], float64(k.blocks)
			theory := 8 * math.Sqrt(2.75/(100*b))
			pairs := [][2]float64{{float64(r.Value), 2 / math.Sqrt(b)}, {float64(r.Theory), theory}}
			if k.printed {
				pairs = append(pairs, [2]float64{float64(r.SE), theory / math.Sqrt(2*scoreOf(c).Blocks(100).Freedom(k.blocks))})
			}
			for _, pair := range pairs {
				if math.Abs(pair[0]/pair[1]-1) > 1e-14 {
					t.Errorf("%d blocks: %v, want %v", k.blocks, pair[0], pair[1])
				}
			}
			if r.Level.Present() != k.printed || r.SE.Present() != k.printed || (len(f.Warnings) == 0) != k.printed || k.printed && !(r.Lo < r.Value && r.Value < r.Hi) {
				t.Errorf("%d blocks of kurtosis %v: %v ± %v in [%v, %v], %d warnings", k.blocks, kurtosis, r.Value, r.SE, r.Lo, r.Hi, len(f.Warnings))
			}
			if !k.printed && !strings.Contains(f.Warnings[0].Text, "degrees of freedom") {
				t.Errorf("%d blocks: %q", k.blocks, f.Warnings[0].Text)
			}
		}
	}
}

func scoreOf(c experiment.Cell) theory.Score { return theory.NewScore(c.Law(), c.Dimension()) }
