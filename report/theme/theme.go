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
	Highest        vg.Length // that a figure may become; 0: no limit
}

// Styles are those that a figure can be drawn in.
var Styles = []Style{
	// Nature, guide to authors: 89 and 183 mm wide, at most 170 mm high with
	// its caption's place left free.
	{"nature", 89 * vg.Millimeter, 183 * vg.Millimeter, 8, 170 * vg.Millimeter},
	// IEEE Author Center: 3.5 and 7.16 inches.
	{"ieee", 3.5 * vg.Inch, 7.16 * vg.Inch, 8, 170 * vg.Millimeter},
	// A telephone of 360 CSS pixels, and the pages' column of 720.
	{"web", 270, 540, 9, 0},
}

// StyleNamed returns the style of that name.
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

// Width is that of the figure.
func (t Theme) Width() vg.Length {
	if t.Narrow {
		return t.Style.Single
	}
	return t.Style.Double
}

// Shade returns the colour that stands for a colour on paper.
func (t Theme) Shade(k color.NRGBA) color.NRGBA {
	if !t.Dark {
		return k
	}
	for _, s := range swatches() {
		if s.Paper.R == k.R && s.Paper.G == k.G && s.Paper.B == k.B {
			dark := s.Dark
			dark.A = k.A
			return dark
		}
	}
	return k
}
