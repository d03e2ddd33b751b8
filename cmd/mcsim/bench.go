package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"mcsim/sim/bench"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/law"
	"mcsim/sim/names"
)

// benchDocument is what bench prints as JSON.
type benchDocument struct {
	System         string                 `json:"system"`
	Cores          int                    `json:"cores"`
	Rounds         int                    `json:"rounds"`
	Kernels        []bench.Row            `json:"kernels"`
	Scaling        []bench.Scaling        `json:"scaling"`
	Softmax        []bench.SoftmaxRow     `json:"softmax"`
	Products       []bench.ProductRow     `json:"products"`
	Precision      []bench.Precision      `json:"precision"`
	Start          bench.Times            `json:"start_ms"`
	Laws           []bench.LawRatio       `json:"laws,omitempty"`
	Peers          []bench.Ratio          `json:"peers,omitempty"`
	SoftmaxPeers   []bench.SoftmaxRatio   `json:"softmax_peers,omitempty"`
	ProductPeers   []bench.ProductRatio   `json:"product_peers,omitempty"`
	PrecisionPeers []bench.PrecisionRatio `json:"precision_peers,omitempty"`
	Missing        []string               `json:"missing,omitempty"`
}

type benchFlags struct {
	json, peers bool
	folder      string
	rounds      int
	count       numberFlag
}

func benchCommand() *cobra.Command {
	f := benchFlags{count: numberFlag{value: 2e8, text: "2e8"}}
	c := &cobra.Command{
		Use:   "bench",
		Short: "time the kernels, and with --peers other programs beside them",
		Long: `Time every law on every kernel that this processor has, in nanoseconds per
component (one product q_i·k_i, two variates), and what a second core adds;
softmax in nanoseconds per score; the products of the Gram estimator; and how
long Var(q·k) takes to 0.1 %. With --peers also run the NumPy, PyTorch and gonum
programs of a source checkout, in turn with mcsim, and print the ratios.
docs/performance.md says what the numbers mean.`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(c); err != nil {
				return err
			}
			return f.run(c.Context(), c.OutOrStdout())
		},
	}
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	c.Flags().BoolVar(&f.peers, "peers", false, "run other programs too, as ratios")
	c.Flags().StringVar(&f.folder, "peers-dir", "sim/testdata/peers", "folder of the peers")
	c.Flags().IntVar(&f.rounds, "rounds", 5, "rounds, each of all that is compared")
	c.Flags().Var(&f.count, "components", "components of one run of a peer")
	return c
}

// check refuses, before anything is measured, what would be refused later.
func (f *benchFlags) check(c *cobra.Command) error {
	if f.rounds < 1 || f.rounds > 100 {
		return fmt.Errorf("--rounds: %d is not in 1..100", f.rounds)
	}
	if _, err := experiment.Integer(f.count.text, 1e6, 1e12); err != nil {
		return fmt.Errorf("--components: %w", err)
	}
	if !f.peers {
		for _, name := range []string{"peers-dir", "components"} {
			if c.Flags().Changed(name) {
				return fmt.Errorf("--%s wants --peers, which runs other programs too", name)
			}
		}
		return nil
	}
	if _, err := os.Stat(filepath.Join(f.folder, "direct_numpy.py")); err != nil {
		return fmt.Errorf("--peers wants the folder sim/testdata/peers of a source checkout: %w", err)
	}
	return nil
}

func (f *benchFlags) run(ctx context.Context, out io.Writer) error {
	var doc *benchDocument
	err := untilInterrupted(ctx, func() (err error) {
		doc, err = measure(ctx, f.rounds)
		return err
	})
	if err == nil && f.peers {
		err = comparePeers(ctx, doc, f.folder, f.count.value)
	}
	switch {
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return interrupted("a benchmark keeps nothing")
	case err != nil:
		return err
	case f.json:
		return writeJSON(out, doc)
	}
	return printBench(out, doc)
}

// benchRound is how long one kernel runs in one round.
const benchRound = 30 * time.Millisecond

func measure(ctx context.Context, rounds int) (*benchDocument, error) {
	cores := runtime.NumCPU()
	doc := &benchDocument{System: runtime.GOOS + "/" + runtime.GOARCH, Cores: cores, Rounds: rounds}
	doc.Kernels, doc.Scaling = bench.Kernels(law.Usual(), cores, rounds, benchRound)
	doc.Softmax = bench.Softmax(rounds, benchRound)
	doc.Products = bench.Products(rounds, benchRound)
	var err error
	if doc.Precision, err = bench.Precisions(cores, rounds, pointsIn(ctx)); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	doc.Start, err = bench.Start(ctx, self)
	return doc, err
}

// pointsIn runs a point as probe does and returns the seconds it took and the
// relative standard error of its Var(q·k).
func pointsIn(ctx context.Context) bench.Measure {
	return func(p bench.Point) (seconds, relative float64, err error) {
		begun := time.Now()
		f, flags := newProbeFlags()
		for name, value := range map[string]string{f.axes[names.ParamEstimator].axis.Flag(): p.Estimator, f.axes[names.ParamDimension].axis.Flag(): strconv.Itoa(p.Dimension),
			"rel-se": strconv.FormatFloat(p.Relative, 'g', -1, 64), "workers": strconv.Itoa(p.Workers)} {
			if err := flags.Set(name, value); err != nil {
				return 0, 0, err
			}
		}
		doc, err := f.measure(ctx, nil)
		if err != nil {
			return 0, 0, err
		}
		seconds = time.Since(begun).Seconds()
		for _, r := range doc.Estimates {
			if r.Quantity == names.ScoreVariance {
				return seconds, float64(r.SE / r.Theory), nil
			}
		}
		return 0, 0, fmt.Errorf("a probe of %+v has no %s", p, names.ScoreVariance)
	}
}

// comparePeers runs the peers of a folder. What cannot run, or fails, is missing.
func comparePeers(ctx context.Context, doc *benchDocument, folder string, components float64) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "mcsim-peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	peers, missing := bench.FindPeers(ctx, folder, temp, kernel.Names())
	for _, p := range peers {
		r, err := p.Compare(ctx, self, components, doc.Rounds)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			missing = append(missing, err.Error())
			continue
		}
		doc.Peers = append(doc.Peers, r)
	}
	doc.Missing = missing
	return compareParts(ctx, doc, folder, self, components)
}

// compareParts compares what is not a whole process.
func compareParts(ctx context.Context, doc *benchDocument, folder, self string, components float64) error {
	fastest := kernel.Names()[0]
	for _, compare := range []func() ([]string, error){
		func() (missing []string, err error) {
			doc.Laws, missing, err = bench.CompareLaws(ctx, folder, law.Usual(), fastest, components/20, doc.Rounds, benchRound)
			return missing, err
		},
		func() (missing []string, err error) {
			doc.SoftmaxPeers, missing, err = bench.CompareSoftmax(ctx, folder, fastest, doc.Rounds, 4*benchRound)
			return missing, err
		},
		func() (missing []string, err error) {
			doc.ProductPeers, missing, err = bench.CompareProducts(ctx, folder, fastest, doc.Rounds, 4*benchRound)
			return missing, err
		},
		func() (missing []string, err error) {
			doc.PrecisionPeers, missing, err = bench.ComparePrecision(ctx, folder, self, doc.Rounds, pointsIn(ctx))
			return missing, err
		},
	} {
		missing, err := compare()
		if err != nil {
			return err
		}
		doc.Missing = append(doc.Missing, missing...)
	}
	return nil
}
