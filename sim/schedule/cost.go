package schedule

import (
	"context"
	"math"
	"runtime"
	"sync"
	"time"

	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/names"
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

// kind are cells that take about as long for a component: of an experiment and a law,
// with a cost of a unit that is the same to within a factor of two.
type kind struct {
	experiment *experiment.Experiment
	law        string
	magnitude  int
}

// Speeds are how many components the workers draw in a second on this machine, by the
// kinds of cells.
type Speeds struct {
	workers int
	of      map[kind]float64
}

// NewSpeeds are those of so many workers; each is measured when it is asked for.
func NewSpeeds(workers int) *Speeds {
	return &Speeds{min(workers, runtime.NumCPU()), map[kind]float64{}}
}

// Time is how long the workers take for so many components of the cell.
func (s *Speeds) Time(c experiment.Cell, components float64) time.Duration {
	cost := c.Experiment.Cost(c)
	_, magnitude := math.Frexp(cost)
	k := kind{c.Experiment, c.Value(names.ParamLaw).Name, magnitude}
	if s.of[k] == 0 {
		s.of[k] = blocksPerSecond(c, s.workers) * float64(c.Experiment.BlockUnits(c)) * cost
	}
	return duration(components / s.of[k])
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

// blocksPerSecond is how many blocks of a cell the workers draw in a second, all at once as
// they would in a run: cores that share caches, or a clock, are slower than one by itself.
func blocksPerSecond(c experiment.Cell, workers int) float64 {
	c.Learn(moments.Node{}) // nothing, which takes no time
	rates := make([]float64, workers)
	var group sync.WaitGroup
	for i := range rates {
		group.Go(func() { rates[i] = 1 / blockTime(c).Seconds() })
	}
	group.Wait()
	var all float64
	for _, r := range rates {
		all += r
	}
	return all
}

const (
	trial  = time.Millisecond // of a range of blocks, unless a single one takes longer
	trials = 3
	// long is the time of a first block from which on there is no second one: filling the
	// caches is then a small part of it.
	long = 20 * time.Millisecond
	// mostLevel makes ranges of 2^6 blocks at most, as long as those that a run hands out.
	mostLevel = 6
)

// blockTime is the time of one block of a cell, in ranges such as a run draws, since some
// of the work is done once a range. A first block fills the caches. Of several trials the
// shortest counts, in which other programs had the least part.
func blockTime(c experiment.Cell) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var d experiment.Drawer
	d.Open(0, 0, c)
	first := timed(&d, moments.Place{})
	if first > long {
		return first
	}
	level := 0
	for level < mostLevel && first<<(level+1) <= trial {
		level++
	}
	shortest := time.Duration(math.MaxInt64)
	for i := range int64(trials) {
		shortest = min(shortest, timed(&d, moments.Place{Level: level, Index: i + 1})>>level)
	}
	return max(shortest, 1)
}

// started is the time from which spent may count.
var started = time.Now()

// timed is how long a range of blocks takes.
func timed(d *experiment.Drawer, at moments.Place) time.Duration {
	begun := spent()
	d.Draw(context.Background(), at)
	return spent() - begun
}
