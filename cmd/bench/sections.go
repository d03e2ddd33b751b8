package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"mcsim/sim/attention"
	"mcsim/sim/bench"
	"mcsim/sim/kernel"
	"mcsim/sim/law"
	"mcsim/sim/stream"
)

// kernelRound is how long one law runs in one round, softmax and products four times
// as long.
const kernelRound = 30 * time.Millisecond

// section is a table of what is printed: mcsim and peers in turn.
type section struct {
	title   string
	second  bool // whether the second ratio is shown
	rows    []row
	missing []string
}

// sections compare mcsim with all peers that can run here.
func (s Setting) sections(ctx context.Context) (all []section, err error) {
	for _, compare := range []func(context.Context) (section, error){s.processes, s.laws, s.softmax, s.products, s.precision} {
		found, err := compare(ctx)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		all = append(all, found)
	}
	return all, nil
}

// play adds what mcsim and some peers took in turn.
func (x *section) play(ctx context.Context, s Setting, at string, peers []program, ours func(program) (round, error)) error {
	rows, missing, err := inTurn(ctx, peers, s.Rounds, ours)
	for _, r := range rows {
		r.at = at
		x.rows = append(x.rows, r)
	}
	for _, why := range missing {
		x.missing = append(x.missing, at+" "+why)
	}
	return err
}

// work is a round of a run in this process.
func work(run func() float64) func(program) (round, error) {
	return func(program) (round, error) { return round{work: run()}, nil }
}

// processes compares whole processes on the normal law.
func (s Setting) processes(ctx context.Context) (section, error) {
	x := section{title: fmt.Sprintf("whole processes in turn, %.2g components of the law normal, seconds;\nthe second ratio is without the start of the peer", s.Components), second: true}
	peers, missing := s.wholePeers(ctx, s.temp, kernel.Names())
	x.missing = missing
	for _, p := range peers {
		at := fmt.Sprintf("%s, workers: %d", p.kernel, p.workers)
		if err := x.play(ctx, s, at, []program{p}, func(p program) (round, error) {
			spent, err := s.probe(ctx, p.kernel, p.workers, Dimension, s.Components/Dimension)
			return round{work: spent}, err
		}); err != nil {
			return x, err
		}
	}
	return x, nil
}

// laws compares one worker's kernel with NumPy's draws of the same laws, of which it may
// lack some.
func (s Setting) laws(ctx context.Context) (section, error) {
	x := section{title: "one worker against NumPy float64 in one process, ns per component without start-up"}
	python, ok := pythonWith(ctx, "numpy")
	if !ok {
		return x, nil
	}
	for _, l := range law.Usual() {
		p := s.numpyDirect("NumPy", python, l.Name(), Dimension, "1", "float64")
		p.count = s.Components / 20
		p.scale = 1e9 / p.count
		if err := x.play(ctx, s, l.String(), []program{p}, work(lawRun(l, s.kernel, kernelRound))); err != nil {
			return x, err
		}
	}
	return x, nil
}

// softmax compares the fastest kernel on one core.
func (s Setting) softmax(ctx context.Context) (section, error) {
	x := section{title: "softmax on one core in turn, ns per score"}
	for _, keys := range softmaxKeys {
		peers, missing := s.softmaxPeers(ctx, keys)
		x.missing = append(x.missing, missing...)
		if err := x.play(ctx, s, fmt.Sprintf("%d keys", keys), peers, work(softmaxRun(s.kernel, keys, s.round))); err != nil {
			return x, err
		}
	}
	return x, nil
}

// products sets a kernel beside NumPy's product of the same matrices.
func (s Setting) products(ctx context.Context) (section, error) {
	x := section{title: "products on one core in turn, GFLOP/s"}
	python, ok := pythonWith(ctx, "numpy")
	if !ok {
		return x, nil
	}
	const repeat = 400
	const billions = 2e-9 * productSide * productSide * productChunk * repeat
	p := program{name: "NumPy float32 (its BLAS)", scale: 1 / billions, command: []string{python, filepath.Join(s.Folder, "products_numpy.py"),
		strconv.Itoa(productSide), strconv.Itoa(productChunk), strconv.Itoa(repeat)}}
	run := productRun(s.kernel, s.round)
	// seconds for 10⁹ operations, of which the inverse is shown
	err := x.play(ctx, s, s.kernel, []program{p}, work(func() float64 { return 1 / run() }))
	for i, r := range x.rows {
		x.rows[i].ours, x.rows[i].theirs = r.ours.Inverse(), r.theirs.Inverse()
	}
	return x, err
}

