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

// HasPilot reports whether the cell has a bin pilot.
func (c Cell) HasPilot() bool { return c.Experiment.Sampler.Pilot != nil }

// PilotStoreID returns the id of the bin pilot's node in a store.
func (c Cell) PilotStoreID() store.CellID { return c.StoreID().Pilot() }

// SetPilot sets the result of the bin pilot, so that it is sampled only once.
func (c *Cell) SetPilot(n moments.Node) { c.pilotNode = &n }

// Pilot returns the result of the bin pilot. Unless SetPilot was called, it samples the pilot each
// time.
func (c Cell) Pilot() moments.Node {
	if c.pilotNode != nil {
		return *c.pilotNode
	}
	n, _ := c.SamplePilot(context.Background())
	return n
}

// Pilot says how a bin pilot is sampled.
type Pilot struct {
	Units     int64                           // minimum; it is rounded up to whole blocks
	Block     BlockFunc                       // samples one block
	Summarise func(moments.Node) moments.Node // reduces the merged node to the result of the pilot
}

// NewPilot returns the bin pilot of cells whose blocks need no pilot; its result is the merged node
// of the given number of units.
func NewPilot(units int64) func(Cell) Pilot {
	return func(c Cell) Pilot {
		return Pilot{units, c.Experiment.Sampler.Open(c), func(n moments.Node) moments.Node { return n }}
	}
}

// SamplePilot samples the bin pilot of the cell from a stream that has the name of its store ID and
// does not depend on the seed. It returns false if ctx ended first.
func (c Cell) SamplePilot(ctx context.Context) (n moments.Node, ok bool) {
	pilot, pilotStream := c.Experiment.Sampler.Pilot(c), stream.Open(stream.ID{Cell: c.PilotStoreID().ID})
	var d BlockStream
	for block := int64(0); block*c.BlockUnits() < pilot.Units; block++ {
		if ctx.Err() != nil {
			return n, false
		}
		d.Begin(pilotStream, block)
		if node := pilot.Block(&d); block == 0 {
			n = node
		} else {
			n = moments.MergeNodes(n, node)
		}
	}
	return pilot.Summarise(n), true
}

// PilotMean is the prediction of a pilot about a mean over many numbers.
type PilotMean struct {
	Degenerate bool // the numbers differ by rounding only
	// ErrorOfError is the relative error of the mean's own standard error: infinite if that error
	// does not exist, NaN if the standard error does not.
	ErrorOfError float64
}

// Rounding is the relative standard error below which the common rounding of float32 sums is not
// negligible. It was found to shift means of nearly uniform weights by up to 4·10⁻¹⁰.
const Rounding = 1e-9

// NewPilotMean predicts the mean of n numbers from the numbers of a pilot.
func NewPilotMean(pilot moments.Moments, n int64) PilotMean {
	se := math.Sqrt(max(pilot.Variance(), 0) / float64(n))
	return PilotMean{se <= float64(math.Abs(pilot.Mean)*Rounding), ErrorOfMeanError(pilot.Standardised(4), n)}
}

// MaxReportedErrorOfError is the largest relative error of a standard error that is reported. For a
// mean that one number of n dominates it is 50 %.
const MaxReportedErrorOfError = 0.3

// AddWithSampleError adds an estimate whose standard error comes from the sample itself. It has an
// interval if the relative error of the standard error, by the pilot's prediction m, is at most
// limit.
func (f *CellEstimates) AddWithSampleError(r result.Estimate, m PilotMean, limit float64) {
	addWithoutSE := func(why string) {
		r.SE = result.Absent()
		f.AddWithoutInterval(r, why)
	}
	switch e := m.ErrorOfError; {
	case m.Degenerate:
		addWithoutSE("no error: no two numbers of the pilot differ by more than the rounding of float32")
	case math.IsNaN(e):
		addWithoutSE("its standard error does not exist: a moment that it needs is infinite")
	case math.IsInf(e, 1):
		f.AddWithoutInterval(r, "no interval: the error of its standard error does not exist")
	case e > MaxReportedErrorOfError:
		addWithoutSE(fmt.Sprintf("no error: by the pilot it would be known to %.0f %% only", 100*e))
	case e > limit:
		f.AddWithoutInterval(r, fmt.Sprintf("no interval: by the pilot its standard error, which is its own, is known only "+
			"to %.1f %%; %.0f %% are needed", 100*e, 100*limit))
	default:
		f.Add(r, 0)
	}
}
