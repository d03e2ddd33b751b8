package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/junit"
	"mcsim/cmd/mcsim/show"
	"mcsim/report/site"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/engine/verify"
	"mcsim/sim/result"
)

type verifyFlags struct {
	junit, templates       string
	all, quiet, json, rows bool
	redraw                 bool
	workers                int
}

func verifyCommand() *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use:   "verify [FOLDER|FILE]",
		Short: "judge results again and set the exit code",
		Long: `Judge the gates of results again, print a table, and exit with 0 (all pass), 1
(a check failed) or 3 (undecided).

verify makes results.json again from nodes.bin, the sums that the run kept
beside it, and compares it byte for byte. It also checks estimates.csv and
run.json. If nodes.bin is missing, damaged or from other results, verify judges
the rows alone: gates, slopes, bounds and closed forms. It then says why, and
how many rows rest on nothing. The exit code is 3 then, or 0 with --rows. A file
with another name than results.json has no nodes.bin.

This proves only that the files agree: somebody could change all of them
together. --redraw draws everything again and compares the bytes.

If the results have every row that the site's sentences rest on, verify counts
the sentences that hold. Sentences come from the built-in templates or from
--templates. They do not affect the exit code; in a JUnit report, one that does
not hold counts as skipped.`,
		Example: `  mcsim verify
  mcsim verify results --junit results/junit.xml
  mcsim verify results/results.json --rows --json
  mcsim verify --redraw --quiet`,
		Args: oneOfResults, ValidArgsFunction: folder.Complete(1),
		PreRunE: func(c *cobra.Command, _ []string) error { return f.check(c) },
		RunE: func(c *cobra.Command, args []string) error {
			from, err := folder.At(args)
			if err != nil {
				return err
			}
			return verifyResults(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), from, f)
		},
	}
	c.Flags().BoolVarP(&f.all, "all", "a", false, flag.All)
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, flag.Quiet)
	c.Flags().BoolVar(&f.json, "json", false, flag.JSON)
	c.Flags().StringVar(&f.junit, "junit", "", "write a JUnit report to `FILE`; - prints it, in place of the table")
	c.Flags().StringVar(&f.templates, "templates", "", flag.Templates)
	c.Flags().BoolVar(&f.rows, "rows", false, flag.Rows+": exit code 0 if they pass, though nothing made them again")
	c.Flags().BoolVar(&f.redraw, "redraw", false, "draw everything again and compare: the only proof")
	flag.AddWorkers(c.Flags(), &f.workers)
	return c
}

// check refuses flags that do not go together.
func (f verifyFlags) check(c *cobra.Command) error {
	if f.junit == "-" && (f.json || f.all) {
		return errors.New("--junit - has the standard output for itself; leave out --json and --all")
	}
	return errors.Join(flag.Exclusive(c, "json", "all"), flag.Exclusive(c, "json", "quiet"))
}

// verifyResults judges the document of a place again and prints what it finds.
func verifyResults(ctx context.Context, out, status io.Writer, from folder.Place, f verifyFlags) error {
	if f.quiet {
		status = io.Discard
	}
	again, doc, err := from.Read()
	if err != nil {
		return err
	}
	const heap = 80 << 20 // for two documents, one after the other, and the nodes
	folder.LimitHeap(heap, len(doc.Cells))
	v, err := verify.Document(doc)
	if err != nil {
		return err
	}
	var others verify.Judgement
	if err := beside(&others, doc, from); err != nil {
		return err
	}
	findings, err := site.Judge(doc, f.templates)
	if err != nil {
		return err
	}
	// The document made again takes as much room: of this one, what follows needs no more.
	doc = &result.Document{Seed: doc.Seed, Kernel: doc.Kernel, Digest: doc.Digest}
	if err := f.remake(ctx, status, v, again, from.Beside(folder.Nodes)); err != nil {
		return err
	}
	v.Mismatches = append(v.Mismatches, others.Mismatches...)
	if f.junit != "" {
		text, err := junit.New(doc, v, findings, f.rows).Text()
		if err != nil {
			return err
		}
		if err := junit.Write(out, f.junit, text); err != nil {
			return err
		}
	}
	verdict := v.Verdict(f.rows)
	if !f.quiet && f.junit != "-" {
		verified := show.Verified{Verdict: verdict, Judgement: v}
		if len(findings.Lacks) == 0 {
			verified.Findings = &show.BorneOut{Of: len(findings.Findings), Unmet: findings.Unmet}
		}
		err := show.Printed(out, f.json, verified, func() {
			show.Verification(out, v, f.all)
			if verified.Findings != nil {
				show.Findings(out, findings)
			}
		})
		if err != nil {
			return err
		}
	}
	return show.ExitOf(verdict)
}

// remake makes the document again: from new draws where that is asked for, else from the
// file of nodes, if it is there and the document's own.
func (f verifyFlags) remake(ctx context.Context, status io.Writer, v *verify.Judgement, again result.Opener, path string) error {
	text, _, err := again()
	if err != nil {
		return err
	}
	if f.redraw {
		s, err := schedule.New(v.Plan)
		if err != nil {
			return err
		}
		nodes := store.New(run.Origin(v.Plan))
		if err := folder.Into(ctx, nodes, s, run.Options{Workers: f.workers}, status); err != nil {
			return err
		}
		return v.Remake(text, nodes, verify.FromDraws)
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		v.Unmade = "there is no " + folder.Nodes + " beside it"
		return nil
	}
	nodes, err := store.Read(path, run.Origin(v.Plan))
	if err != nil {
		return err
	}
	defer nodes.Close()
	if v.Unmade = unusable(path, nodes.Found()); v.Unmade != "" {
		return nil
	}
	if err := v.Remake(text, nodes, verify.FromNodes); err != nil {
		v.Unmade = fmt.Sprintf("%s lacks nodes: %v", path, err)
	}
	return nil
}

// unusable says why no document can be made again from a file of nodes; empty where one may.
func unusable(path string, found store.Found) string {
	switch {
	case found.Foreign:
		return path + " is not a file of nodes of this version"
	case found.Lost > 0:
		return fmt.Sprintf("%s is damaged (%s lost)", path, show.Counted(int(found.Lost), "byte"))
	case found.Nodes == 0:
		return path + " has no nodes of these results"
	}
	return ""
}

// beside holds the files beside the document against it, those that are there.
func beside(v *verify.Judgement, doc *result.Document, from folder.Place) error {
	err := folder.Reading(from.Beside(folder.Estimates), func(csv io.Reader) error { return v.Estimates(doc, csv) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	info, err := folder.ReadRecord(from.Beside(folder.Run))
	if err != nil {
		return err
	}
	if info != nil {
		v.Run(doc, info.Results)
	}
	return nil
}
