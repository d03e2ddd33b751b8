package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/drawing"
	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/question"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/bench"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
)

type benchFlags struct {
	json   bool
	folder string
	rounds int
	count  flag.Number
}

func benchCommand() *cobra.Command {
	f := benchFlags{count: flag.Number{Value: 2e8, Text: "2e8"}}
	c := &cobra.Command{
		Use:   "bench",
		Short: "time mcsim beside NumPy, PyTorch, gonum and C",
		Long: `Run the NumPy, PyTorch, gonum and C programs of a source checkout in turn with
mcsim, some ten minutes, and print the ratios of their times: whole processes;
every law in nanoseconds per component (one product q_i·k_i, two variates);
softmax in nanoseconds per score; the products of the Gram estimator; and
Var(q·k) to 0.1 %. What is not installed is left out, and said.
docs/performance.md says what the numbers mean.`,
		Example: `  mcsim bench --rounds 3
  mcsim bench --json > bench.json`,
		Args:    flag.NoArguments,
		PreRunE: func(*cobra.Command, []string) error { return f.check() },
		RunE:    func(c *cobra.Command, _ []string) error { return f.run(c.Context(), c.OutOrStdout()) },
	}
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	c.Flags().StringVar(&f.folder, "peers-dir", "sim/testdata/peers", "folder of the peers")
	c.Flags().IntVar(&f.rounds, "rounds", 5, "rounds, each of all that is compared")
	c.Flags().Var(&f.count, "components", "components of one run of a peer")
	flag.OfferFolders(c.Flags(), "peers-dir")
	return c
}

// check refuses, before anything is measured, what would be refused later.
func (f *benchFlags) check() error {
	if f.rounds < 1 || f.rounds > 100 {
		return fmt.Errorf("--rounds: %d is not in 1..100", f.rounds)
	}
	if _, err := experiment.Integer(f.count.Text, 1e6, 1e12); err != nil {
		return fmt.Errorf("--components: %w", err)
	}
	if _, err := os.Stat(filepath.Join(f.folder, "direct_numpy.py")); err != nil {
		return fmt.Errorf("--peers-dir wants the folder sim/testdata/peers of a source checkout: %w", err)
	}
	return nil
}

// run compares; a signal ends the programs that run.
func (f *benchFlags) run(ctx context.Context, out io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	measure := func(d, workers int, to float64) (seconds, relative float64, err error) {
		return timedProbe(ctx, names.EstimatorGram, d, workers, to)
	}
	drawing.Tidying.Store(true)
	defer drawing.Tidying.Store(false)
	doc, err := bench.Compare(ctx, bench.Setting{Folder: f.folder, Program: self, Components: f.count.Value, Rounds: f.rounds, Measure: measure})
	switch {
	case err != nil:
		return err
	case f.json:
		return show.JSON(out, doc)
	}
	return show.Bench(out, doc)
}

// timedProbe runs a probe of the normal law to a relative standard error, and
// returns the seconds it took and the relative standard error of its Var(q·k).
func timedProbe(ctx context.Context, estimator string, d, workers int, to float64) (seconds, relative float64, err error) {
	begun := time.Now()
	f, flags := question.New()
	for name, value := range map[string]string{f.Flag(names.ParamEstimator): estimator, f.Flag(names.ParamDimension): strconv.Itoa(d),
		"rel-se": strconv.FormatFloat(to, 'g', -1, 64), "workers": strconv.Itoa(workers)} {
		if err := flags.Set(name, value); err != nil {
			return 0, 0, err
		}
	}
	doc, err := measure(ctx, f, io.Discard)
	if err != nil {
		return 0, 0, err
	}
	seconds = time.Since(begun).Seconds()
	for _, r := range doc.Estimates {
		if r.Quantity == names.ScoreVariance {
			return seconds, float64(r.SE / r.Theory), nil
		}
	}
	return 0, 0, fmt.Errorf("a probe at d_k = %d has no %s", d, names.ScoreVariance)
}
