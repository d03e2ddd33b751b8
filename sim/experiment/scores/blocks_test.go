package scores

import (
	"math"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/moments"
	"mcsim/sim/theory"
)

// Two blocks of the scores 1, 3 and 2, 4: means of S² 5 and 10.
func TestScoreNode(t *testing.T) {
	b := ScoreNode([]float64{1, 3, 2, 4}, 2).Moments[1]
	if b.N != 2 || b.Mean != 7.5 || b.Variance() != 12.5 {
		t.Errorf("%+v", b)
	}
}

// By hand: 64 blocks of 100 pairs, variance of their means 4 and kurtosis 3:
// error √(4/64) = ¼, its own ½√(2/64) of that, and by theory, at d = 8 where
// γ₂ = ¾, 8√(2.75/6400).
func TestErrorFromBlocks(t *testing.T) {
	node := func(blocks int64) moments.Node {
		scores := moments.Moments{N: 100 * blocks, Order: moments.MaxOrder}
		means := moments.Moments{N: blocks, Order: experiment.ErrorOrder, Mean: 8}
		means.Sum[2] = 4 * float64(blocks-1)
		means.Sum[4] = 3 * means.Sum[2] * means.Sum[2] / float64(blocks)
		return moments.Node{Moments: []moments.Moments{scores, means}}
	}
	c := cellOf(Variance, "normal", 8)
	for _, k := range []struct {
		blocks  int64
		printed bool
		warning string
	}{{15, false, "fewer than 16 blocks"}, {16, false, "known to"}, {64, false, "is its own and known only to"}, {4096, true, ""}} {
		var f experiment.Findings
		addBlocks(&f, c, node(k.blocks), scoreOf(c))
		r := f.Rows[0]
		b := float64(k.blocks)
		for _, pair := range [][2]float64{
			{float64(r.Value), 2 / math.Sqrt(b)}, {float64(r.SE / r.Value), math.Sqrt(2/b) / 2}, {float64(r.Theory), 8 * math.Sqrt(2.75/(100*b))},
		} {
			if math.Abs(pair[0]/pair[1]-1) > 1e-14 {
				t.Errorf("%d blocks: %v, want %v", k.blocks, pair[0], pair[1])
			}
		}
		if r.Level.Present() != k.printed || (len(f.Warnings) == 0) != k.printed {
			t.Errorf("%d blocks: interval %v, %d warnings", k.blocks, r.Level.Present(), len(f.Warnings))
		}
		if !k.printed && !strings.Contains(f.Warnings[0].Text, k.warning) {
			t.Errorf("%d blocks: %q", k.blocks, f.Warnings[0].Text)
		}
	}
}

// The blocks of variance itself agree with the formula: within 4.9 of the
// error that they give themselves, over 4096 blocks.
func TestErrorFromDrawnBlocks(t *testing.T) {
	for _, law := range []string{"normal", "rademacher", "sphere"} {
		c := cellOf(Variance, law, 8)
		var f experiment.Findings
		addBlocks(&f, c, experimenttest.Drawn(c, 4096), scoreOf(c))
		if r := f.Rows[0]; !(math.Abs(float64((r.Value-r.Theory)/r.SE)) < 4.9) || !r.Level.Present() {
			t.Errorf("%s: %v ± %v, the formula says %v", law, r.Value, r.SE, r.Theory)
		}
	}
}

func scoreOf(c experiment.Cell) theory.Score { return theory.NewScore(c.Law(), c.Dimension()) }
