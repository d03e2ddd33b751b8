package sim

import (
	"context"
	"crypto/sha256"
	"math/bits"
	"sync"

	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/moments"
	"mcsim/sim/store"
	"mcsim/sim/stream"
)

// Options of a run that cannot change its results.
type Options struct {
	Workers  int
	Progress func(components float64) // called after each task, from many goroutines; may be nil
}

// task is a dyadic range of blocks of one cell.
type task struct {
	work  *Work
	place moments.Place
}

// Run adds to the store the blocks of the schedule that it lacks. It stops
// between two blocks when the context ends, and then returns its error; what
// was drawn is in the store.
func Run(ctx context.Context, s *Schedule, into *store.Store, opt Options) error {
	tasks := &queue{works: s.Works, missing: func(w *Work) []moments.Place {
		return into.Missing(w.Cell.Key(), w.Blocks, w.Cell.Experiment.BlockUnits(w.Cell), w.taskLevel(opt.Workers))
	}}
	var group sync.WaitGroup
	errs := make(chan error, opt.Workers)
	for range opt.Workers {
		group.Go(func() { errs <- work(ctx, s.Plan, tasks, into, opt.Progress) })
	}
	group.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// queue hands out the tasks of a schedule in order. Workers take from it by
// themselves: a goroutine that fed them would have to wake each time.
type queue struct {
	mu      sync.Mutex
	works   []Work
	missing func(*Work) []moments.Place
	work    *Work
	places  []moments.Place // of work, not yet handed out
}

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
	taskComponents = 1 << 19 // about a millisecond of work
	maxTasks       = 1 << 12 // of one cell
)

// taskLevel is how many blocks a task takes, as a power of two: about a
// millisecond's worth, fewer if some worker would have nothing to do, more if
// the tasks would be too many.
func (w *Work) taskLevel(workers int) int {
	perBlock := float64(w.Cell.Experiment.BlockUnits(w.Cell)) * w.Cell.Experiment.Cost(w.Cell)
	level := log2(int64(taskComponents / perBlock))
	level = min(level, log2(w.Blocks/int64(4*workers)))
	return max(level, log2(w.Blocks/maxTasks))
}

// log2 is ⌊log₂ n⌋, 0 for n < 1.
func log2(n int64) int { return max(bits.Len64(uint64(max(n, 0)))-1, 0) }

// work draws tasks until there are none.
func work(ctx context.Context, p *Plan, tasks *queue, into *store.Store, progress func(float64)) error {
	var d drawer
	for t, ok := tasks.next(); ok; t, ok = tasks.next() {
		d.open(p, t.work.Cell)
		node, ok := d.draw(ctx, t.place)
		if !ok {
			return nil
		}
		if err := into.Add(t.work.Cell.Key(), t.place, node); err != nil {
			return err
		}
		if progress != nil {
			progress(t.work.Components() * float64(t.place.Blocks()) / float64(t.work.Blocks))
		}
	}
	return nil
}

// drawer is one worker's hold on a cell.
type drawer struct {
	id     string
	stream stream.Cell
	block  experiment.Block
	draws  experiment.Draw
}

func (d *drawer) open(p *Plan, c experiment.Cell) {
	if d.id == c.ID && d.block != nil {
		return
	}
	d.id, d.block = c.ID, c.Experiment.Open(c)
	d.stream = stream.Open(stream.Key{Seed: p.Seed, Cell: c.ID, Attempt: uint64(p.Attempt)})
}

// draw draws the blocks of a place and merges them as the tree does. It is
// false if the context ended first.
func (d *drawer) draw(ctx context.Context, at moments.Place) (moments.Node, bool) {
	if at.Level > 0 {
		half := at.Level - 1
		left, okLeft := d.draw(ctx, moments.Place{Level: half, Index: 2 * at.Index})
		if !okLeft {
			return moments.Node{}, false
		}
		right, okRight := d.draw(ctx, moments.Place{Level: half, Index: 2*at.Index + 1})
		if !okRight {
			return moments.Node{}, false
		}
		return moments.MergeNodes(left, right), true
	}
	if ctx.Err() != nil {
		return moments.Node{}, false
	}
	d.draws.Begin(d.stream, at.Index)
	return d.block(&d.draws), true
}

// pilotBlocks is how much is drawn to learn an unknown error.
const pilotBlocks = 64

// pilot estimates N times the squared relative error of the cell's first
// estimate of non-zero theory or none, from a stream of its own.
func pilot(c experiment.Cell) float64 {
	own := c
	own.ID = "pilot/" + c.ID
	var d drawer
	d.open(&Plan{}, own)
	node, _ := d.draw(context.Background(), moments.Place{Level: log2(pilotBlocks)})
	for _, r := range c.Experiment.Rows(c, node).Rows {
		if r.Quantity == c.Experiment.Headline {
			relative := float64(r.SE / r.Value)
			return float64(r.N) * relative * relative
		}
	}
	panic("sim: an experiment lacks its headline estimate")
}

// Origin says which random bits a run of this program draws for the plan.
// It includes a fingerprint of one small block of every experiment and name of
// its axes, so that a change of the bits, or of what a node keeps, is
// noticed even where no version was raised.
func Origin(p *Plan) store.Origin {
	h := sha256.New()
	for _, e := range experiment.Table {
		if e.Of != "" {
			continue
		}
		for _, c := range specimens(e) {
			var d drawer
			d.open(&Plan{Seed: p.Seed}, c)
			node, _ := d.draw(context.Background(), moments.Place{})
			h.Write(moments.AppendNode(nil, node))
		}
	}
	return store.Origin{Kernel: kernel.Version, Seed: p.Seed, Attempt: uint64(p.Attempt), Probe: [32]byte(h.Sum(nil))}
}

// specimens are cells of an experiment, one for each name of each axis that has
// names, at the probe's values of the others.
func specimens(e *experiment.Experiment) []experiment.Cell {
	var cells []experiment.Cell
	seen := map[string]bool{}
	for i := range e.Axes {
		named := &e.Axes[i]
		if named.Shared || named.Names == nil {
			continue
		}
		for _, name := range named.Names() {
			c := experiment.NewCell(e, probed(e, named, name))
			if !seen[c.ID] && e.Refuse(c, false) == nil {
				seen[c.ID] = true
				cells = append(cells, c)
			}
		}
	}
	return cells
}

// probed is the point of a probe, but for one axis.
func probed(e *experiment.Experiment, except *experiment.Axis, value string) map[string]experiment.Value {
	at := map[string]experiment.Value{}
	for i := range e.Axes {
		a := &e.Axes[i]
		text := a.Probe
		if a == except {
			text = value
		}
		if a.Shared {
			continue
		}
		v, err := a.ParseAll(text)
		if err != nil {
			panic("sim: an axis does not parse its own values")
		}
		at[a.Name] = v[0]
	}
	return at
}
