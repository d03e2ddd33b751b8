package measure

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/sampling"
	"mcsim/cmd/mcsim/show"
	"mcsim/cmd/mcsim/view"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/document"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/experiment/replay"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
)

func newProbeCommand(shutdown *program.Shutdown) *cobra.Command {
	f := &probeFlags{}
	c := &cobra.Command{
		Use:     "probe",
		Args:    refuseArgs,
		PreRunE: func(*cobra.Command, []string) error { return f.checkFlags() },
		RunE: func(c *cobra.Command, _ []string) error {
			shutdown.SetUnsaved("a probe keeps no samples; to keep them, use a plan and mcsim run")
			return f.run(c)
		},
	}
	f.add(c)
	return c
}

// refuseArgs refuses arguments. If the first one is a number, it was probably meant as d_k.
func refuseArgs(c *cobra.Command, args []string) error {
	err := cmdline.NoArgs(c, args)
	if err == nil {
		return nil
	}
	if _, errNumber := strconv.Atoi(args[0]); errNumber != nil {
		return err
	}
	return fmt.Errorf("probe takes no argument; did you mean --d-k %s?", args[0])
}

// run draws the requested samples, prints the estimates, and returns the verdict of --check.
func (f *probeFlags) run(c *cobra.Command) error {
	stdout, status := c.OutOrStdout(), c.ErrOrStderr()
	if f.row.number >= 0 {
		return f.printRow(stdout)
	}
	p, err := f.buildPlan()
	if err != nil {
		return err
	}
	s, err := schedule.New(p)
	if err != nil {
		return adviseProbe(f.axes.NameFlag(err))
	}
	if f.check > 0 && s.CheckCount() == 0 {
		return errors.New("--check: no measured quantity has a theory with which a gate could compare it")
	}
	setHeap(s)
	nodes := store.New(store.Origin{Seed: p.Seed})
	sampling.PrintDuration(status, s, nodes, f.workers)
	if err := sampling.Draw(c.Context(), nodes, s, run.Options{Workers: f.workers}, status); err != nil {
		return err
	}
	doc, err := document.BuildEstimates(s, nodes)
	if err != nil {
		return err
	}
	return f.print(stdout, doc, s)
}

// adviseProbe replaces advice to change the experiments of a plan in an error, since the user
// cannot change those of a probe.
func adviseProbe(err error) error {
	if text := err.Error(); strings.Contains(text, gate.UngatedAdvice) {
		return errors.New(strings.ReplaceAll(text, gate.UngatedAdvice, "leave out --check"))
	}
	return err
}

// print prints the document of a probe and returns its verdict.
func (f *probeFlags) print(w io.Writer, doc *result.Document, s *schedule.Schedule) error {
	doc.Curves = nil
	if f.json {
		text, err := result.Encode(doc)
		if err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	} else {
		show.Estimates(w, doc)
	}
	if f.check == 0 {
		return nil
	}
	if !f.json {
		_, needed := s.Short()
		view.ProbeGates(w, doc, needed)
	}
	return program.ExitWith(doc.Budget.Verdict)
}

// printRow prints one row of the requested cell.
func (f *probeFlags) printRow(w io.Writer) error {
	question, err := f.buildQuestion()
	if err != nil {
		return err
	}
	answer, err := replay.Ask(question)
	if err != nil {
		return fmt.Errorf("--row: %w", err)
	}
	if f.json {
		return show.JSON(w, answer)
	}
	show.Row(w, answer)
	return nil
}
