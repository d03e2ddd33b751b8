package schedule

import (
	"math"
	"runtime"
	"slices"
	"time"

	"mcsim/sim/base/store"
	"mcsim/sim/statistics/quantile"
)

// left is how many blocks the work still has to draw.
func (w Work) left(nodes *store.Store) (blocks int64) {
	for _, p := range nodes.Missing(w.Cell.Key(), w.First, w.End, 62) {
		blocks += p.Blocks()
	}
	return blocks
}

// Left is how many components the schedule still has to draw.
func (s *Schedule) Left(nodes *store.Store) float64 {
	var left float64
	for _, w := range s.Works {
		left += w.Cost(w.left(nodes))
	}
	return left
}

// Components is how many products q_i·k_i the schedule draws.
func (s *Schedule) Components() float64 {
	var components float64
	for _, w := range s.Works {
		components += w.Components()
	}
	return components
}

// Cores is how many of the workers draw at the same time.
func Cores(workers int) int { return min(workers, runtime.NumCPU()) }

// seconds is how long a worker takes for so many blocks of the work, and for its pilot if it is to be drawn.
func (w Work) seconds(by speedTable, blocks int64, pilot bool) float64 {
	if pilot {
		blocks += w.pilotBlocks()
	}
	return float64(by[speedClassOf(*w.Cell)] * w.Cost(blocks))
}

// pilotBlocks is how many blocks the pilot has that places the bins of quantiles. Others have few.
func (w Work) pilotBlocks() int64 {
	if !w.Cell.Experiment.Sampler.HasFineBins {
		return 0
	}
	units := w.Cell.BlockUnits()
	return (quantile.PilotSize(w.Cell.Units) + units - 1) / units
}

// minSpeed is a number of components that any core draws in a second.
const minSpeed = 1e6

// Lasts says how long the workers take for what the nodes lack of the schedule, where that is longer
// than least. Where it cannot be, nothing is measured.
func (s *Schedule) Lasts(least time.Duration, nodes *store.Store, workers int) (time.Duration, bool) {
	workers = Cores(workers)
	if s.Left(nodes) < minSpeed*float64(workers)*least.Seconds() {
		return 0, false
	}
	works := slices.DeleteFunc(slices.Clone(s.Works), func(w Work) bool { return w.left(nodes) == 0 })
	by, seconds := measureSpeeds(works, workers), 0.0
	for _, w := range works {
		pilot := len(nodes.Missing(w.Cell.PilotKey(), 0, 1, 0)) > 0
		seconds += w.seconds(by, w.left(nodes), pilot)
	}
	lasts := toDuration(seconds / float64(workers))
	return lasts, lasts > least
}

// toDuration is so many seconds, or the longest time there is.
func toDuration(seconds float64) time.Duration {
	if nanoseconds := seconds * float64(time.Second); nanoseconds < math.MaxInt64 {
		return time.Duration(nanoseconds)
	}
	return math.MaxInt64
}
