package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/report/chart"
	"mcsim/report/figure"
	"mcsim/report/theme"
	"mcsim/sim/base/replace"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

type figuresFlags struct {
	selected          []string // names of figures; empty for all
	formats           []string
	style, width, dir string
	quiet             bool
}

func newFiguresCommand(shutdown *program.Shutdown) *cobra.Command {
	f := figuresFlags{style: "nature", width: "double", formats: figure.Formats}
	c := &cobra.Command{
		Use:  "figures [FOLDER|FILE]",
		Args: cmdline.OptionalResults, ValidArgsFunction: cmdline.CompleteResults(1),
		RunE: func(c *cobra.Command, args []string) error {
			location, doc, err := results.LocateAndRead(args)
			if err != nil {
				return err
			}
			figures, err := f.choose(doc, location.File)
			if err != nil {
				return err
			}
			if err := shutdown.Replace(func() error { return f.write(figures) }); err != nil {
				return err
			}
			if !f.quiet {
				figureNames := names.Map(figures, func(g figure.Figure) string { return g.Name })
				fmt.Fprintf(c.OutOrStdout(), "%s: %s as %s\n",
					names.Printable(f.dir), strings.Join(figureNames, ", "), strings.Join(f.formats, ", "))
			}
			return nil
		},
	}
	cmdline.AddChoices(c, &f.selected, "figure",
		"draw only the figure `ID`, or several (comma-separated): "+strings.Join(chartNames(), ", "), chartNames())
	cmdline.AddChoice(c, &f.style, "style", "`STYLE` of the figures", styleNames())
	cmdline.AddChoice(c, &f.width, "width", "`WIDTH` of the figures, one or two columns", theme.Widths)
	cmdline.AddChoices(c, &f.formats, "format", "`FORMAT`, or several (comma-separated), of the files", figure.Formats)
	c.Flags().StringVarP(&f.dir, "out", "o", "figures", cmdline.OutUsage+": folder `DIR`")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, cmdline.QuietUsage)
	return c
}

// choose returns the figures that the flags name, or all figures for which the results have
// estimates.
func (f *figuresFlags) choose(doc *result.Document, path string) (figures []figure.Figure, err error) {
	for _, c := range chart.All {
		g := c.NewFigure(doc)
		isNamed := slices.Contains(f.selected, c.Name)
		if isNamed && !g.HasData() {
			return nil, fmt.Errorf("%s: has no rows for the figure %s", path, c.Name)
		}
		if g.HasData() && (isNamed || len(f.selected) == 0) {
			figures = append(figures, g)
		}
	}
	if len(figures) == 0 {
		return nil, fmt.Errorf("%s: has no rows for any figure", path)
	}
	return figures, nil
}

// write draws the figures in all formats, and replaces the files after it has drawn all of them.
func (f *figuresFlags) write(figures []figure.Figure) error {
	style, _ := theme.StyleByName(f.style)
	figureTheme := theme.Theme{Style: style, Narrow: f.width == "single"}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", f.dir, err)
	}
	var files replace.Set
	defer files.Discard()
	for _, g := range figures {
		for _, format := range f.formats {
			data, err := g.File(format, figureTheme)
			if err == nil {
				err = files.AddText(filepath.Join(f.dir, g.Name+"."+format), data)
			}
			if err != nil {
				return err
			}
		}
	}
	return files.Commit()
}

func chartNames() []string {
	return names.Map(chart.All, func(c figure.Chart) string { return c.Name })
}

func styleNames() []string {
	return names.Map(theme.Styles, func(s theme.Style) string { return s.Name })
}
