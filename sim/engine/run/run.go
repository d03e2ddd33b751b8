// Package run samples the blocks that a schedule needs and a store of nodes lacks. The number of
// workers does not change the bits.
//
// [Sample] first samples the pilots of the cells that have one (pilots.go). Then it divides the
// missing blocks of each cell into dyadic ranges of some ten milliseconds, which workers take in
// turn; a range is merged before it enters the store, as the tree would merge it (worker.go). If a
// cell would have too many ranges they are longer, and a worker hands over parts of them. The store
// is flushed twice a second (recorder.go). [Origin] identifies the random bits of this program, so
// that its nodes never mix with those of another version (origin.go).
package run

import (
	"context"
	"math/bits"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/schedule"
)

// Options are settings of a run that do not change its results.
type Options struct {
	Workers  int
	Progress func(components float64) // called after each task, from several goroutines; may be nil
	// Keep makes the store flush and sync while the run samples, so that a killed process loses
	// less than a second of each worker's samples.
	Keep bool
}

// task is a dyadic range of blocks of one cell.
type task struct {
	job    *schedule.Job
	blocks moments.BlockRange
}

// Sample samples the blocks of the schedule that the store lacks and adds them to it. If ctx ends,
// it stops after the current block and returns the error of ctx; what was sampled is in the store
// and, with Keep, on the disk.
func Sample(ctx context.Context, s *schedule.Schedule, nodes *store.Store, opt Options) error {
	if !opt.Keep {
		return sampleMissing(ctx, s, nodes, opt)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stopRecorder := startRecorder(nodes, cancel)
	sampleErr := waitOrAbandon(ctx, func() error {
		err := sampleMissing(ctx, s, nodes, opt)
		if err == nil && s.RemainingCost(nodes) > 0 {
			// A compaction merged some of our nodes with another plan's. Sample again what is now
			// missing.
			err = sampleMissing(ctx, s, nodes, opt)
		}
		return err
	})
	flushErr := nodes.Flush() // before the disk is waited for: what is flushed outlives the process
	recordErr := waitOrAbandon(ctx, func() error {
		if err := stopRecorder(); err != nil {
			return err
		}
		return nodes.Sync()
	})
	// A failing disk cancels ctx, so the errors of the disk come first.
	switch {
	case flushErr != nil:
		return flushErr
	case recordErr != nil:
		return recordErr
	}
	return sampleErr
}

// shutdownGrace is how long a cancelled run waits for the blocks in progress, and for the disk.
const shutdownGrace = 300 * time.Millisecond

// waitOrAbandon returns do's error. If ctx ends and do has not returned within shutdownGrace, it
// returns the error of ctx and abandons the goroutine; the block in progress is lost.
func waitOrAbandon(ctx context.Context, do func() error) error {
	result := make(chan error, 1)
	go func() { result <- do() }()
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-result:
		return err
	case <-time.After(shutdownGrace):
		return ctx.Err()
	}
}

// sampleMissing is [Sample] without a recorder.
func sampleMissing(ctx context.Context, s *schedule.Schedule, nodes *store.Store, opt Options) error {
	if err := samplePilots(ctx, s, nodes, opt.Workers); err != nil {
		return err
	}
	tasks := &queue{jobs: s.Jobs, missing: func(job *schedule.Job) []moments.BlockRange {
		return nodes.Missing(job.Cell.StoreID(), job.First, job.End, taskLevel(job, opt.Workers))
	}}
	var workers errgroup.Group
	for range opt.Workers {
		w := worker{plan: s.Plan, tasks: tasks, nodes: nodes, progress: opt.Progress}
		workers.Go(func() error { return w.run(ctx) })
	}
	if err := workers.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// queue hands out the tasks of a schedule in order.
type queue struct {
	mu      sync.Mutex
	jobs    []schedule.Job
	missing func(*schedule.Job) []moments.BlockRange
	job     *schedule.Job
	ranges  []moments.BlockRange // the ranges of job that are not yet handed out
}

// next returns the next task; ok is false if none is left.
func (q *queue) next() (t task, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.ranges) == 0 {
		if len(q.jobs) == 0 {
			return task{}, false
		}
		q.job, q.jobs = &q.jobs[0], q.jobs[1:]
		q.ranges = q.missing(q.job)
	}
	blocks := q.ranges[0]
	q.ranges = q.ranges[1:]
	return task{q.job, blocks}, true
}

const (
	// taskComponents is the number of components of a task, which take some ten milliseconds.
	taskComponents = 1 << 25
	// windowedFactor lengthens tasks whose nodes have windows of fine bins, since merging such a
	// node takes milliseconds.
	windowedFactor = 16
	// maxTasks limits the tasks of one cell.
	maxTasks = 1 << 12
)

// taskLevel returns log₂ of the number of blocks of a task: some ten milliseconds of work, less if
// a worker would have nothing to do, and more if the cell would have more than maxTasks.
func taskLevel(job *schedule.Job, workers int) int {
	blocks := job.End - job.First
	level := min(defaultLevel(job), log2(blocks/int64(4*workers)))
	return max(level, log2(blocks/maxTasks))
}

// defaultLevel returns log₂ of the number of blocks that have taskComponents.
func defaultLevel(job *schedule.Job) int {
	components := float64(taskComponents)
	if job.Cell.Experiment.Sampler.HasFineBins {
		components *= windowedFactor
	}
	return log2(int64(components / job.Cost(1)))
}

// log2 returns ⌊log₂ n⌋, and 0 for n < 1.
func log2(n int64) int { return max(bits.Len64(uint64(max(n, 0)))-1, 0) }
