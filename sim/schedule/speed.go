package schedule

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/names"
)

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
		timed := smaller(c)
		s.of[k] = blocksPerSecond(timed, s.workers) * blockCost(timed)
	}
	return duration(components / s.of[k])
}

// mostTimed is how many components a block has at most that is drawn to see how long it takes: a tenth of a
// second, or a second of portable Go.
const mostTimed = 1 << 27

// smaller is the cell, or where its blocks have too many components one of half the size, and so on: a component
// takes about as long.
func smaller(c experiment.Cell) experiment.Cell {
	for blockCost(c) > mostTimed {
		half, ok := halved(c)
		if !ok {
			return c
		}
		c = half
	}
	return c
}

// halved is the cell with the largest of its sizes that can be halved, false where none can.
func halved(c experiment.Cell) (experiment.Cell, bool) {
	e, at := c.Experiment, map[string]experiment.Value{}
	var sizes []*experiment.Axis
	for i := range e.Axes {
		if a := &e.Axes[i]; !a.Shared {
			at[a.Name] = c.Value(a.Name)
			sizes = append(sizes, a)
		}
	}
	slices.SortStableFunc(sizes, func(a, b *experiment.Axis) int { return int(c.Value(b.Name).Number - c.Value(a.Name).Number) })
	for _, a := range sizes {
		was := at[a.Name]
		half := experiment.Value{Number: math.Floor(was.Number / 2)}
		if _, err := a.ParseAll(half.String()); was.Name != "" || half.Number < 1 || err != nil {
			continue
		}
		at[a.Name] = half
		smaller := experiment.NewCell(e, at)
		smaller.Shared, smaller.Units = c.Shared, c.Units
		if e.Refuse(smaller, false) == nil && blockCost(smaller) < blockCost(c) {
			return smaller, true
		}
		at[a.Name] = was
	}
	return c, false
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
