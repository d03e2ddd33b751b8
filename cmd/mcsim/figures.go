package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mcsim/sim/plain"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/report/chart"
	"mcsim/report/theme"

	"github.com/spf13/cobra"

	"mcsim/report/figure"
	"mcsim/sim/replace"
	"mcsim/sim/result"
)

// figuresFlags are what the user asked for.
type figuresFlags struct {
	only, formats     []string
	style, width, dir string
	quiet             bool
}

func figuresCommand() *cobra.Command {
	var f figuresFlags
	c := &cobra.Command{
		Use:   "figures [FOLDER|FILE]",
		Short: "draw the figures alone, for a paper, a slide or a page",
		Long: `Draw the figures of results (those of the folder out unless another folder, or
its results.json, is named) into a folder of their own, each as SVG, PDF, PNG of
300 dots to the inch, its rows as CSV, and its caption in Markdown and LaTeX.
The style web adds a dark SVG beside the light one.`,
		Example: `  mcsim figures
  mcsim figures results --figure scaled --style ieee --format pdf,tex -o paper
  mcsim figures results --style ieee --width single -o paper`,
		Args: oneOfResults, ValidArgsFunction: folder.Complete(1),
		RunE: func(c *cobra.Command, args []string) error {
			charts, in, err := f.chosen()
			if err != nil {
				return err
			}
			from, doc, err := folder.ReadAt(args)
			if err != nil {
				return err
			}
			figures, err := f.shown(charts, doc, from.File)
			if err != nil {
				return err
			}
			if err := f.write(figures, in); err != nil {
				return err
			}
			if !f.quiet {
				var drawn []figure.Chart
				for _, g := range figures {
					drawn = append(drawn, g.Chart)
				}
				fmt.Fprintf(c.OutOrStdout(), "%s: %s as %s\n", plain.Printable(f.dir), strings.Join(chartNames(drawn), ", "), strings.Join(f.formats, ", "))
			}
			return nil
		},
	}
	styles := strings.Join(styleNames(), ", ")
	c.Flags().StringSliceVar(&f.only, "figure", nil, "draw only the figure `ID`, or several with commas between: "+strings.Join(chartNames(chart.All), ", "))
	c.Flags().StringVar(&f.style, "style", "nature", "`STYLE` of the figures: "+styles)
	c.Flags().StringVar(&f.width, "width", "double", "`WIDTH` of the figures, one or two columns: "+strings.Join(theme.Widths, ", "))
	c.Flags().StringSliceVar(&f.formats, "format", figure.Formats, "`FORMATS` to write, with commas between")
	c.Flags().StringVarP(&f.dir, "out", "o", "figures", flag.Out+": folder `DIR`")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, flag.Quiet)
	flag.Offer(c.Flags(), "figure", chartNames(chart.All)...)
	flag.Offer(c.Flags(), "style", styleNames()...)
	flag.Offer(c.Flags(), "width", theme.Widths...)
	flag.Offer(c.Flags(), "format", figure.Formats...)
	flag.OfferFolders(c.Flags(), "out")
	return c
}

// chosen checks what was asked for before anything is read.
func (f *figuresFlags) chosen() ([]figure.Chart, theme.Theme, error) {
	var in theme.Theme
	for _, name := range f.formats {
		if err := flag.OneOf("format", name, figure.Formats); err != nil {
			return nil, in, err
		}
	}
	if err := flag.OneOf("style", f.style, styleNames()); err != nil {
		return nil, in, err
	}
	if err := flag.OneOf("width", f.width, theme.Widths); err != nil {
		return nil, in, err
	}
	f.formats, f.only = flag.Distinct(f.formats), flag.Distinct(f.only)
	switch {
	case len(f.formats) == 0:
		return nil, in, fmt.Errorf("--format needs one of %s", strings.Join(figure.Formats, ", "))
	case f.dir == "":
		return nil, in, fmt.Errorf("--out needs a folder")
	}
	in.Style, _ = theme.StyleNamed(f.style)
	in.Narrow = f.width == "single"
	if len(f.only) == 0 {
		return chart.All, in, nil
	}
	var charts []figure.Chart
	for _, name := range f.only {
		c, ok := chart.Named(name)
		if !ok {
			return nil, in, flag.OneOf("figure", name, chartNames(chart.All))
		}
		charts = append(charts, c)
	}
	return charts, in, nil
}

// shown returns the figures of charts without those that the results have no rows
// for, unless they were asked for.
func (f *figuresFlags) shown(charts []figure.Chart, doc *result.Document, path string) ([]figure.Figure, error) {
	var out []figure.Figure
	for _, c := range charts {
		g := c.Of(doc)
		switch {
		case g.Shows():
			out = append(out, g)
		case len(f.only) > 0:
			return nil, fmt.Errorf("%s: has no rows for the figure %s", path, c.Name)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: has no rows for any figure", path)
	}
	return out, nil
}

// write draws everything before anything takes its place.
func (f *figuresFlags) write(figures []figure.Figure, in theme.Theme) error {
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", f.dir, err)
	}
	var set replace.Set
	defer set.Discard()
	for _, g := range figures {
		for _, format := range f.formats {
			data, err := g.File(format, in)
			if err == nil {
				err = set.AddText(filepath.Join(f.dir, g.Name+"."+format), data)
			}
			if err == nil && format == "svg" && f.style == "web" {
				err = set.AddText(filepath.Join(f.dir, g.Name+"-dark.svg"), g.SVG(in.OnDark()))
			}
			if err != nil {
				return err
			}
		}
	}
	return set.Commit()
}

// chartNames are the charts that --figure takes, in the order of the table.
func chartNames(charts []figure.Chart) []string {
	var out []string
	for _, c := range charts {
		out = append(out, c.Name)
	}
	return out
}

// styleNames are the styles of journals that --style takes.
func styleNames() []string {
	var out []string
	for _, s := range theme.Styles {
		out = append(out, s.Name)
	}
	return out
}