// precision times the Gram estimator with two workers, as many threads as peers have.
func (s Setting) precision(ctx context.Context) (section, error) {
	const workers = 2
	x := section{title: "Var(q·k) to 0.1 % by gram, two workers, seconds without start-up;\nthe second ratio is with the start of mcsim alone", second: true}
	for _, d := range []int{64, 512, 4096} {
		peers, missing := s.precisionPeers(ctx, d)
		x.missing = append(x.missing, missing...)
		if err := x.play(ctx, s, fmt.Sprintf("d_k = %d", d), peers, func(program) (round, error) {
			work, err := s.Measure.toTarget(d, workers)
			if err != nil {
				return round{}, err
			}
			start, err := s.probe(ctx, s.kernel, workers, 1, 16)
			return round{work, start}, err
		}); err != nil {
			return x, err
		}
	}
	return x, nil
}

// Measure takes Var(q·k) of the normal law by the Gram estimator, to about the
// given relative standard error, and returns the seconds that took, and the
// relative standard error that came out.
type Measure func(d, workers int, to float64) (seconds, relative float64, err error)

// target is the relative standard error that all is brought to.
const target = 1e-3

// toTarget is the seconds to the target. A run to another error counts as often
// as the square of the ratio says.
func (measure Measure) toTarget(d, workers int) (float64, error) {
	spent, relative, err := measure(d, workers, target)
	return spent * (relative / target) * (relative / target), err
}

// lawRun returns a run of about the given time, which gives the nanoseconds that
// a component took: one product q_i·k_i with the two variates that it takes.
func lawRun(l law.Law, name string, each time.Duration) func() float64 {
	pairs := kernel.PairsBy(name, l)
	var lanes stream.Lanes
	var scores [stream.Width]float32
	stream.Open(stream.Key{Cell: "bench"}).Block(&lanes, 0)
	return func() float64 {
		return perUnit(each, 8*stream.Width*Dimension, func() {
			for range 8 {
				pairs(&lanes, Dimension, &scores)
			}
		})
	}
}

// softmaxRun returns a run of about the given time on normal scores, which gives
// the nanoseconds that a score took for the greatest weight, the entropy, Σα² and
// ‖J‖_F of its row.
func softmaxRun(name string, keys int, each time.Duration) func() float64 {
	scores := make([][kernel.Width]float32, keys)
	bench.NormalRows(scores)
	by := kernel.RowsBy(name)
	var sums kernel.RowSums
	var rows [kernel.Width]attention.Row
	return func() float64 {
		return perUnit(each, float64(keys*kernel.Width), func() {
			by(scores, 1, &sums)
			attention.Rows(&sums, keys, &rows)
		})
	}
}

// A matrix of 384 queries by 384 keys, in chunks of 256 components, as the Gram
// estimator has from d_k = 4096 on.
const (
	productSide  = 384
	productChunk = 256
)

// productRun returns a run of about the given time, a column of tiles a step, which
// gives 10⁹ operations a second, a multiplication and an addition counted as two.
func productRun(name string, each time.Duration) func() float64 {
	products := kernel.ProductsBy(name)
	q := make([][kernel.Width]float32, productSide/kernel.Width*productChunk)
	k := make([][kernel.Width]float32, len(q))
	bench.NormalRows(q)
	bench.NormalRows(k)
	key := 0
	return func() float64 {
		const operations = 2 * productSide * kernel.TileKeys * productChunk
		return 1 / perUnit(each, operations, func() {
			var tile kernel.Tile
			var sums kernel.Sums
			for query := 0; query < productSide; query += kernel.TileQueries {
				panel := query / kernel.Width * productChunk
				products(q[panel:panel+productChunk], query%kernel.Width/kernel.TileQueries,
					k[key/kernel.Width*productChunk:], productChunk, &tile, true, true, &sums)
			}
			key = (key + kernel.TileKeys) % productSide
		})
	}
}

// perUnit is the nanoseconds that one of the units of a step took, in steps
// for about the given time.
func perUnit(each time.Duration, units float64, step func()) float64 {
	begun, steps := time.Now(), 0
	for time.Since(begun) < each {
		step()
		steps++
	}
	return float64(time.Since(begun).Nanoseconds()) / (units * float64(steps))
}
