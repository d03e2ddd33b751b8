package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/record"
	"mcsim/report"
	"mcsim/sim/names"
)

func reportCommand() *cobra.Command {
	var dir, templates string
	var quiet bool
	c := &cobra.Command{
		Use:   "report",
		Short: "render DIR/results.json as a static site and report.md",
		Long: `Render DIR/results.json into DIR: report.md, HTML pages that need no network,
and figures. It draws nothing and computes no statistic. A folder given with
--templates replaces the built-in templates of the same name.`,
		Args: flag.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			_, doc, err := folder.Read(dir)
			if err != nil {
				return err
			}
			about, err := record.Shown(filepath.Join(dir, folder.Run), folder.Results, doc)
			if err != nil {
				return err
			}
			if err := report.Write(doc, about, dir, report.Options{Templates: templates}); err != nil {
				return err
			}
			if !quiet {
				fmt.Fprintf(c.OutOrStdout(), "%s: the site; %s: the same in Markdown\n", names.Printable(filepath.Join(dir, "index.html")), names.Printable(filepath.Join(dir, "report.md")))
			}
			return nil
		},
	}
	c.Flags().StringVarP(&dir, "out", "o", folder.Usual, "folder `DIR` of the results and of the site")
	c.Flags().StringVar(&templates, "templates", "", "folder `DIR` whose files replace built-in templates")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "say nothing but errors")
	return c
}
