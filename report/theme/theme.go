// Package theme defines the appearance of figures: the sizes that journals and the web require, the
// colours on light and on dark pages, and the colours, markers and dashes that distinguish series.
package theme

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// Style is a format of figures for a journal or the web.
type Style struct {
	Name                   string
	ColumnWidth, PageWidth vg.Length // widths of one column and of the page
	TextSize               vg.Length // size of labels
	Columns                int       // columns of the page; if there are two, LaTeX has figure* for the page's width
	MaxHeight              vg.Length // maximum height of a figure; 0: no limit
}

// Styles are all styles.
var Styles = []Style{
	// Nature, guide to authors: 89 and 183 mm wide, and at most 170 mm high, which leaves room for
	// the caption. Text has 5 to 7 points.
	{Name: "nature", ColumnWidth: 89 * vg.Millimeter, PageWidth: 183 * vg.Millimeter, TextSize: 7,
		Columns: 2, MaxHeight: 170 * vg.Millimeter},
	// IEEE Author Center: 3.5 and 7.16 inches.
	{Name: "ieee", ColumnWidth: 3.5 * vg.Inch, PageWidth: 7.16 * vg.Inch, TextSize: 8, Columns: 2,
		MaxHeight: 170 * vg.Millimeter},
	// A page shows a figure of one column in at least 320 CSS pixels, and a figure of full width in
	// at least 671. Subscripts and marks have 0.72 times the size of labels. They are the smallest
	// text, and have at least 8.5 CSS pixels.
	{Name: "web", ColumnWidth: 256, PageWidth: 540, TextSize: 9.5, Columns: 1},
}

// StyleByName returns the style with a name; ok is false if no style has it.
func StyleByName(name string) (s Style, ok bool) {
	for _, s := range Styles {
		if s.Name == name {
			return s, true
		}
	}
	return Style{}, false
}

// Widths are the names of a style's widths.
var Widths = []string{"single", "double"}

// Theme is a style with its variants.
type Theme struct {
	Style  Style
	Narrow bool    // one column wide
	Dark   bool    // for a dark page
	Custom *Custom // what a file changes; may be nil
}

// Web is the theme of the site's pages, and Print the theme of its files for printing.
var (
	Web   = Theme{Style: Styles[2]}
	Print = Theme{Style: Styles[0]}
)

// DarkVariant returns the theme for a dark page.
func (t Theme) DarkVariant() Theme {
	t.Dark = true
	return t
}

// NarrowVariant returns the theme for one column.
func (t Theme) NarrowVariant() Theme {
	t.Narrow = true
	return t
}

// Width returns the width of figures.
func (t Theme) Width() vg.Length {
	if t.Narrow {
		return t.Style.ColumnWidth
	}
	return t.Style.PageWidth
}

// Colour returns the colour of a swatch for the theme's page.
func (t Theme) Colour(s Swatch) color.NRGBA {
	c := s.Paper
	if t.Dark {
		c = s.Dark
	}
	if t.Custom != nil {
		if changed, ok := t.Custom.colours[s.withAlpha(255)]; ok {
			changed.A = c.A
			return changed
		}
	}
	return c
}
