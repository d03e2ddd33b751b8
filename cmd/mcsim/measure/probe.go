package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/document"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/experiment/replay"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
)

func probeCommand() *cobra.Command {
	var f probeFlags
	c := &cobra.Command{
		Use:   "probe",
		Short: "measure one cell at once",
		Long: `Measure one case and print its estimates, each with its standard error, 95 %
interval, theory, and the difference in standard errors. --keys also draws rows
of that many keys and measures softmax and its gradient. --rho draws rows in
which one key is aligned with the query: k = ρq + √(1−ρ²)z. --rule measures the
variance of the logit under a rule. --row prints one row of --keys or --rho, key
by key. Write a distribution with its parameter as "student-t(10)" or
student-t:10. "mcsim explain NAME" defines a quantity.

--check compares the draws with theory: Var(q·k)/d_k, the mean of q·k, and the
means of --keys and --rho that have a theory. The exit code is 0 (pass), 1
(fail) or 3 (undecided). The tolerance is relative for a variance, relative to
the standard deviation for the mean of q·k, and absolute for softmax means.
Without --samples it draws enough for error rates of 10⁻⁶. To check queries and
keys of your own, use mcsim inspect.`,
		Example: `  mcsim probe --dist normal --d-k 64 --exponent 1/2 --samples 1e6 --seed 7
  mcsim probe --dist "student-t(10)" --d-k 512 --rel-se 0.001 --json
  mcsim probe --d-k 64 --exponent 0 --exponent 1/2 --keys 24
  mcsim probe --rho 0.5 --d-k 128 --exponent 1/2 --exponent 1
  mcsim probe --rule cosine --rule log-n --d-k 256
  mcsim probe --keys 8 --d-k 64 --exponent 0 --exponent 1/2 --row 3 --json
  mcsim probe --distribution uniform --d-k 128 --check 1%`,
		Args: flag.NoArguments,
		PreRunE: func(c *cobra.Command, _ []string) error {
			return cmp.Or(flag.Exclusive(c, "samples", "rel-se"), flag.Exclusive(c, "row", "samples"),
				flag.Exclusive(c, "row", "rel-se"), flag.Exclusive(c, "row", "check"), f.idle(), f.row.check(&f))
		},
		RunE: func(c *cobra.Command, _ []string) error {
			if f.row.row >= 0 {
				return f.printRow(c.OutOrStdout())
			}
			return f.run(c.Context(), c.OutOrStdout())
		},
	}
	f.add(c)
	return c
}

// measure draws what the flags ask for, and keeps nothing; status shows the progress.
func (f *probeFlags) measure(ctx context.Context, status io.Writer) (*result.Document, error) {
	p, err := f.plan()
	if err != nil {
		return nil, err
	}
	s, err := schedule.New(p)
	if err != nil {
		return nil, inProbe(f.axes.Blame(err))
	}
	if f.check > 0 && s.Checks() == 0 {
		return nil, errNothingToCheck
	}
	folder.LimitHeap(heapLimit(s), len(s.Works))
	nodes := store.New(store.Origin{Seed: p.Seed})
	folder.Warn(status, s, nodes, f.workers)
	if err := folder.Into(ctx, nodes, s, run.Options{Workers: f.workers}, status); err != nil {
		return nil, err
	}
	doc, err := document.Rows(s, nodes)
	if err == nil {
		doc.Curves = nil // a probe prints none
	}
	return doc, err
}

// inProbe is an error of a plan in the words of a probe, which has no experiments to change.
func inProbe(err error) error {
	if text := err.Error(); strings.Contains(text, gate.Ungated) {
		return errors.New(strings.ReplaceAll(text, gate.Ungated, "leave out --check"))
	}
	return err
}

// run measures and prints, and ends with the verdict if one is asked for.
func (f *probeFlags) run(ctx context.Context, out io.Writer) error {
	doc, err := f.measure(ctx, os.Stderr)
	if err != nil {
		return err
	}
	if f.json {
		var text []byte
		if text, err = result.Encode(doc); err == nil {
			_, err = out.Write(text)
		}
	} else {
		show.Estimates(out, doc)
		if f.check > 0 {
			show.Checked(out, doc)
		}
	}
	if err != nil || f.check == 0 {
		return err
	}
	return show.ExitOf(doc.Budget.Verdict)
}

// printRow prints one row of the cell that the flags ask for.
func (f *probeFlags) printRow(out io.Writer) error {
	q, err := f.question()
	if err != nil {
		return err
	}
	a, err := replay.Ask(q)
	if err != nil {
		return fmt.Errorf("--row: %w", err)
	}
	return show.Printed(out, f.json, a, func() { show.Row(out, a) })
}
