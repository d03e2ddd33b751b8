// Package theme says how figures look: the sizes that journals and the web
// ask for, the colours on light and on dark pages, and the colour, marker and
// dash that tell one series from another.
package theme

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// Style is the format of a place that figures go to.
type Style struct {
	Name           string
	Single, Double vg.Length // widths of one column and of the page
	Text           vg.Length // size of labels
	Letter         vg.Length // size of the bold letters of panels; 0: they stand in brackets before the title
	Columns        int       // of the page, so that a figure of its width is figure* in LaTeX
	Highest        vg.Length // that a figure may become; 0: no limit
}

// Styles are those that a figure can be drawn in.
var Styles = []Style{
	// Nature, guide to authors: 89 and 183 mm wide, at most 170 mm high with
	// its caption's place left free; text of 5 to 7 points, panels named by
	// letters of 8 points, bold and upright.
	{Name: "nature", Single: 89 * vg.Millimeter, Double: 183 * vg.Millimeter, Text: 7, Letter: 8, Columns: 2,
		Highest: 170 * vg.Millimeter},
	// IEEE Author Center: 3.5 and 7.16 inches.
	{Name: "ieee", Single: 3.5 * vg.Inch, Double: 7.16 * vg.Inch, Text: 8, Columns: 2, Highest: 170 * vg.Millimeter},
	// The pages show a figure at 320 CSS pixels and more in one column, and from 671 on at
	// full width: at these its smallest text, a script or a mark of 0.72 of the size of
	// labels, has 8.5 pixels.
	{Name: "web", Single: 256, Double: 540, Text: 9.5, Columns: 1},
}

// StyleNamed returns the style with a name; ok is false if there is none.
func StyleNamed(name string) (Style, bool) {
	for _, s := range Styles {
		if s.Name == name {
			return s, true
		}
	}
	return Style{}, false
}

// Widths are the names of a style's widths.
var Widths = []string{"single", "double"}

// Theme is how a figure is drawn.
type Theme struct {
	Style  Style
	Narrow bool // one column
	Dark   bool // on a dark page
}

// The themes of the site: its pages, and the files to cite.
var (
	Web   = Theme{Style: Styles[2]}
	Print = Theme{Style: Styles[0]}
)

// OnDark returns the theme on a dark page.
func (t Theme) OnDark() Theme {
	t.Dark = true
	return t
}

// InColumn returns the theme in one column.
func (t Theme) InColumn() Theme {
	t.Narrow = true
	return t
}

// Width returns the width of the figure.
func (t Theme) Width() vg.Length {
	if t.Narrow {
		return t.Style.Single
	}
	return t.Style.Double
}

// Of returns the theme's version of a colour.
func (t Theme) Of(s Swatch) color.NRGBA {
	if t.Dark {
		return s.Dark
	}
	return s.Paper
}
