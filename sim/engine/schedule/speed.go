package schedule

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
)

// speedClass identifies cells that take about the same time for a component: the same experiment
// and distribution, and the same cost of a unit and units of a block within a twentieth.
type speedClass struct {
	experiment   *experiment.Experiment
	distribution string
	cost, units  int
}

// speedClassOf returns the class of a cell.
func speedClassOf(c experiment.Cell) speedClass {
	const steps = 16 // of a factor of two
	step := func(x float64) int { return int(math.Floor(float64(steps * elementary.Log(x) / math.Ln2))) }
	return speedClass{c.Experiment, c.Value(names.ParamDistribution).Name, step(c.UnitCost()),
		step(float64(c.BlockUnits()))}
}

// speedTable maps a class of cells to the seconds that a worker needs for a component on this
// machine.
type speedTable map[speedClass]float64

// measureSpeeds measures the speed of each class of the works' cells. All workers measure at the
// same time, as they will sample: cores that share caches or a clock are slower than one alone.
func measureSpeeds(works []Job, workers int) speedTable {
	var cells []experiment.Cell // one of each kind
	all := speedTable{}
	for _, w := range works {
		if k := speedClassOf(*w.Cell); all[k] == 0 {
			cells, all[k] = append(cells, *w.Cell), 1
		}
	}
	if len(cells) == 0 {
		return all
	}
	took := make([]float64, max(len(cells), workers)) // some more than once, so that no worker rests
	var group errgroup.Group
	group.SetLimit(workers)
	for i := range took {
		group.Go(func() error {
			took[i] = measureComponentTime(cells[i%len(cells)])
			return nil
		})
	}
	_ = group.Wait() // nothing fails
	for i, c := range cells {
		all[speedClassOf(c)] = took[i]
	}
	return all
}

const (
	// maxFirstComponents are drawn in some milliseconds by any kernel.
	maxFirstComponents = 1 << 18
	// A block that takes less than minMeasureTime says little of larger ones.
	minMeasureTime = 16 * time.Millisecond
)

// measureComponentTime returns the seconds that a component of the cell takes. It measures a block
// of a smaller cell first, then of larger ones, until one takes minMeasureTime.
func measureComponentTime(c experiment.Cell) float64 {
	var took time.Duration
	for _, c = range slices.Backward(smallerCells(c)) {
		if took = measureBlockTime(c); took > minMeasureTime {
			break
		}
	}
	return took.Seconds() / blockCost(c)
}

// smallerCells returns the cell and smaller ones like it, each with at most half the components of
// the one before.
func smallerCells(c experiment.Cell) []experiment.Cell {
	all := []experiment.Cell{c}
	for half, ok := halveCell(c); ok && blockCost(all[len(all)-1]) > maxFirstComponents; half, ok = halveCell(half) {
		if blockCost(half) <= blockCost(all[len(all)-1])/2 {
			all = append(all, half)
		}
	}
	return all
}

// halveCell returns the cell with its largest size halved that can be halved; ok is false if none
// can.
func halveCell(c experiment.Cell) (experiment.Cell, bool) {
	at, axes := map[string]experiment.AxisValue{}, slices.Clone(c.Experiment.Axes)
	axes = slices.DeleteFunc(axes, func(a experiment.Axis) bool { return a.Shared })
	for _, a := range axes {
		at[a.Name] = c.Value(a.Name)
	}
	slices.SortStableFunc(axes, func(a,
		b experiment.Axis) int {
		return cmp.Compare(at[b.Name].Number, at[a.Name].Number)
	})
	for _, a := range axes {
		was := at[a.Name]
		half := experiment.AxisValue{Number: math.Floor(was.Number / 2)}
		if _, err := a.ParseAll(half.String()); was.Name != "" || half.Number < 1 || err != nil {
			continue
		}
		at[a.Name] = half
		smaller := experiment.NewCell(c.Experiment, at)
		smaller.Shared, smaller.Units = c.Shared, c.Units
		if smaller.Refuse(false) == nil && blockCost(smaller) < blockCost(c) {
			return smaller, true
		}
		at[a.Name] = was
	}
	return c, false
}

const (
	rangeTime = time.Millisecond // of a range of blocks, unless a single one takes longer
	// slowBlockTime is the time of a first block from which on there is no second one: filling the
	// caches is then a small part of it.
	slowBlockTime = 5 * time.Millisecond
	// maxMeasureLevel makes ranges of 2^6 blocks at most, as long as those that a run hands out.
	maxMeasureLevel = 6
)

// measureBlockTime returns the time of one block, measured in a range of blocks as a run samples
// them, since some work is done once for each range. A first block fills the caches.
func measureBlockTime(c experiment.Cell) time.Duration {
	c.SetPilot(moments.Node{}) // nothing, which takes no time
	var d experiment.Drawer
	d.Open(0, 0, c)
	first := timeBlocks(&d, moments.BlockRange{})
	if first > slowBlockTime {
		return first
	}
	level := 0
	for level < maxMeasureLevel && first<<(level+1) <= rangeTime {
		level++
	}
	return max(timeBlocks(&d, moments.BlockRange{Level: level, Index: 1})>>level, 1)
}

// timeBlocks returns the time of a range of blocks.
func timeBlocks(d *experiment.Drawer, at moments.BlockRange) time.Duration {
	begun := time.Now()
	d.Draw(context.Background(), at)
	return time.Since(begun)
}
