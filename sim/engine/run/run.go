// Package run draws what a schedule asks for and a store of nodes lacks, on any
// number of workers, with the same bits whatever their number.
//
// [Draw] first draws the pilots of the cells that have one (pilots.go). Then it parts the missing blocks of each cell
// into dyadic ranges of about a millisecond, which workers take in turn; a range is merged before it enters the
// store, as the tree would merge it (worker.go). Of cells that would have too many, ranges are longer, and a worker
// hands over their parts on the way; the store records what it has a few times a second (keep.go). [Origin] says
// which random bits this program draws, so that nodes of another never meet them (origin.go).
package run

import (
	"cmp"
	"context"
	"math/bits"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/schedule"
)

// Options of a run that cannot change its results.
type Options struct {
	Workers  int
	Progress func(components float64) // called after each task, from many goroutines; may be nil
	// Keep has the store record on the way what was drawn, so that the end of the program
	// costs no worker more than a second, and a loss of power little more.
	Keep bool
}

// task is a dyadic range of blocks of one cell.
type task struct {
	work  *schedule.Work
	place moments.Place
}

// Draw adds to the store the blocks of the schedule that it lacks. It stops
// between two blocks when the context ends, and then returns its error; what
// was drawn is in the store, and on the disk if it was to be kept.
func Draw(ctx context.Context, s *schedule.Schedule, into *store.Store, opt Options) error {
	if !opt.Keep {
		return drawn(ctx, s, into, opt)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	end := keep(into, cancel)
	err := soon(ctx, func() error {
		err := drawn(ctx, s, into, opt)
		if err == nil && s.Left(into) > 0 {
			// The file was written anew on the way, and nodes of the run merged with those of another
			// plan, of which this one wants a part alone.
			err = drawn(ctx, s, into, opt)
		}
		return err
	})
	if failed := into.Flush(); failed != nil { // what was flushed outlives the program
		return failed
	}
	return soon(ctx, func() error { return cmp.Or(end(), into.Sync(), err) })
}

// patience is how long a run that is to end waits for the blocks that are being drawn, and for the disk.
const patience = 300 * time.Millisecond

// soon is what do returns, and the error of the context where that takes much longer than the context lasts: what is
// drawn of a block that takes long is lost, as is the goroutine that draws it, until the program ends.
func soon(ctx context.Context, do func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- do() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		return ctx.Err()
	}
}

// drawn is Draw without recording.
func drawn(ctx context.Context, s *schedule.Schedule, into *store.Store, opt Options) error {
	if err := pilots(ctx, s, into, opt.Workers); err != nil {
		return err
	}
	tasks := &queue{works: s.Works, missing: func(w *schedule.Work) []moments.Place {
		return into.Missing(w.Cell.Key(), w.First, w.End, taskLevel(w, opt.Workers))
	}}
	var workers errgroup.Group
	for range opt.Workers {
		w := worker{plan: s.Plan, tasks: tasks, into: into, progress: opt.Progress}
		workers.Go(func() error { return w.work(ctx) })
	}
	return cmp.Or(workers.Wait(), ctx.Err())
}

// queue hands out the tasks of a schedule in order. Workers take from it by
// themselves: a goroutine that fed them would have to wake each time.
type queue struct {
	mu      sync.Mutex
	works   []schedule.Work
	missing func(*schedule.Work) []moments.Place
	work    *schedule.Work
	places  []moments.Place // of work, not yet handed out
}

// next is the next task, false if none is left.
func (q *queue) next() (task, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.places) == 0 {
		if len(q.works) == 0 {
			return task{}, false
		}
		q.work, q.works = &q.works[0], q.works[1:]
		q.places = q.missing(q.work)
	}
	place := q.places[0]
	q.places = q.places[1:]
	return task{q.work, place}, true
}

const (
	taskComponents = 1 << 25 // some ten milliseconds of work
	windowedTimes  = 16      // as long are those whose nodes have windows: to merge one takes milliseconds
	maxTasks       = 1 << 12 // of one cell
)

// taskLevel is how many blocks a task takes, as a power of two: about a
// millisecond's worth, fewer if some worker would have nothing to do, more if
// the tasks would be too many.
func taskLevel(w *schedule.Work, workers int) int {
	blocks := w.End - w.First
	level := min(usualLevel(w), log2(blocks/int64(4*workers)))
	return max(level, log2(blocks/maxTasks))
}

// usualLevel is how many blocks have taskComponents, as a power of two.
func usualLevel(w *schedule.Work) int {
	components := float64(taskComponents)
	if w.Cell.Experiment.Sampler.HasFineBins {
		components *= windowedTimes
	}
	return log2(int64(components / w.Cost(1)))
}

// log2 is ⌊log₂ n⌋, 0 for n < 1.
func log2(n int64) int { return max(bits.Len64(uint64(max(n, 0)))-1, 0) }
