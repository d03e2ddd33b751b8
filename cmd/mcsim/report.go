package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"mcsim/report"
	"mcsim/report/view"
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
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			doc, err := readResults(dir)
			if err != nil {
				return err
			}
			about, err := readRun(dir)
			if err != nil {
				return err
			}
			if err := report.Write(doc, about, dir, report.Options{Templates: templates}); err != nil {
				return err
			}
			if !quiet {
				fmt.Fprintf(c.OutOrStdout(), "%s: the site; %s: the same in Markdown\n", filepath.Join(dir, "index.html"), filepath.Join(dir, "report.md"))
			}
			return nil
		},
	}
	c.Flags().StringVarP(&dir, "out", "o", "out", "folder `DIR` of the results and of the site")
	c.Flags().StringVar(&templates, "templates", "", "folder `DIR` whose files replace built-in templates")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "say nothing but errors")
	return c
}

// readRun reads run.json for the page on the run; a folder without one is fine.
func readRun(dir string) (view.Run, error) {
	path := filepath.Join(dir, runFile)
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return view.Run{}, nil
	}
	if err != nil {
		return view.Run{}, err
	}
	var info RunInfo
	if err := json.Unmarshal(text, &info); err != nil {
		return view.Run{}, fmt.Errorf("%s: %w", path, err)
	}
	return view.Run{Version: info.Version, Revision: info.Revision, Date: info.Started, Host: info.Host,
		Wall: time.Duration(info.Seconds * float64(time.Second)), Go: info.Go}, nil
}
