package schedule

import (
	"context"
	"math"
	"runtime"
	"time"

	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/store"
)

// Left is how many components the schedule still has to draw.
func (s *Schedule) Left(nodes *store.Store) float64 {
	var left float64
	for _, w := range s.Works {
		for _, p := range nodes.Missing(w.Cell.Key(), w.Blocks, w.Cell.Experiment.BlockUnits(w.Cell), 62) {
			left += w.Components() * float64(p.Blocks()) / float64(w.Blocks)
		}
	}
	return left
}

// timing is how long a trial of one kind of cell may take.
const timing = 2 * time.Millisecond

// Estimate says how long the schedule would take on all cores of this
// machine. It times a few blocks of each experiment, law, size of a block
// and cost of a unit.
func (s *Schedule) Estimate() time.Duration {
	type kind struct {
		experiment *experiment.Experiment
		law        string
		units      int64
		cost       float64
	}
	perComponent := map[kind]float64{}
	var seconds float64
	for _, w := range s.Works {
		units := w.Cell.Experiment.BlockUnits(w.Cell)
		k := kind{w.Cell.Experiment, w.Cell.Values[names.ParamLaw].Name, units, w.Cell.Experiment.Cost(w.Cell)}
		if perComponent[k] == 0 {
			perComponent[k] = blockSeconds(w.Cell) / (float64(units) * w.Cell.Experiment.Cost(w.Cell))
		}
		seconds += float64(w.Components() * perComponent[k])
	}
	return duration(seconds / float64(runtime.NumCPU()))
}

// duration is so many seconds, or the longest duration there is.
func duration(seconds float64) time.Duration {
	if nanoseconds := seconds * float64(time.Second); nanoseconds < math.MaxInt64 {
		return time.Duration(nanoseconds)
	}
	return math.MaxInt64
}

// blockSeconds is the time of one block.
func blockSeconds(c experiment.Cell) float64 {
	var d experiment.Drawer
	d.Open(0, 0, c)
	begun, blocks := time.Now(), int64(0)
	for blocks == 0 || time.Since(begun) < timing {
		d.Draw(context.Background(), moments.Place{Index: blocks})
		blocks++
	}
	return time.Since(begun).Seconds() / float64(blocks)
}
