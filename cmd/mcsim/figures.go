package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/plot/vg"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/report/chart"
	"mcsim/report/figure"
	"mcsim/report/theme"
	"mcsim/sim/base/markup"
	"mcsim/sim/base/replace"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

type figuresFlags struct {
	selected    []string // names of figures; empty for all
	formats     []string
	style, dir  string
	width       string    // name of a width of the style; empty if millimetres is set
	millimetres float64   // width of figures; 0 for a width of the style
	textSize    vg.Length // of labels, in points; 0 for the size of the style
	themeFile   string    // may be empty
	quiet       bool
}

func newFiguresCommand(shutdown *program.Shutdown) *cobra.Command {
	f := figuresFlags{style: "nature", width: "double", formats: figure.Formats}
	c := &cobra.Command{
		Use:  "figures [FOLDER|FILE]",
		Args: cmdline.OptionalResults, ValidArgsFunction: cmdline.CompleteResults(1),
		RunE: func(c *cobra.Command, args []string) error {
			figureTheme, err := f.theme() // sets the font, which NewFigure needs
			if err != nil {
				return err
			}
			location, doc, err := results.LocateAndRead(args)
			if err != nil {
				return err
			}
			figures, err := f.choose(doc, location.File, figureTheme)
			if err != nil {
				return err
			}
			if err := shutdown.Replace(func() error { return f.write(figures, figureTheme) }); err != nil {
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
	cmdline.AddChoice(c, &f.style, "style", "`STYLE` of the figures",
		names.Map(theme.Styles, func(s theme.Style) string { return s.Name }))
	c.Flags().Var(cmdline.NewValue(f.parseWidth), "width",
		"`WIDTH` of the figures: single or double (columns of the style), or 60mm to 400mm (default double)")
	cmdline.CompleteValues(c, "width", theme.Widths...)
	c.Flags().Var(cmdline.NewValue(f.parseTextSize), "font-size",
		"`POINTS`, the size of labels: 5 to 14 (default: the style's)")
	c.Flags().StringVar(&f.themeFile, "theme", "", "`FILE` with a font, colours and labels: see docs/figures.md")
	cmdline.AddChoices(c, &f.formats, "format", "`FORMAT`, or several (comma-separated), of the files", figure.Formats)
	c.Flags().StringVarP(&f.dir, "out", "o", "figures", cmdline.OutUsage+": folder `DIR`")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, cmdline.QuietUsage)
	return c
}

// choose returns the figures that the flags name, or all figures for which the results have
// estimates. It checks the theme's file against all figures of the results.
func (f *figuresFlags) choose(doc *result.Document, path string, t theme.Theme) (figures []figure.Figure, err error) {
	for _, c := range chart.All {
		g := c.NewFigure(doc)
		if t.Custom != nil && g.HasData() {
			g.VisitLabels(t)
		}
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
	if t.Custom != nil {
		err = t.Custom.Check()
	}
	return figures, err
}

// parseWidth parses the name of a width of the style, or a width in millimetres.
func (f *figuresFlags) parseWidth(text string) (err error) {
	number, isLength := strings.CutSuffix(text, "mm")
	if !isLength {
		f.width, f.millimetres = text, 0
		return cmdline.RefuseUnknown("width", text, append(slices.Clone(theme.Widths), "88mm"))
	}
	f.width = ""
	f.millimetres, err = parseBetween(number, 60, 400, "mm")
	return err
}

func (f *figuresFlags) parseTextSize(text string) error {
	size, err := parseBetween(text, 5, 14, "points")
	f.textSize = vg.Length(size)
	return err
}

// parseBetween parses a number in [lo, hi].
func parseBetween(text string, lo, hi float64, unit string) (float64, error) {
	x, err := experiment.Number(text)
	if err == nil && !(x >= lo && x <= hi) {
		err = fmt.Errorf("%s is not in [%g, %g] %s", text, lo, hi, unit)
	}
	return x, err
}

// theme returns the style with the requested width and size of labels, and with the theme's file. A
// figure that is nearer to the width of one column than to that of the page is laid out for one
// column.
func (f *figuresFlags) theme() (t theme.Theme, err error) {
	style, _ := theme.StyleByName(f.style)
	style.TextSize = cmp.Or(f.textSize, style.TextSize)
	isNarrow := f.width == "single"
	if f.millimetres > 0 {
		width := vg.Length(f.millimetres) * vg.Millimeter
		isNarrow = width < (style.ColumnWidth+style.PageWidth)/2
		style.ColumnWidth, style.PageWidth = width, width
	}
	t = theme.Theme{Style: style, Narrow: isNarrow}
	if f.themeFile != "" {
		text, err := results.ReadText(f.themeFile, markup.MaxSize)
		if err != nil {
			return t, err
		}
		t.Custom, err = theme.ParseCustom(f.themeFile, text, results.ReadText)
		return t, err
	}
	return t, nil
}

// write draws the figures in all formats, and replaces the files after it has drawn all of them.
func (f *figuresFlags) write(figures []figure.Figure, figureTheme theme.Theme) error {
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
