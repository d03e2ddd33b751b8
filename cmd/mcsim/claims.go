package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/show"
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

// claimsFlags are what is asked for.
type claimsFlags struct {
	file, source, verdict string
	json                  bool
	workers               int
}

func claimsCommand() *cobra.Command {
	var f claimsFlags
	c := &cobra.Command{
		Use:   "claims [FOLDER|FILE]",
		Short: "judge what texts claim about attention scores",
		Long: `Check what texts claim about attention scores. A ledger lists a text's claims:
the published numbers, and what settles each. mcsim has the ledgers of fifteen
texts; -f reads one of yours, and docs/claims.md has an example and all keys.
mcsim computes the numbers again by interval arithmetic, since the printed
inputs were rounded. Claims in words are judged by rows of results, if there are
any. Rows that are missing are drawn, and not kept.

A claim "holds", or "holds to rounding". It is "imprecise" if it holds only in a
weaker sense, else "wrong". It is "not settled" if an interval contains the
threshold. A verdict on evidence has a date; nothing was computed for it. With
-f the exit code is 1 if a computed claim is wrong or imprecise, else 3 if one
is not settled, else 0.`,
		Example: `  mcsim claims --verdict wrong
  mcsim claims --source notes-pytorch --json
  mcsim claims -f my-claims.yaml`,
		Args: oneOfResults, ValidArgsFunction: folder.Complete(1),
		PreRunE: func(c *cobra.Command, _ []string) error { return f.check(c) },
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), args)
		},
	}
	c.Flags().StringVar(&f.source, "source", "", "claims of the text `NAME` alone: see mcsim claims --json")
	flag.Choice(c, &f.verdict, "verdict", "claims of this `VERDICT` alone", names.ClaimVerdicts)
	c.Flags().BoolVar(&f.json, "json", false, flag.JSON)
	c.Flags().StringVarP(&f.file, "file", "f", "", "judge the ledger `FILE` in place of those of mcsim")
	flag.AddWorkers(c.Flags(), &f.workers)
	flag.OfferBy(c, "source", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return claim.Sources(), cobra.ShellCompDirectiveNoFileComp // which cost something to find
	})
	return c
}

// check refuses values that nothing has.
func (f *claimsFlags) check(c *cobra.Command) error {
	if f.source != "" && f.file == "" && !slices.Contains(claim.Sources(), f.source) {
		return fmt.Errorf("--source: %w", names.UnknownError{Kind: "source", Name: f.source, Names: claim.Sources()})
	}
	return flag.Exclusive(c, "file", "source")
}

// ledgers are those that are asked for.
func (f *claimsFlags) ledgers() ([]*claim.Ledger, error) {
	if f.file != "" {
		text, err := folder.Text(f.file, markup.MaxSize)
		if err != nil {
			return nil, err
		}
		l, err := claim.Parse(f.file, text)
		return []*claim.Ledger{l}, err
	}
	var all []*claim.Ledger
	for _, l := range claim.Embedded() {
		if f.source == "" || l.Source == f.source {
			all = append(all, l)
		}
	}
	return all, nil
}

// run judges and prints.
func (f *claimsFlags) run(ctx context.Context, out, status io.Writer, args []string) error {
	ledgers, err := f.ledgers()
	if err != nil {
		return err
	}
	estimates, err := f.estimates(ctx, status, args, ledgers)
	if err != nil {
		return err
	}
	all := claim.Judge(ledgers, estimates)
	shown := all
	if f.verdict != "" {
		shown = slices.DeleteFunc(slices.Clone(all), func(c result.Claim) bool { return c.Verdict != f.verdict })
	}
	err = show.Printed(out, f.json, map[string][]result.Claim{"claims": shown}, func() {
		show.Claims(out, shown, all, func(source string) string {
			i := slices.IndexFunc(ledgers, func(l *claim.Ledger) bool { return l.Source == source })
			return cmp.Or(ledgers[i].Title, names.Of(names.GroupValue, source).Title)
		})
	})
	if err != nil || f.file == "" {
		return err
	}
	return judged(all)
}

// judged is what the claims of a user's ledger end with. Those that rest on evidence are not
// computed, and say nothing here.
func judged(all []result.Claim) error {
	open := false
	for _, c := range all {
		switch {
		case c.Kind == names.KindDocument:
		case c.Verdict == names.ClaimWrong || c.Verdict == names.ClaimImprecise:
			return show.Exit(show.Failed)
		case c.Verdict == names.ClaimNotSettled:
			open = true
		}
	}
	if open {
		return show.Exit(show.Undecided)
	}
	return nil
}

// usualSeed is that of what is drawn where there are no results.
const usualSeed = 7

// estimates are the rows of the results, and behind them those that are drawn since the
// claims read them and the results have them not.
func (f *claimsFlags) estimates(ctx context.Context, status io.Writer, args []string, ledgers []*claim.Ledger) ([]result.Estimate, error) {
	at, err := folder.At(args)
	if err != nil {
		return nil, err
	}
	seed, rows := uint64(usualSeed), []result.Estimate(nil)
	if _, err := os.Stat(at.File); err == nil || len(args) > 0 {
		_, doc, err := at.Read()
		if err != nil {
			return nil, err
		}
		seed, rows = doc.Seed, doc.Estimates
	}
	missing, err := claim.Missing(ledgers, rows)
	if err != nil || len(missing) == 0 {
		return rows, err
	}
	entries := names.Each(missing, func(u claim.Unsampled) plan.Entry {
		return plan.Entry{Experiment: u.Experiment, Values: u.Values, Samples: u.Samples}
	})
	s, err := schedule.New(plan.Ungated("claims", seed, entries))
	if err != nil {
		return nil, err
	}
	drawn, err := f.draw(ctx, status, s)
	if err != nil {
		return nil, err
	}
	rows = append(slices.Clone(rows), drawn...)
	return rows, claim.Unread(ledgers, rows)
}

// draw draws a schedule.
func (f *claimsFlags) draw(ctx context.Context, status io.Writer, s *schedule.Schedule) ([]result.Estimate, error) {
	nodes := store.New(run.Origin(s.Plan))
	folder.Warn(status, s, nodes, f.workers)
	if err := folder.Draw(ctx, nodes, s, f.workers, status); err != nil {
		return nil, err
	}
	doc, err := document.Rows(s, nodes)
	if err != nil {
		return nil, err
	}
	return doc.Estimates, nil
}
