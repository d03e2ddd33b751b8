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

// HasPilot reports whether the cell has a bin pilot (see [Sampler]).
func (c Cell) HasPilot() bool { return c.Experiment.Sampler.Pilot != nil }

// PilotStoreID returns the id of the bin pilot's node in a store.
func (c Cell) PilotStoreID() store.CellID { return c.StoreID().Pilot() }

// SetPilot sets the result of the bin pilot, so that Pilot does not sample it again.
func (c *Cell) SetPilot(n moments.Node) { c.pilotNode = &n }

// Pilot returns the result of the bin pilot that SetPilot has set. If SetPilot was not called, each
// call samples the pilot.
func (c Cell) Pilot() moments.Node {
	if c.pilotNode != nil {
		return *c.pilotNode
	}
	n, _ := c.SamplePilot(context.Background()) // the context does not end, so it is complete
	return n
}

// Pilot defines how a bin pilot is sampled.
type Pilot struct {
	Units     int64                           // number of units, which is rounded up to whole blocks
	Block     BlockFunc                       // samples one block
	Summarise func(moments.Node) moments.Node // reduces the merged node to the result of the pilot
}

// NewPilot returns a function for [Sampler.Pilot] whose bin pilot samples the given number of units
// by Sampler.Open. Its result is the merged node of these units. Sampler.Open must not need a
// pilot.
func NewPilot(units int64) func(Cell) Pilot {
	return func(c Cell) Pilot {
		return Pilot{
			Units:     units,
			Block:     c.Experiment.Sampler.Open(c),
			Summarise: func(n moments.Node) moments.Node { return n },
		}
	}
}

// SamplePilot samples the bin pilot of the cell and returns its result. The random stream is named
// by the pilot's store ID and does not depend on the seed. ok is false if ctx ended first.
func (c Cell) SamplePilot(ctx context.Context) (n moments.Node, ok bool) {
	pilot := c.Experiment.Sampler.Pilot(c)
	pilotStream := stream.Open(stream.ID{Cell: c.PilotStoreID().ID})
	var blockStream BlockStream
	for block := int64(0); block*c.BlockUnits() < pilot.Units; block++ {
		if ctx.Err() != nil {
			return n, false
		}
		blockStream.Begin(pilotStream, block)
		node := pilot.Block(&blockStream)
		if block == 0 {
			n = node
		} else {
			n = moments.MergeNodes(n, node)
		}
	}
	return pilot.Summarise(n), true
}

// PilotMean is what a pilot predicts about the mean of many numbers.
type PilotMean struct {
	Degenerate bool // the numbers differ by rounding only
	// ErrorOfError is the relative error of a standard error that is computed from the numbers
	// themselves. It is NaN if the standard error does not exist, and infinite if only its error
	// does not exist.
	ErrorOfError float64
}

// roundingSE is the relative standard error below which the rounding of float32 sums is not
// negligible. This rounding is the same in many sums: it shifts the means of nearly uniform weights
// by up to 4·10⁻¹⁰ (measured).
const roundingSE = 1e-9

// NewPilotMean predicts the mean of n numbers from the numbers of a pilot.
func NewPilotMean(pilot moments.Moments, n int64) PilotMean {
	se := math.Sqrt(max(pilot.Variance(), 0) / float64(n))
	return PilotMean{
		Degenerate:   se <= float64(math.Abs(pilot.Mean)*roundingSE),
		ErrorOfError: ErrorOfMeanError(pilot.Standardised(4), n),
	}
}

// MaxReportedErrorOfError is the largest relative error with which a standard error is reported. If
// one of the numbers dominates a mean, the standard error of the mean has the relative error 50 %.
const MaxReportedErrorOfError = 0.3

// AddWithSampleError adds an estimate whose standard error comes from the sample itself. m is the
// pilot's prediction. The estimate has an interval if the predicted relative error of its standard
// error is at most limit, and otherwise a warning.
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
		f.AddWithoutInterval(r, fmt.Sprintf("no interval: by the pilot its standard error, which is its own, is "+
			"known only to %.1f %%; %.0f %% are needed", 100*e, 100*limit))
	default:
		f.Add(r, 0)
	}
}
