package schedule

import (
	"math"
	"runtime"
	"slices"
	"time"

	"mcsim/sim/base/store"
	"mcsim/sim/statistics/quantile"
)

// left returns the number of blocks that are still to be sampled.
func (w Job) left(nodes *store.Store) (blocks int64) {
	for _, p := range nodes.Missing(w.Cell.StoreID(), w.First, w.End, 62) {
		blocks += p.Blocks()
	}
	return blocks
}

// RemainingCost returns the number of components that are still to be sampled; see Job.Cost.
func (s *Schedule) RemainingCost(nodes *store.Store) float64 {
	var left float64
	for _, w := range s.Jobs {
		left += w.Cost(w.left(nodes))
	}
	return left
}

// Components returns the number of products q_i·k_i that the schedule samples.
func (s *Schedule) Components() float64 {
	var components float64
	for _, w := range s.Jobs {
		components += w.Components()
	}
	return components
}

// Cores returns the number of workers that can run at the same time.
func Cores(workers int) int { return min(workers, runtime.NumCPU()) }

// seconds returns the time that one worker needs for a number of blocks, and for the pilot if
// pilot is true.
func (w Job) seconds(by speedTable, blocks int64, pilot bool) float64 {
	if pilot {
		blocks += w.pilotBlocks()
	}
	return float64(by[speedClassOf(*w.Cell)] * w.Cost(blocks))
}

// pilotBlocks is how many blocks the pilot has that places the bins of quantiles. Others have few.
func (w Job) pilotBlocks() int64 {
	if !w.Cell.Experiment.Sampler.HasFineBins {
		return 0
	}
	units := w.Cell.BlockUnits()
	return (quantile.PilotSize(w.Cell.Units) + units - 1) / units
}

// minSpeed is a number of components that any core samples in a second.
const minSpeed = 1e6

// Duration predicts the sampling time that is left. ok is false if it is at most minimum; if that is
// certain from the cost alone, no speed is measured.
func (s *Schedule) Duration(least time.Duration, nodes *store.Store, workers int) (time.Duration, bool) {
	workers = Cores(workers)
	if s.RemainingCost(nodes) < minSpeed*float64(workers)*least.Seconds() {
		return 0, false
	}
	works := slices.DeleteFunc(slices.Clone(s.Jobs), func(w Job) bool { return w.left(nodes) == 0 })
	by, seconds := measureSpeeds(works, workers), 0.0
	for _, w := range works {
		pilot := len(nodes.Missing(w.Cell.PilotStoreID(), 0, 1, 0)) > 0
		seconds += w.seconds(by, w.left(nodes), pilot)
	}
	lasts := toDuration(seconds / float64(workers))
	return lasts, lasts > least
}

// toDuration converts seconds and saturates at the longest Duration.
func toDuration(seconds float64) time.Duration {
	if nanoseconds := seconds * float64(time.Second); nanoseconds < math.MaxInt64 {
		return time.Duration(nanoseconds)
	}
	return math.MaxInt64
}
