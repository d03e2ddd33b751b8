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

// speedClass identifies cells with about the same time per component. They have the same experiment
// and distribution, and within a twentieth the same cost of a unit and number of units in a block.
type speedClass struct {
	experiment   *experiment.Experiment
	distribution string
	cost, units  int // logarithms, in 16ths of an octave
}

// speedClassOf returns the class of a cell.
func speedClassOf(c experiment.Cell) speedClass {
	const stepsPerOctave = 16
	step := func(x float64) int { return int(math.Floor(float64(stepsPerOctave * elementary.Log(x) / math.Ln2))) }
	return speedClass{c.Experiment, c.Value(names.ParamDistribution).Name, step(c.UnitCost()),
		step(float64(c.BlockUnits()))}
}

// speedTable maps a class of cells to the seconds that a worker needs for a component on this
// machine.
type speedTable map[speedClass]float64

// measureSpeeds measures the speed of each class of the jobs' cells. All workers measure at the
// same time, as in a run, since cores that share caches or a clock slow each other down.
func measureSpeeds(jobs []Job, workers int) speedTable {
	var cells []experiment.Cell // one of each class
	speeds := speedTable{}
	for _, job := range jobs {
		if k := speedClassOf(*job.Cell); speeds[k] == 0 {
			cells, speeds[k] = append(cells, *job.Cell), 1
		}
	}
	if len(cells) == 0 {
		return speeds
	}
	seconds := make([]float64, max(len(cells), workers)) // some cells repeat, so that no worker is idle
	var group errgroup.Group
	group.SetLimit(workers)
	for i := range seconds {
		group.Go(func() error {
			seconds[i] = measureComponentTime(cells[i%len(cells)])
			return nil
		})
	}
	_ = group.Wait() // no function returns an error
	for i, c := range cells {
		speeds[speedClassOf(c)] = seconds[i]
	}
	return speeds
}

const (
	// maxFirstComponents is a number of components that any kernel samples within milliseconds.
	maxFirstComponents = 1 << 18
	// minMeasureTime is the shortest time of a block that predicts the time of larger ones.
	minMeasureTime = 16 * time.Millisecond
)

// measureComponentTime returns the seconds that a component of the cell takes. It measures a block
// of a smaller cell first, then of larger ones, until one takes minMeasureTime.
func measureComponentTime(c experiment.Cell) float64 {
	var took time.Duration
	for _, c = range slices.Backward(smallerCells(c)) {
		took = measureBlockTime(c)
		if took > minMeasureTime {
			break
		}
	}
	return took.Seconds() / blockCost(c)
}

// smallerCells returns the cell and smaller ones like it, each with at most half the components of
// the one before.
func smallerCells(c experiment.Cell) []experiment.Cell {
	cells := []experiment.Cell{c}
	for half, ok := halveCell(c); ok && blockCost(cells[len(cells)-1]) > maxFirstComponents; half, ok = halveCell(half) {
		if blockCost(half) <= blockCost(cells[len(cells)-1])/2 {
			cells = append(cells, half)
		}
	}
	return cells
}

// halveCell halves the largest number among the cell's axes that can be halved. It returns false if
// there is none.
func halveCell(c experiment.Cell) (experiment.Cell, bool) {
	point, axes := map[string]experiment.AxisValue{}, slices.Clone(c.Experiment.Axes)
	axes = slices.DeleteFunc(axes, func(a experiment.Axis) bool { return a.Shared })
	for _, a := range axes {
		point[a.Name] = c.Value(a.Name)
	}
	// Try the largest sizes first.
	slices.SortStableFunc(axes, func(a, b experiment.Axis) int {
		return cmp.Compare(point[b.Name].Number, point[a.Name].Number)
	})
	for _, a := range axes {
		previous := point[a.Name]
		half := experiment.AxisValue{Number: math.Floor(previous.Number / 2)}
		if _, err := a.ParseAll(half.String()); previous.Name != "" || half.Number < 1 || err != nil {
			continue
		}
		point[a.Name] = half
		smaller := experiment.NewCell(c.Experiment, point)
		smaller.Shared, smaller.Units = c.Shared, c.Units
		if smaller.Refuse(false) == nil && blockCost(smaller) < blockCost(c) {
			return smaller, true
		}
		point[a.Name] = previous
	}
	return c, false
}

const (
	// rangeTime is the time that a measured range of blocks takes, unless one block takes longer.
	rangeTime = time.Millisecond
	// slowBlockTime is the time of a first block above which no second one is measured: filling the
	// caches is then a small part of the time.
	slowBlockTime = 5 * time.Millisecond
	// maxMeasureLevel limits the range to 2^6 blocks, the longest that a run gives to a worker.
	maxMeasureLevel = 6
)

// measureBlockTime returns the time of one block, measured in a range of blocks as a run samples
// them, since some work is done once for each range. A first block fills the caches.
func measureBlockTime(c experiment.Cell) time.Duration {
	c.SetPilot(moments.Node{}) // so that no pilot is sampled
	var d experiment.BlockSampler
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
func timeBlocks(d *experiment.BlockSampler, blocks moments.BlockRange) time.Duration {
	begun := time.Now()
	d.Sample(context.Background(), blocks)
	return time.Since(begun)
}
