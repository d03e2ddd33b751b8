package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/view"
	"mcsim/report/essay"
	"mcsim/report/site"
	"mcsim/sim/names"
)

func newReportCommand(shutdown *program.Shutdown) *cobra.Command {
	var outDir, templates string
	var quiet bool
	c := &cobra.Command{
		Use:  "report [FOLDER|FILE]",
		Args: cmdline.OptionalResults, ValidArgsFunction: cmdline.CompleteResults(1),
		RunE: func(c *cobra.Command, args []string) error {
			location, doc, err := results.LocateAndRead(args)
			if err != nil {
				return err
			}
			program.SetHeap(program.ReportHeap, len(doc.Cells))
			runView, err := location.RunView(doc)
			if err != nil {
				return err
			}
			dir, err := location.SiteDir(outDir, c.Flags().Changed("out"))
			if err != nil {
				return err
			}
			var findings essay.Report
			err = shutdown.Replace(func() (err error) {
				findings, err = site.Write(doc, runView, dir, site.Options{Templates: templates})
				return err
			})
			if err != nil || quiet {
				return err
			}
			view.PrintFindings(c.OutOrStdout(), findings)
			htmlPath, markdownPath := filepath.Join(dir, "index.html"), filepath.Join(dir, "report.md")
			fmt.Fprintf(c.OutOrStdout(), "%s: the site; %s: the same in Markdown\n",
				names.Printable(htmlPath), names.Printable(markdownPath))
			return nil
		},
	}
	c.Flags().StringVarP(&outDir, "out", "o", "", cmdline.OutUsage+": folder `DIR` (default: next to the results)")
	c.Flags().StringVar(&templates, "templates", "", cmdline.TemplatesUsage)
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, cmdline.QuietUsage)
	return c
}
