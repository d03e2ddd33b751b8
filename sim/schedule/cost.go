package schedule

import (
	"math"
	"time"

	"mcsim/sim/store"
)

// Left is how many components the work still has to draw.
func (w Work) Left(nodes *store.Store) float64 {
	var left float64
	for _, p := range nodes.Missing(w.Cell.Key(), w.First, w.End, 62) {
		left += w.Cost(p.Blocks())
	}
	return left
}

// Left is how many components the schedule still has to draw.
func (s *Schedule) Left(nodes *store.Store) float64 {
	var left float64
	for _, w := range s.Works {
		left += w.Left(nodes)
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

// slowest is a number of components that any core draws in a second.
const slowest = 1e8

// Lasts says how long the schedule takes for what the nodes lack, where that is longer
// than least. Where it cannot be, nothing is measured.
func (s *Schedule) Lasts(least time.Duration, nodes *store.Store, workers int) (time.Duration, bool) {
	if s.Left(nodes) < slowest*float64(workers)*least.Seconds() {
		return 0, false
	}
	speeds, all := NewSpeeds(workers), time.Duration(0)
	for _, w := range s.Works {
		all = Longer(all, speeds.Time(*w.Cell, w.Left(nodes)))
	}
	return all, all > least
}

// Longer is the sum of two times, or the longest time there is.
func Longer(a, b time.Duration) time.Duration { return a + min(b, math.MaxInt64-a) }

// duration is so many seconds, or the longest time there is.
func duration(seconds float64) time.Duration {
	if nanoseconds := seconds * float64(time.Second); nanoseconds < math.MaxInt64 {
		return time.Duration(nanoseconds)
	}
	return math.MaxInt64
}
