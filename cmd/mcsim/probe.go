package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/drawing"
	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/question"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/document"
	"mcsim/sim/experiment/replay"
	"mcsim/sim/result"
	"mcsim/sim/run"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
)

func probeCommand() *cobra.Command {
	f, flags := question.New()
	c := &cobra.Command{
		Use:   "probe",
		Short: "measure one cell at once",
		Long: `Measure one cell and print its estimates: what was measured, its standard error
and 95 % interval, theory beside it, and how many standard errors they are
apart. With --keys it also draws rows of that many keys and says what softmax
and its gradient make of them: means over rows, but root mean squares of
jacobian_norm, key_gradient and query_gradient; effective_keys is the mean of
1/Σα², keys_above_1_percent how many keys have more than 1 % of the weight, and
off_peak_trace the part of tr J off the greatest weight. With --rho it draws
rows in which one key k = ρq + √(1−ρ²)z is aligned with the query; with --rule,
the variance of the logit that the rule makes; with --init, logits of
layer-normed tokens under that initialisation, which have no law and no exponent
of their own. With --row it prints a single row of --keys or --rho instead,
component by component the one that was measured: the site's lab shows the same
rows. Numbers may be written 1e6, 1/3, 2^10. A law with a parameter is written
"student-t(10)" or student-t:10, and gaussian means normal.

With --check it judges what is measured against theory and exits with 0 (pass),
1 (fail) or 3 (undecided): Var(q·k)/d_k, the mean of q·k, the means of --keys
and --rho that have a theory, and the variance of --init. A --rule is measured
and not judged, as the output says: one cell does not show how its variance
grows with d_k. A variance may be that share of itself away from theory, a mean
of q·k that share of the standard deviation, and what softmax makes of rows that
much itself; the standard error of a variance is held to 25 % whatever the
tolerance. Without --samples it draws as many as error rates of 10⁻⁶ ask for.`,
		Example: `  mcsim probe --law normal --d-k 64 --exponent 1/2 --samples 1e6 --seed 7
  mcsim probe --law "student-t(10)" --d-k 512 --rel-se 0.001 --json
  mcsim probe --d-k 64 --exponent 0 --exponent 1/2 --keys 24 --rows 1e5
  mcsim probe --init torch-mha --d-model 768 --d-k 64
  mcsim probe --rho 0.5 --d-k 128 --exponent 1/2 --exponent 1
  mcsim probe --rule cosine --rule log-n --d-k 256
  mcsim probe --keys 8 --d-k 64 --exponent 0 --exponent 1/2 --row 3 --json
  mcsim probe --law uniform --d-k 128 --check 1%`,
		Args:    flag.NoArguments,
		PreRunE: func(c *cobra.Command, _ []string) error { return f.Refuse(c) },
		RunE:    func(c *cobra.Command, _ []string) error { return probe(c.Context(), c.OutOrStdout(), f) },
	}
	c.Flags().AddFlagSet(flags)
	return c
}

// measure draws what the flags ask for, and keeps nothing; status shows the progress.
func measure(ctx context.Context, f *question.Probe, status io.Writer) (*result.Document, error) {
	p, err := f.Plan()
	if err != nil {
		return nil, err
	}
	s, err := schedule.New(p)
	if err != nil {
		return nil, f.Blame(err)
	}
	if f.AsksCheck() && s.Checks() == 0 {
		return nil, errors.New("--check: nothing that is measured has a theory that a gate could hold it against")
	}
	nodes := store.New(store.Origin{Seed: p.Seed})
	drawing.Warn(status, s, nodes, f.Workers)
	if err := drawing.Into(ctx, nodes, s, run.Options{Workers: f.Workers}, status); err != nil {
		return nil, err
	}
	doc, err := document.Build(s, nodes)
	if err == nil {
		doc.Claims = nil // of texts, which a probe does not ask about
	}
	return doc, err
}

func probe(ctx context.Context, out io.Writer, f *question.Probe) error {
	if f.AsksRow() {
		return probeRow(out, f)
	}
	doc, err := measure(ctx, f, os.Stderr)
	if err != nil {
		return err
	}
	if err := printProbe(out, f, doc); err != nil || !f.AsksCheck() {
		return err
	}
	return verdictError(doc.Budget.Verdict)
}

// printProbe prints what was measured, and the verdict if one is asked for.
func printProbe(out io.Writer, f *question.Probe, doc *result.Document) error {
	if f.JSON {
		text, err := result.Encode(doc)
		if err != nil {
			return err
		}
		_, err = out.Write(text)
		return err
	}
	if err := show.Estimates(out, doc); err != nil || !f.AsksCheck() {
		return err
	}
	return show.Checked(out, doc)
}

// probeRow prints one row of the cell that the flags ask for.
func probeRow(out io.Writer, f *question.Probe) error {
	q, err := f.Row()
	if err != nil {
		return err
	}
	a, err := replay.Ask(q)
	if err != nil {
		return fmt.Errorf("--row: %w", err)
	}
	if f.JSON {
		return show.JSON(out, a)
	}
	return show.Row(out, a)
}
