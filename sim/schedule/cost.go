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
		for _, p := range nodes.Missing(w.Cell.Key(), w.Blocks, w.Cell.Experiment.BlockUnits(*w.Cell), 62) {
			left += w.Components() * float64(p.Blocks()) / float64(w.Blocks)
		}
	}
	return left
}

// timing is how long a trial of one kind of cell may take, unless a single block takes
// longer.
const timing = 2 * time.Millisecond

// Estimate says how long the schedule would take on all cores of this machine. It times
// a few blocks of each kind of cell: an experiment, a law, and a cost of a unit to within
// a factor of two.
func (s *Schedule) Estimate() time.Duration {
	type kind struct {
		experiment *experiment.Experiment
		law        string
		magnitude  int
	}
	perComponent := map[kind]float64{}
	var seconds float64
	for _, w := range s.Works {
		cost := w.Cell.Experiment.Cost(*w.Cell)
		_, magnitude := math.Frexp(cost)
		k := kind{w.Cell.Experiment, w.Cell.Value(names.ParamLaw).Name, magnitude}
		if perComponent[k] == 0 {
			perComponent[k] = blockSeconds(*w.Cell) / (float64(w.Cell.Experiment.BlockUnits(*w.Cell)) * cost)
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

// blockSeconds is the time of one block, after a first one that fills the caches if that
// did not take long.
func blockSeconds(c experiment.Cell) float64 {
	c.Learn(moments.Node{}) // nothing, which takes no time
	var d experiment.Drawer
	d.Open(0, 0, c)
	begun := time.Now()
	d.Draw(context.Background(), moments.Place{})
	if first := time.Since(begun); first > timing {
		return first.Seconds()
	}
	begun = time.Now()
	blocks := int64(0)
	for blocks == 0 || time.Since(begun) < timing {
		blocks++
		d.Draw(context.Background(), moments.Place{Index: blocks})
	}
	return time.Since(begun).Seconds() / float64(blocks)
}
