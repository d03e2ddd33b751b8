package experiment

import (
	"context"
	"fmt"
	"math"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/base/stream"
	"mcsim/sim/result"
)

// HasPilot reports whether the cell has a bin pilot, to learn from before it is sampled.
func (c Cell) HasPilot() bool { return c.Experiment.Sampler.Pilot != nil }

// PilotStoreID returns the key that the node of the bin pilot is stored under.
func (c Cell) PilotStoreID() store.CellID { return c.StoreID().Pilot() }

// SetPilot gives the cell what its bin pilot taught, so that it is sampled once.
func (c *Cell) SetPilot(n moments.Node) { c.pilot = &n }

// Pilot returns what the bin pilot of the cell taught. Until it is given by Learn it is sampled each time.
func (c Cell) Pilot() moments.Node {
	if c.pilot != nil {
		return *c.pilot
	}
	n, _ := c.SamplePilot(context.Background())
	return n
}

// Pilot says how a bin pilot is sampled.
type Pilot struct {
	Units     int64                           // at least; it has whole blocks
	Block     Block                           // samples one block
	Summarise func(moments.Node) moments.Node // returns what the merged node teaches
}

// NewPilot returns the bin pilot of cells whose blocks need none: the given number of units, merged.
func NewPilot(units int64) func(Cell) Pilot {
	return func(c Cell) Pilot {
		return Pilot{units, c.Experiment.Sampler.Open(c), func(n moments.Node) moments.Node { return n }}
	}
}

// SamplePilot samples the bin pilot of the cell, from the stream that has the name of its key, without a
// seed. It is false if the context ended first.
func (c Cell) SamplePilot(ctx context.Context) (n moments.Node, ok bool) {
	pilot, own := c.Experiment.Sampler.Pilot(c), stream.Open(stream.ID{Cell: c.PilotStoreID().ID})
	var d Draw
	for block := int64(0); block*c.BlockUnits() < pilot.Units; block++ {
		if ctx.Err() != nil {
			return n, false
		}
		d.Begin(own, block)
		if more := pilot.Block(&d); block == 0 {
			n = more
		} else {
			n = moments.MergeNodes(n, more)
		}
	}
	return pilot.Summarise(n), true
}

// Mean is what a pilot says beforehand of a mean over many numbers.
type Mean struct {
	Degenerate bool // the numbers differ by rounding only
	// ErrorOfError is the relative error of the mean's own standard error: infinite if that error does
	// not exist, NaN if the standard error does not.
	ErrorOfError float64
}

// Rounding is the relative error below which the rounding of float32 sums, which all
// numbers may have in common, is not small against it: it was found to move means of
// nearly uniform weights by up to 4·10⁻¹⁰.
const Rounding = 1e-9

// MeanOf returns what a pilot's numbers say of the mean of n others.
func MeanOf(pilot moments.Moments, n int64) Mean {
	se := math.Sqrt(max(pilot.Variance(), 0) / float64(n))
	return Mean{se <= float64(math.Abs(pilot.Mean)*Rounding), ErrorOfMeanError(pilot.Standardised(4), n)}
}

// UselessError is the relative error of a standard error above which that is not given
// at all: a mean that one number of n makes has one known to 50 %.
const UselessError = 0.3

// AddWithSampleError adds an estimate whose standard error is the sample's own, with an interval if
// by what its pilot said that error is known to the limit, relatively.
func (f *CellEstimates) AddWithSampleError(r result.Estimate, m Mean, limit float64) {
	without := func(why string) {
		r.SE = result.Absent()
		f.AddWithout(r, why)
	}
	switch e := m.ErrorOfError; {
	case m.Degenerate:
		without("no error: no two numbers of the pilot differ by more than the rounding of float32")
	case math.IsNaN(e):
		without("its standard error does not exist: a moment that it needs is infinite")
	case math.IsInf(e, 1):
		f.AddWithout(r, "no interval: the error of its standard error does not exist")
	case e > UselessError:
		without(fmt.Sprintf("no error: by the pilot it would be known to %.0f %% only", 100*e))
	case e > limit:
		f.AddWithout(r, fmt.Sprintf("no interval: by the pilot its standard error, which is its own, is known only "+
			"to %.1f %%; %.0f %% are needed", 100*e, 100*limit))
	default:
		f.Add(r, 0)
	}
}
