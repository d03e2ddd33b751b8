package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/show"
	"mcsim/report"
	"mcsim/sim/names"
)

// oneOfResults refuses more than one argument of a command that reads results.
var oneOfResults = flag.Takes(0, 1, "one folder or file of results")

func reportCommand() *cobra.Command {
	var out, templates string
	var quiet bool
	c := &cobra.Command{
		Use:   "report [FOLDER|FILE]",
		Short: "render results as a static site and report.md",
		Long: `Write the site of results: HTML pages that need no network, report.md, and
figures. They go beside the results, or to -o. The command draws nothing and
computes no statistic. If the results have every row that the pages need, as
those of the plans default, full and quick do, all pages are written, and a
sentence that the results do not support is marked. Otherwise the site is the
record alone. --templates names a folder whose files replace built-in templates.`,
		Example: `  mcsim report
  mcsim report results
  mcsim report results/results.json -o site`,
		Args: oneOfResults, ValidArgsFunction: folder.Complete(1),
		RunE: func(c *cobra.Command, args []string) error {
			from, doc, err := folder.ReadAt(args)
			if err != nil {
				return err
			}
			const heap = 76 << 20 // for the document, the dots of a figure, and all files
			folder.LimitHeap(heap, len(doc.Cells))
			about, err := folder.Shown(from.Beside(folder.Run), folder.Results, doc)
			if err != nil {
				return err
			}
			dir, err := from.ForSite(out, c.Flags().Changed("out"))
			if err != nil {
				return err
			}
			findings, err := report.Write(doc, about, dir, report.Options{Templates: templates})
			if err != nil {
				return err
			}
			if !quiet {
				show.Findings(c.OutOrStdout(), findings)
				fmt.Fprintf(c.OutOrStdout(), "%s: the site; %s: the same in Markdown\n", names.Printable(filepath.Join(dir, "index.html")), names.Printable(filepath.Join(dir, "report.md")))
			}
			return nil
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", flag.Out+": folder `DIR` (default beside the results)")
	c.Flags().StringVar(&templates, "templates", "", flag.Templates)
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, flag.Quiet)
	return c
}
