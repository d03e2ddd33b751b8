// Package run samples the blocks that a schedule needs and a store of nodes lacks. The number of
// workers does not change the bits.
//
// [Sample] first samples the pilots of the cells that have one (pilots.go). Then it divides the
// missing blocks of each cell into dyadic ranges, 2^level blocks from a multiple of 2^level on,
// which take some ten milliseconds each. Workers sample these ranges in order (worker.go). A worker
// merges the blocks of a range to one node, in the same way as the store's tree would, and adds the
// node to the store. If a cell would have too many ranges, they are longer, and a worker adds a
// node for each part of a range. The store is flushed twice a second (recorder.go). [Origin]
// identifies the random bits of this program, so that its nodes never mix with nodes of another
// version (origin.go).
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
	Progress func(components float64) // called after each node, from several goroutines; may be nil
	// Keep makes the store flush and sync while the run samples, so that a killed process loses
	// less than a second of each worker's samples.
	Keep bool
}

// task is a dyadic range of blocks of one cell.
type task struct {
	job    *schedule.Job
	blocks moments.BlockRange
}

// Sample samples the blocks of the schedule that the store lacks and adds them to the store. If ctx
// ends, it stops after the current block and returns the error of ctx. The blocks that were sampled
// before are in the store and, with Keep, on the disk.
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
			// A compaction of the store merged some nodes of this plan with nodes of another plan,
			// so that blocks are missing. Sample these again.
			err = sampleMissing(ctx, s, nodes, opt)
		}
		return err
	})
	flushErr := nodes.Flush() // first, since flushed nodes survive the end of the process before a sync
	recordErr := waitOrAbandon(ctx, func() error {
		if err := stopRecorder(); err != nil {
			return err
		}
		return nodes.Sync()
	})
	// A failing disk cancels ctx, so that the errors of the disk are the cause of sampleErr.
	switch {
	case flushErr != nil:
		return flushErr
	case recordErr != nil:
		return recordErr
	}
	return sampleErr
}

// shutdownGrace is the time that a cancelled run waits for the blocks in progress, and for the
// disk.
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

// sampleMissing does the work of [Sample] without a recorder.
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

// queue holds the tasks of a schedule that no worker has taken yet.
type queue struct {
	mu      sync.Mutex
	jobs    []schedule.Job
	missing func(*schedule.Job) []moments.BlockRange // returns the missing ranges of a job
	job     *schedule.Job
	ranges  []moments.BlockRange // ranges of job that next has not returned yet
}

// next takes the next task from the queue. ok is false if no task is left.
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
	// taskComponents is the usual number of components of a task. Sampling them takes some ten
	// milliseconds.
	taskComponents = 1 << 25
	// windowedFactor is how much longer tasks are if their nodes have windows of fine bins, since
	// merging such a node takes milliseconds.
	windowedFactor = 16
	// maxTasks limits the number of tasks of one cell.
	maxTasks = 1 << 12
)

// taskLevel returns log₂ of the number of blocks of a task. A task has some ten milliseconds of
// work. It has fewer blocks if there would be fewer than tasksPerWorker tasks for each worker, and
// more if the cell would have more than about maxTasks tasks.
func taskLevel(job *schedule.Job, workers int) int {
	const tasksPerWorker = 4
	blocks := job.End - job.First
	level := min(defaultLevel(job), log2(blocks/int64(tasksPerWorker*workers)))
	return max(level, log2(blocks/maxTasks))
}

// defaultLevel returns log₂ of the number of blocks with taskComponents components, times
// windowedFactor if nodes have fine bins.
func defaultLevel(job *schedule.Job) int {
	components := float64(taskComponents)
	if job.Cell.Experiment.Sampler.HasFineBins {
		components *= windowedFactor
	}
	return log2(int64(components / job.Cost(1)))
}

// log2 returns ⌊log₂ n⌋, or 0 for n < 1.
func log2(n int64) int { return max(bits.Len64(uint64(max(n, 0)))-1, 0) }
