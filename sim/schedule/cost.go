package schedule

import (
	"math"
	"runtime"
	"slices"
	"time"

	"mcsim/sim/quantile"
	"mcsim/sim/store"
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

// span is how long some of the work takes, in seconds.
type span struct {
	one     float64 // of a single worker
	longest float64 // of what no two workers share: a block, with the pilot before it
}

// and is how long both take.
func (s span) and(o span) span { return span{s.one + o.one, max(s.longest, o.longest)} }

// by is how long so many workers take.
func (s span) by(workers int) time.Duration { return duration(max(s.one/float64(workers), s.longest)) }

// Cores is how many of the workers draw at the same time.
func Cores(workers int) int { return min(workers, runtime.NumCPU()) }

// span is how long so many blocks of the work take, and its pilot if it is to be drawn.
func (w Work) span(by speeds, blocks int64, pilot bool) span {
	component := by[kindOf(*w.Cell)]
	var first float64
	if pilot {
		first = float64(component * w.Cost(w.pilotBlocks()))
	}
	rest, one := float64(component*w.Cost(blocks)), float64(component*w.Cost(min(blocks, 1)))
	return span{first + rest, first + one}
}

// pilotBlocks is how many blocks the pilot has that places the bins of quantiles. Others have few.
func (w Work) pilotBlocks() int64 {
	if !w.Cell.Experiment.Windowed {
		return 0
	}
	units := w.Cell.Experiment.BlockUnits(*w.Cell)
	return (quantile.PilotSize(w.Cell.Units) + units - 1) / units
}

// slowest is a number of components that any core draws in a second.
const slowest = 1e6

// Lasts says how long the workers take for what the nodes lack of the schedule, where that is longer
// than least. Where it cannot be, nothing is measured.
func (s *Schedule) Lasts(least time.Duration, nodes *store.Store, workers int) (time.Duration, bool) {
	workers = Cores(workers)
	if s.Left(nodes) < slowest*float64(workers)*least.Seconds() {
		return 0, false
	}
	works := slices.DeleteFunc(slices.Clone(s.Works), func(w Work) bool { return w.left(nodes) == 0 })
	by, all := measured(works, workers), span{}
	for _, w := range works {
		pilot := len(nodes.Missing(w.Cell.PilotKey(), 0, 1, 0)) > 0
		all = all.and(w.span(by, w.left(nodes), pilot))
	}
	lasts := all.by(workers)
	return lasts, lasts > least
}

// duration is so many seconds, or the longest time there is.
func duration(seconds float64) time.Duration {
	if nanoseconds := seconds * float64(time.Second); nanoseconds < math.MaxInt64 {
		return time.Duration(nanoseconds)
	}
	return math.MaxInt64
}
