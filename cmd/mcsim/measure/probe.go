package measure

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/sampling"
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
	f := &probeFlags{}
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
		Args:    cmdline.NoArgs,
		PreRunE: func(c *cobra.Command, _ []string) error { return f.checkFlags(c) },
		RunE:    f.run,
	}
	f.add(c)
	return c
}

// run draws what the flags ask for, prints it, and returns the verdict if one is asked for.
func (f *probeFlags) run(c *cobra.Command, _ []string) error {
	out, status := c.OutOrStdout(), os.Stderr
	if f.row.number >= 0 {
		return f.printRow(out)
	}
	p, err := f.plan()
	if err != nil {
		return err
	}
	s, err := schedule.New(p)
	if err != nil {
		return adviseProbe(f.axes.NameFlag(err))
	}
	if f.check > 0 && s.Checks() == 0 {
		return errors.New("--check: nothing that is measured has a theory that a gate could hold it against")
	}
	setHeap(s)
	nodes := store.New(store.Origin{Seed: p.Seed})
	sampling.PrintDuration(status, s, nodes, f.workers)
	if err := sampling.Draw(c.Context(), nodes, s, run.Options{Workers: f.workers}, status); err != nil {
		return err
	}
	doc, err := document.Rows(s, nodes)
	if err != nil {
		return err
	}
	return f.print(out, doc)
}

// adviseProbe rewrites the advice of an error for a probe, whose experiments the user cannot change.
func adviseProbe(err error) error {
	if text := err.Error(); strings.Contains(text, gate.Ungated) {
		return errors.New(strings.ReplaceAll(text, gate.Ungated, "leave out --check"))
	}
	return err
}

// print prints the document of a probe and returns its verdict.
func (f *probeFlags) print(out io.Writer, doc *result.Document) error {
	doc.Curves = nil
	if f.json {
		text, err := result.Encode(doc)
		if err != nil {
			return err
		}
		if _, err := out.Write(text); err != nil {
			return err
		}
	} else {
		show.Estimates(out, doc)
	}
	if f.check == 0 {
		return nil
	}
	if !f.json {
		show.Checked(out, doc)
	}
	return program.ExitOf(doc.Budget.Verdict)
}

// printRow prints one row of the cell that the flags ask for.
func (f *probeFlags) printRow(out io.Writer) error {
	question, err := f.question()
	if err != nil {
		return err
	}
	answer, err := replay.Ask(question)
	if err != nil {
		return fmt.Errorf("--row: %w", err)
	}
	if f.json {
		return show.JSON(out, answer)
	}
	show.Row(out, answer)
	return nil
}
