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
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"mcsim/sim/document"
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
	asJSON := flag.Bool("json", false, "print JSON")
	s := Setting{Measure: func(d, workers int, to float64) (seconds, relative float64, err error) {
		return measure(ctx, names.EstimatorGram, d, workers, to)
	}}
	flag.StringVar(&s.Folder, "peers", "cmd/bench/testdata/peers", "folder of the other programs")
	flag.IntVar(&s.Rounds, "rounds", 5, "rounds, each of all that is compared")
	flag.Float64Var(&s.Components, "components", 2e8, "components of one run of a whole program")
	flag.Parse()
	err := benchmark(ctx, os.Stdout, s, *asJSON)
	switch {
	case ctx.Err() != nil:
		os.Exit(interrupted)
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
}

// benchmark builds mcsim, compares and prints; a signal ends the programs that run.
func benchmark(ctx context.Context, w io.Writer, s Setting, asJSON bool) error {
	if err := s.check(flag.Args()); err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "mcsim-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	s.Program = filepath.Join(temp, "mcsim")
	if said, err := exec.CommandContext(ctx, "go", "build", "-o", s.Program, "./cmd/mcsim").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, said)
	}
	doc, err := Compare(ctx, s)
	switch {
	case err != nil:
		return err
	case asJSON:
		return json.NewEncoder(w).Encode(doc)
	}
	return printed(w, doc)
}

// check refuses, before anything is measured, what would be refused later.
func (s Setting) check(rest []string) error {
	switch _, err := os.Stat(filepath.Join(s.Folder, "direct_numpy.py")); {
	case len(rest) > 0:
		return fmt.Errorf("takes no argument, but got %q", rest[0])
	case s.Rounds < 1 || s.Rounds > 100:
		return fmt.Errorf("-rounds: %d is not in 1..100", s.Rounds)
	case !(s.Components >= 1e6 && s.Components <= 1e12):
		return fmt.Errorf("-components: %v is not in 1e6..1e12", s.Components)
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
