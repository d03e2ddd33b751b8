// Command bench sets mcsim beside other programs that do the same work: NumPy, PyTorch,
// gonum, and C at the limit of the processor. It runs in a source checkout, with what it
// finds there of these, some ten minutes:
//
//	go run ./cmd/bench -rounds 3
//
// All that is compared runs in turn, round by round, so that a change of the machine's speed
// meets all of it alike, and a ratio is taken within each round; medians and ranges of the
// rounds are reported, never a single time. docs/performance.md says what the numbers mean.
//
// How long the kernels take by themselves their own benchmarks tell, which go test -bench
// runs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"text/tabwriter"
	"time"

	"mcsim/sim/bench"
	"mcsim/sim/document"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/run"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
)

// interrupted is the exit code after a signal.
const interrupted = 130

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s := Setting{kernel: kernel.Names()[0], round: 4 * kernelRound, Measure: func(d, workers int, to float64) (seconds, relative float64, err error) {
		return measure(ctx, names.EstimatorGram, d, workers, to)
	}}
	flag.StringVar(&s.Folder, "peers", "cmd/bench/testdata/peers", "folder of the other programs")
	flag.IntVar(&s.Rounds, "rounds", 5, "rounds, each of all that is compared")
	flag.Float64Var(&s.Components, "components", 2e8, "components of one run of a whole program")
	flag.Parse()
	err := s.benchmark(ctx, os.Stdout)
	switch {
	case ctx.Err() != nil:
		os.Exit(interrupted)
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
}

// Dimension is the d_k at which laws and whole processes are timed.
const Dimension = 512

// Setting is what a comparison needs to know.
type Setting struct {
	Folder     string  // of the peers' programs
	Components float64 // that a whole process draws
	Rounds     int
	Measure    Measure // in this process

	kernel  string        // the fastest
	round   time.Duration // how long softmax and products run in one round
	temp    string        // folder of what is compiled
	program string        // mcsim itself
}

// benchmark builds mcsim, compares and prints; a signal ends the programs that run.
func (s Setting) benchmark(ctx context.Context, w io.Writer) (err error) {
	if err := s.check(flag.Args()); err != nil {
		return err
	}
	if s.temp, err = os.MkdirTemp("", "mcsim-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(s.temp)
	s.program = filepath.Join(s.temp, "mcsim")
	if said, err := command(ctx, "go", "build", "-o", s.program, "./cmd/mcsim").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, said)
	}
	all, err := s.sections(ctx)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s/%s, %d cores; d_k = %d, median of %d rounds [range]\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), Dimension, s.Rounds)
	for _, x := range all {
		x.print(t)
	}
	return t.Flush()
}

// print prints a section as a table.
func (x section) print(w io.Writer) {
	fmt.Fprintf(w, "\n%s\npeer\tat\tmcsim\tpeer\tratio\n", x.title)
	for _, r := range x.rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s×", r.peer, r.at, spread(r.ours), spread(r.theirs), spread(r.ratio))
		if x.second {
			fmt.Fprintf(w, "\t%s×", spread(r.second))
		}
		fmt.Fprintln(w)
	}
	for _, m := range x.missing {
		fmt.Fprintf(w, "not compared: %s\n", m)
	}
}

// spread is a median with its range.
func spread(x bench.Times) string {
	return fmt.Sprintf("%.3g [%.3g, %.3g]", x.Median, x.Min, x.Max)
}

// probe is the wall time of a probe of the normal law.
func (s Setting) probe(ctx context.Context, kernel string, workers, d int, samples float64) (float64, error) {
	c := command(ctx, s.program, "probe", "--d-k", strconv.Itoa(d), "--samples", strconv.FormatFloat(samples, 'f', 0, 64), "--workers", strconv.Itoa(workers))
	c.Env = append(os.Environ(), "MCSIM_KERNEL="+kernel)
	spent, _, err := seconds(c)
	return spent, err
}

// check refuses, before anything is measured, what would be refused later.
func (s Setting) check(rest []string) error {
	switch _, err := os.Stat(filepath.Join(s.Folder, "direct_numpy.py")); {
	case len(rest) > 0:
		return fmt.Errorf("takes no argument, but got %q", rest[0])
	case s.Rounds < 1 || s.Components < 1e6:
		return errors.New("it wants a round or more, and 1e6 components or more")
	case err != nil:
		return errors.New("run it in the folder of a source checkout: " + err.Error())
	}
	return nil
}

// measure draws the normal law to a relative standard error, and returns the seconds that
// took and the relative standard error of its Var(q·k).
func measure(ctx context.Context, estimator string, d, workers int, to float64) (seconds, relative float64, err error) {
	begun := time.Now()
	p, err := plan.Parse("bench", fmt.Appendf(nil, "experiments:\n  - {experiment: variance, law: normal, d_k: %d, estimator: %s, rel_se: %v, gate: false}\n", d, estimator, to))
	if err != nil {
		return 0, 0, err
	}
	s, err := schedule.New(p)
	if err != nil {
		return 0, 0, err
	}
	nodes := store.New(store.Origin{Seed: p.Seed})
	if err := run.Draw(ctx, s, nodes, run.Options{Workers: workers}); err != nil {
		return 0, 0, err
	}
	doc, err := document.Build(s, nodes)
	if err != nil {
		return 0, 0, err
	}
	seconds = time.Since(begun).Seconds()
	for _, r := range doc.Estimates {
		if r.Quantity == names.ScoreVariance {
			return seconds, float64(r.SE / r.Theory), nil
		}
	}
	return 0, 0, fmt.Errorf("at d_k = %d there is no %s", d, names.ScoreVariance)
}
