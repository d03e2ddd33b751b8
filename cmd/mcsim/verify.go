package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/junit"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/sampling"
	"mcsim/cmd/mcsim/show"
	"mcsim/cmd/mcsim/view"
	"mcsim/report/essay"
	"mcsim/report/site"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/engine/verify"
	"mcsim/sim/result"
)

type verifyFlags struct {
	junit, templates                  string
	printAll, quiet, json, acceptRows bool
	redraw                            bool
	workers                           int
}

func newVerifyCommand(shutdown *program.Shutdown) *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use:  "verify [FOLDER|FILE]",
		Args: cmdline.OptionalResults, ValidArgsFunction: cmdline.CompleteResults(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args, shutdown) },
	}
	c.Flags().BoolVarP(&f.printAll, "all", "a", false, cmdline.AllUsage)
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, cmdline.QuietUsage+", and a verdict other than pass")
	c.Flags().BoolVar(&f.json, "json", false, cmdline.JSONUsage)
	c.Flags().StringVar(&f.junit, "junit", "", "write a JUnit report to `FILE`; - prints it, in place of the table")
	c.Flags().StringVar(&f.templates, "templates", "", cmdline.TemplatesUsage)
	c.Flags().BoolVar(&f.acceptRows, "rows", false,
		cmdline.RowsUsage+": accept results that cannot be made again: exit code 0 if their gates pass")
	c.Flags().BoolVar(&f.redraw, "redraw", false, "draw everything again and compare: the only proof")
	cmdline.AddWorkers(c.Flags(), &f.workers)
	cmdline.Exclude(c, "json", "all", "quiet")
	return c
}

// run judges the document that the argument names again, and prints the judgement.
func (f *verifyFlags) run(c *cobra.Command, args []string, shutdown *program.Shutdown) error {
	if f.junit == "-" && (f.json || f.printAll) {
		return errors.New("--junit - prints only the report; omit --json and --all")
	}
	location, err := results.Locate(args)
	if err != nil {
		return err
	}
	if err := location.RefuseInput("--junit", f.junit); err != nil {
		return err
	}
	reopen, doc, err := location.Read()
	if err != nil {
		return err
	}
	program.SetHeap(program.VerifyHeap, len(doc.Cells))
	v, err := verify.Document(doc)
	if err != nil {
		return err
	}
	mismatches, err := compareFiles(doc, location)
	if err != nil {
		return err
	}
	findings, err := site.Judge(doc, f.templates)
	if err != nil {
		return err
	}
	// Release the estimates: the document that is made again needs as much memory.
	doc = &result.Document{Seed: doc.Seed, Kernel: doc.Kernel, Digest: doc.Digest}
	if err := f.remake(c, v, reopen, location.SiblingPath(results.NodesFile)); err != nil {
		return err
	}
	v.Mismatches = append(v.Mismatches, mismatches...)
	stdout := c.OutOrStdout()
	if f.junit != "" {
		text, err := junit.EncodeVerification(doc, v, findings, f.acceptRows)
		if err != nil {
			return err
		}
		if f.junit == "-" {
			_, err = stdout.Write(text)
		} else {
			err = shutdown.ReplaceFile(f.junit, text)
		}
		if err != nil {
			return err
		}
	}
	verdict := v.Verdict(f.acceptRows)
	switch {
	case f.quiet && verdict != result.Pass:
		program.Printf(c.ErrOrStderr(), "%s: %s: %s", location.File, verdict, view.DescribeCause(verdict, v.Gates,
			strings.Join(append(v.Mismatches[:min(1, len(v.Mismatches))], view.DescribeBasis(v)), "; ")))
	case !f.quiet && f.junit != "-":
		if err := f.print(stdout, v, findings, doc.Digest); err != nil {
			return err
		}
	}
	return program.ExitWith(verdict)
}

// print prints the judgement, and the findings if the document has the estimates that they need.
func (f *verifyFlags) print(w io.Writer, v *verify.Judgement, findings essay.Report, digest string) error {
	verified := view.VerifiedJudgement{Verdict: v.Verdict(f.acceptRows), Results: digest, Judgement: v}
	if len(findings.Missing) == 0 {
		verified.Findings = &view.VerifiedFindings{Total: len(findings.Findings), Unmet: findings.Unmet}
	}
	return show.Print(w, f.json, verified, func() {
		view.Verification(w, v, verified.Verdict, f.printAll)
		if verified.Findings != nil {
			view.PrintFindings(w, findings)
		}
		view.Digest(w, digest)
	})
}

// remake makes the document again and compares it with the text that reopen opens. It uses new
// draws if the user requests them, and otherwise the file of nodes at path. If the file of nodes is
// missing or cannot be used, remake stores the reason in v.WhyNotRemade.
func (f *verifyFlags) remake(c *cobra.Command, v *verify.Judgement, reopen result.Opener, path string) error {
	text, _, err := reopen()
	if err != nil {
		return err
	}
	if f.redraw {
		nodes, err := f.sampleAgain(c, v.Plan)
		if err != nil {
			return err
		}
		return v.Remake(text, nodes, verify.FromDraws)
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		v.WhyNotRemade = "there is no " + results.NodesFile + " next to it"
		return nil
	}
	nodes, err := store.Read(path, run.Origin(v.Plan))
	if err != nil {
		return err
	}
	defer nodes.Close()
	found := nodes.Found()
	switch {
	case found.Foreign:
		v.WhyNotRemade = path + " is not a file of nodes of this version"
		return nil
	case found.Lost > 0:
		v.WhyNotRemade = fmt.Sprintf("%s is damaged (%s lost)", path, show.FormatCount(int(found.Lost), "byte"))
		return nil
	case found.Nodes == 0:
		v.WhyNotRemade = path + " has no nodes of these results"
		return nil
	}
	if err := v.Remake(text, nodes, verify.FromNodes); err != nil {
		v.WhyNotRemade = fmt.Sprintf("%s does not fit them: %v", path, err)
	}
	return nil
}

// sampleAgain samples the samples of a plan and returns its nodes.
func (f *verifyFlags) sampleAgain(c *cobra.Command, p *plan.Plan) (*store.Store, error) {
	s, err := schedule.New(p)
	if err != nil {
		return nil, err
	}
	status := c.ErrOrStderr()
	if f.quiet {
		status = io.Discard
	}
	nodes := store.New(run.Origin(p))
	return nodes, sampling.Draw(c.Context(), nodes, s, run.Options{Workers: f.workers}, status)
}

// compareFiles returns the contradictions between the document and two other files of its run,
// estimates.csv and run.json. A missing file contradicts nothing.
func compareFiles(doc *result.Document, location results.Location) ([]string, error) {
	var v verify.Judgement // collects the contradictions
	compareEstimates := func(csv io.Reader) error { return v.Estimates(doc, csv) }
	err := results.ReadWith(location.SiblingPath(results.EstimatesFile), compareEstimates)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	record, err := results.ReadRecord(location.SiblingPath(results.RunFile))
	if err != nil {
		return nil, err
	}
	if record != nil {
		v.Run(doc, record.Results)
	}
	return v.Mismatches, nil
}
