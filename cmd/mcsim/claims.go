package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/sampling"
	"mcsim/cmd/mcsim/show"
	"mcsim/cmd/mcsim/view"
	"mcsim/sim/base/markup"
	"mcsim/sim/base/store"
	"mcsim/sim/claim"
	"mcsim/sim/engine/document"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

type claimsFlags struct {
	file, source, verdict string
	json                  bool
	workers               int
}

func newClaimsCommand() *cobra.Command {
	var f claimsFlags
	c := &cobra.Command{
		Use:  "claims [FOLDER|FILE]",
		Args: cmdline.OptionalResults, ValidArgsFunction: cmdline.CompleteResults(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	c.Flags().StringVar(&f.source, "source", "", "only claims of the text `NAME`: see mcsim claims --json")
	cmdline.AddChoice(c, &f.verdict, "verdict", "only claims with this `VERDICT`", names.ClaimVerdicts)
	c.Flags().BoolVar(&f.json, "json", false, cmdline.JSONUsage)
	c.Flags().StringVarP(&f.file, "file", "f", "", "judge the ledger `FILE` in place of mcsim's")
	cmdline.AddWorkers(c.Flags(), &f.workers)
	cmdline.CompleteWith(c, "source", cmdline.CompleteNames(claim.Sources))
	cmdline.Exclude(c, "file", "source")
	return c
}

// loadLedgers returns the ledgers that the flags select.
func (f *claimsFlags) loadLedgers() ([]*claim.Ledger, error) {
	if f.file != "" {
		text, err := results.ReadText(f.file, markup.MaxSize)
		if err != nil {
			return nil, err
		}
		l, err := claim.Parse(f.file, text)
		return []*claim.Ledger{l}, err
	}
	if f.source == claim.Museum().Source {
		return []*claim.Ledger{claim.Museum()}, nil
	}
	if f.source != "" {
		if err := cmdline.RefuseUnknown("source", f.source, claim.Sources()); err != nil {
			return nil, fmt.Errorf("--source: %w", err)
		}
	}
	isOther := func(l *claim.Ledger) bool { return f.source != "" && l.Source != f.source }
	return slices.DeleteFunc(slices.Clone(claim.Embedded()), isOther), nil
}

// run judges the claims and prints them.
func (f *claimsFlags) run(c *cobra.Command, args []string) error {
	ledgers, err := f.loadLedgers()
	if err != nil {
		return err
	}
	estimates, err := f.loadEstimates(c, args, ledgers)
	if err != nil {
		return err
	}
	judged := claim.Judge(ledgers, estimates)
	shown := judged
	if f.verdict != "" {
		isOther := func(c result.Claim) bool { return c.Verdict != f.verdict }
		shown = slices.DeleteFunc(slices.Clone(judged), isOther)
	}
	sourceTitle := func(source string) string {
		i := slices.IndexFunc(ledgers, func(l *claim.Ledger) bool { return l.Source == source })
		return cmp.Or(ledgers[i].Title, names.EntryOf(names.GroupValue, source).Title)
	}
	stdout := c.OutOrStdout()
	err = show.Print(stdout, f.json, map[string][]result.Claim{"claims": shown}, func() {
		view.Claims(stdout, shown, judged, sourceTitle)
	})
	if err != nil || f.file == "" {
		return err
	}
	return exitWithClaims(judged)
}

// exitWithClaims returns the exit code for the claims of a user's ledger. Claims that rest on a
// document as evidence do not count, since they are not computed.
func exitWithClaims(judged []result.Claim) error {
	var exit error
	for _, c := range judged {
		if c.Kind == names.KindDocument {
			continue
		}
		switch c.Verdict {
		case names.ClaimWrong, names.ClaimImprecise:
			return program.Exit(program.Failed)
		case names.ClaimNotSettled:
			exit = program.Exit(program.Undecided)
		}
	}
	return exit
}

// defaultClaimsSeed is the seed of the draws for claims if there are no results.
const defaultClaimsSeed = 7

// loadEstimates returns the estimates of the results. It draws and appends the estimates that the
// claims need and the results lack.
func (f *claimsFlags) loadEstimates(
	c *cobra.Command, args []string, ledgers []*claim.Ledger,
) ([]result.Estimate, error) {
	location, err := results.Locate(args)
	if err != nil {
		return nil, err
	}
	seed := uint64(defaultClaimsSeed)
	var estimates []result.Estimate
	_, err = os.Stat(location.File)
	if err == nil || len(args) > 0 { // without an argument the results may be missing
		_, doc, err := location.Read()
		if err != nil {
			return nil, err
		}
		seed, estimates = doc.Seed, doc.Estimates
	}
	missing, err := claim.Missing(ledgers, estimates)
	if err != nil || len(missing) == 0 {
		return estimates, err
	}
	entries := names.Map(missing, func(cell claim.MissingCell) plan.Entry {
		return plan.Entry{Experiment: cell.Experiment, Values: cell.Values, Samples: cell.Samples}
	})
	s, err := schedule.New(plan.Ungated("claims", seed, entries))
	if err != nil {
		return nil, err
	}
	nodes := store.New(run.Origin(s.Plan))
	status := c.ErrOrStderr()
	sampling.PrintDuration(status, s, nodes, f.workers)
	if err := sampling.Draw(c.Context(), nodes, s, run.Options{Workers: f.workers}, status); err != nil {
		return nil, err
	}
	doc, err := document.BuildEstimates(s, nodes)
	if err != nil {
		return nil, err
	}
	estimates = slices.Concat(estimates, doc.Estimates)
	return estimates, claim.CheckRows(ledgers, estimates)
}
