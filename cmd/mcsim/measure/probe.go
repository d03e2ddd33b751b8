package measure

import (
	"errors"
	"fmt"
	"io"
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
		Use:     "probe",
		Args:    cmdline.NoArgs,
		PreRunE: func(*cobra.Command, []string) error { return f.checkFlags() },
		RunE:    f.run,
	}
	f.add(c)
	return c
}

// run draws what the flags ask for, prints it, and returns the verdict if one is asked for.
func (f *probeFlags) run(c *cobra.Command, _ []string) error {
	out, status := c.OutOrStdout(), c.ErrOrStderr()
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
	if f.check > 0 && s.CheckCount() == 0 {
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
	if text := err.Error(); strings.Contains(text, gate.UngatedAdvice) {
		return errors.New(strings.ReplaceAll(text, gate.UngatedAdvice, "leave out --check"))
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
