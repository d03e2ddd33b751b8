package schedule

import (
	"math"
	"slices"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/engine/plan"
	"mcsim/sim/experiment"
	"mcsim/sim/result"
)

// newFakeExperiment returns an experiment with 10 units in a block and no closed form of its
// relative error. It appends the first random word of every sampled block to words.
func newFakeExperiment(words *[]uint32) *experiment.Experiment {
	return experiment.New(experiment.Experiment{
		Name: "fake",
		Axes: []experiment.Axis{experiment.DimensionAxis},
		Unit: "unit",
		Sampler: &experiment.Sampler{
			Headline:   "level",
			BlockUnits: func(experiment.Cell) int64 { return 10 },
			Cost:       func(experiment.Cell) float64 { return 1 },
			Open: func(experiment.Cell) experiment.BlockFunc {
				return func(d *experiment.BlockStream) moments.Node {
					var laneWords [stream.Width]uint32
					d.Lanes.Next(&laneWords)
					*words = append(*words, laneWords[0])
					return moments.Node{Moments: []moments.Moments{moments.New([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9,
						10}, 2)}}
				}
			},
			Columns: func(experiment.Cell) []experiment.Column {
				return []experiment.Column{{Name: "number", Order: 2}}
			},
		},
		Reader: experiment.Reader{
			Estimates: func(c experiment.Cell, n moments.Node) experiment.CellEstimates {
				m := n.Moments[0]
				estimate := func(quantity string, value, se float64) result.Estimate {
					return result.Estimate{Cell: c.ID, Quantity: quantity, N: m.N, Value: result.Number(value),
						SE: result.Number(se)}
				}
				return experiment.CellEstimates{Estimates: []result.Estimate{
					estimate("something else", 1, 1), estimate("level", m.Mean, math.Sqrt(m.Variance()/float64(m.N))),
				}}
			},
		},
	})
}

// TestSizingPilot compares the estimate with 64 blocks of the numbers 1 to 10: N = 640, mean 5.5,
// Σ(x−5.5)² = 64·82.5, so N·(se/mean)² = (64·82.5/639)/5.5².
func TestSizingPilot(t *testing.T) {
	var words []uint32
	c := experiment.NewCell(newFakeExperiment(&words), nil)
	got := sizingPilot(c)
	if want := 64 * 82.5 / 639 / (5.5 * 5.5); math.Abs(got/want-1) > 1e-14 {
		t.Errorf("N times the squared relative error is %v, want %v", got, want)
	}
	if len(words) != 64 {
		t.Fatalf("the pilot sampled %d blocks, want 64", len(words))
	}
	// The stream of the pilot is not the stream of the cell.
	for block := range uint64(64) {
		var lanes stream.Lanes
		stream.Open(stream.ID{Cell: c.ID}).Block(&lanes, block)
		if _, word := lanes.Lane(0).Next(); slices.Contains(words, word) {
			t.Errorf("the pilot sampled block %d of the cell itself", block)
		}
	}
}

// TestSizingPilotPlansSamples checks the number of blocks for a relative standard error of 1 %.
// With v = N·(se/mean)² it takes v/0.01² units, which are 274 blocks of 10. The next size on the
// grid of sample sizes is 320 blocks.
func TestSizingPilotPlansSamples(t *testing.T) {
	var words []uint32
	e := plan.Entry{Experiment: newFakeExperiment(&words), RelativeSE: 0.01, Tolerance: 0.01}
	c := experiment.NewCell(e.Experiment, nil)
	job, err := planJob(e, &c, requirement{}, 0)
	v := 64 * 82.5 / 639 / (5.5 * 5.5) // 0.27316…
	must(t, err)
	if units := int64(math.Ceil(v * 1e4)); (units+9)/10 != 274 {
		t.Fatalf("%d units are not 274 blocks", units)
	}
	if job.Blocks != 320 {
		t.Errorf("the cell has %d blocks, want 320", job.Blocks)
	}
}
