package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/document"
	"mcsim/sim/result"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
)

type probeFlags struct {
	axes     flag.Axes
	samples  flag.Number
	rows     flag.Number
	draws    flag.Number
	relative flag.Number
	check    flag.Number
	seed     flag.Number
	row      rowFlags
	workers  int
	json     bool
}

func probeCommand() *cobra.Command {
	f, flags := newProbeFlags()
	c := &cobra.Command{
		Use:   "probe",
		Short: "measure one cell at once",
		Long: `Measure one cell and print its estimates: what was measured, its standard error
and 95 % interval, theory beside it, and how many standard errors they are
apart. With --keys it also draws rows of that many keys and says what softmax
and its gradient make of them: means over rows, but root mean squares of
jacobian_norm, key_gradient and query_gradient; effective_keys is the mean of
1/Σα², keys_above_1_percent how many keys have more than 1 % of the weight, and
off_peak_trace the part of tr J off the greatest weight. With --rho it draws rows in which one key k = ρq + √(1−ρ²)z is aligned with the query; with --rule, the variance of the logit that the rule makes; with
--init, logits of layer-normed tokens under that initialisation. With --row it
prints a single row of --keys or --rho instead, component by component the one that was
measured: the site's lab shows the same rows. Numbers may be written 1e6, 1/3, 2^10. A law with a parameter is written "student-t(10)" or
student-t:10.

With --check it judges what is measured, Var(q·k)/d_k where nothing else is asked for,
against theory within that tolerance, and exits with 0 (pass), 1 (fail) or 3
(undecided). Without --samples it then draws as many as error rates of 10⁻⁶ ask for.`,
		Example: `  mcsim probe --law normal --d-k 64 --exponent 1/2 --samples 1e6 --seed 7
  mcsim probe --law "student-t(10)" --d-k 512 --rel-se 0.001 --json
  mcsim probe --d-k 64 --exponent 0 --exponent 1/2 --keys 24 --rows 1e5
  mcsim probe --init torch-mha --d-model 768 --d-k 64
  mcsim probe --rho 0.5 --d-k 128 --exponent 1/2 --exponent 1
  mcsim probe --rule cosine --rule log-n --d-k 256
  mcsim probe --keys 8 --d-k 64 --exponent 0 --exponent 1/2 --row 3 --json
  mcsim probe --law uniform --d-k 128 --check 1%`,
		Args: flag.NoArguments,
		PreRunE: func(c *cobra.Command, _ []string) error {
			return cmp.Or(flag.Exclusive(c, "samples", "rel-se"), flag.Exclusive(c, "row", "rows"), flag.Exclusive(c, "row", "samples"), flag.Exclusive(c, "row", "rel-se"), flag.Exclusive(c, "row", "check"), f.refuse(), f.checkRow())
		},
		RunE: func(c *cobra.Command, _ []string) error { return probe(c.Context(), c.OutOrStdout(), f) },
	}
	c.Flags().AddFlagSet(flags)
	return c
}

// newProbeFlags returns what a probe is asked for, and the flags that set it.
func newProbeFlags() (*probeFlags, *pflag.FlagSet) {
	f := &probeFlags{axes: map[string]*flag.Axis{}}
	flags := pflag.NewFlagSet("probe", pflag.ContinueOnError)
	f.axes.AddProbed(flags)
	flags.Var(&f.samples, "samples", "pairs to draw, rounded up to whole blocks (default 1e5)")
	flags.Var(&f.rows, "rows", "rows of --keys or --rho to draw, rounded up to whole blocks (default 1e5)")
	flags.Var(&f.draws, "draws", "draws of the weights of --init (default 64)")
	flags.Var(&f.relative, "rel-se", "draw enough for this relative standard error of Var(q·k), in place of --samples")
	flags.Var(&f.check, "check", "judge what is measured against theory within this tolerance, such as 1%, and set the exit code")
	flags.Var(&f.seed, "seed", "seed of the random streams (default 1)")
	f.row.add(flags)
	flag.AddWorkers(flags, &f.workers)
	flags.BoolVar(&f.json, "json", false, "print a JSON object whose array estimates holds the rows")
	return f, flags
}

// measure draws what the flags ask for, and keeps nothing; status shows the progress.
func (f *probeFlags) measure(ctx context.Context, status io.Writer) (*result.Document, error) {
	p, err := f.plan()
	if err != nil {
		return nil, err
	}
	s, err := schedule.New(p)
	if err != nil {
		return nil, f.axes.Blame(err)
	}
	if f.check.Given() && s.Checks() == 0 {
		return nil, errors.New("--check: nothing that is measured has a theory that a gate could hold it against")
	}
	nodes := store.New(store.Origin{Seed: p.Seed})
	warn(status, s, nodes, f.workers)
	if err := drawInto(ctx, nodes, s, f.workers, status); err != nil {
		return nil, err
	}
	return document.Build(s, nodes)
}

func probe(ctx context.Context, out io.Writer, f *probeFlags) error {
	if f.row.row.Given() {
		return probeRow(out, f)
	}
	doc, err := f.measure(ctx, os.Stderr)
	if err != nil {
		return err
	}
	if err := f.print(out, doc); err != nil || !f.check.Given() {
		return err
	}
	return verdictError(doc.Budget.Verdict)
}

// print prints what was measured, and the verdict if one is asked for.
func (f *probeFlags) print(out io.Writer, doc *result.Document) error {
	if f.json {
		text, err := result.Encode(doc)
		if err != nil {
			return err
		}
		_, err = out.Write(text)
		return err
	}
	if err := show.Estimates(out, doc); err != nil || !f.check.Given() {
		return err
	}
	return show.Checked(out, doc)
}
