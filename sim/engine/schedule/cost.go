package schedule

import (
	"runtime"
	"slices"
	"time"

	"mcsim/sim/base/store"
	"mcsim/sim/statistics/quantile"
)

// maxLevel is a level for store.Missing that permits ranges of up to 2^62 blocks, so that it
// returns as few ranges as possible.
const maxLevel = 62

// remainingBlocks returns the number of blocks of the job that are still to be sampled.
func (j Job) remainingBlocks(nodes *store.Store) (blocks int64) {
	for _, p := range nodes.Missing(j.Cell.StoreID(), j.First, j.End, maxLevel) {
		blocks += p.Blocks()
	}
	return blocks
}

// RemainingCost returns the number of components that are still to be sampled; see Job.Cost.
func (s *Schedule) RemainingCost(nodes *store.Store) float64 {
	var cost float64
	for _, job := range s.Jobs {
		cost += job.Cost(job.remainingBlocks(nodes))
	}
	return cost
}

// Components returns the number of products q_i·k_i that the schedule samples.
func (s *Schedule) Components() float64 {
	var components float64
	for _, job := range s.Jobs {
		components += job.Components()
	}
	return components
}

// Cores returns the number of workers that can run at the same time.
func Cores(workers int) int { return min(workers, runtime.NumCPU()) }

// seconds returns the time that one worker needs for a number of blocks, plus the pilot if
// withPilot is true.
func (j Job) seconds(speeds speedTable, blocks int64, withPilot bool) float64 {
	if withPilot {
		blocks += j.pilotBlocks()
	}
	return float64(speeds[speedClassOf(*j.Cell)] * j.Cost(blocks))
}

// pilotBlocks returns the number of blocks of the bin pilot of a cell with fine bins. It returns 0
// for other cells, whose pilots are negligible.
func (j Job) pilotBlocks() int64 {
	if !j.Cell.Experiment.Sampler.HasFineBins {
		return 0
	}
	units := j.Cell.BlockUnits()
	return (quantile.PilotSize(j.Cell.Units) + units - 1) / units
}

// minSpeed is the number of components per second that every core reaches.
const minSpeed = 1e6

// Duration predicts the remaining sampling time; the result is false if it is at most minimum. If
// the cost alone shows this, no speed is measured.
func (s *Schedule) Duration(minimum time.Duration, nodes *store.Store, workers int) (time.Duration, bool) {
	workers = Cores(workers)
	if s.RemainingCost(nodes) < minSpeed*float64(workers)*minimum.Seconds() {
		return 0, false
	}
	jobs := slices.DeleteFunc(slices.Clone(s.Jobs), func(job Job) bool { return job.remainingBlocks(nodes) == 0 })
	speeds, seconds := measureSpeeds(jobs, workers), 0.0
	for _, job := range jobs {
		withPilot := len(nodes.Missing(job.Cell.PilotStoreID(), 0, 1, 0)) > 0
		seconds += job.seconds(speeds, job.remainingBlocks(nodes), withPilot)
	}
	duration := ToDuration(seconds / float64(workers))
	return duration, duration > minimum
}

// ToDuration converts seconds to a Duration. A longer time than a Duration can have becomes 2⁶² ns.
func ToDuration(seconds float64) time.Duration {
	return time.Duration(min(seconds*float64(time.Second), float64(1<<62)))
}
