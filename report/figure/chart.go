// Package figure draws the charts of a report. A chart is declared in a file
// of its own (which rows, which axes, which marks, caption, finding) and
// entered in All; one engine draws every chart, as SVG and as PNG.
//
// Lengths are in points on a canvas of gonum's vg whose origin is at the
// lower left. A figure holds no date and no name of the machine: the same
// document gives the same bytes.
package figure

import (
	"gonum.org/v1/plot/vg"

	"mcsim/report/rows"
	"mcsim/sim/result"
)

// All is every chart of a report, in the order of the pages.
var All = []Chart{scaled, variance, slope}

// Named returns the chart of that name.
func Named(name string) (Chart, bool) {
	for _, c := range All {
		if c.Name == name {
			return c, true
		}
	}
	return Chart{}, false
}

// Text writes a string that comes from a plan as plain text of the format
// that a sentence goes into (Markdown, XML).
type Text func(string) string

// Chart declares one figure.
type Chart struct {
	Name   string // of its files, without extension
	Title  string // what is plotted against what, in plain text
	Height vg.Length
	Panels []Panel // from top to bottom, sharing their x axis
	// Caption says how to read what is drawn; d_k stands for itself.
	Caption func(d drawn, text Text) []string
	// Finding says in one sentence what the rows show. It is empty where the
	// rows that it speaks of are missing.
	Finding func(doc *result.Document, text Text) string
}

// Panel declares one pair of axes and the marks between them.
type Panel struct {
	X, Y   Axis
	Share  float64 // of the height that the panels divide among them
	Points []Points
	Lines  []Lines
	Band   *Band
	Level  *Level
	// Ends writes the name of each series at the right end of its line
	// instead of into the legend.
	Ends bool
}

// Axis declares one axis. Its label is in the notation of label.go.
type Axis struct {
	Param string // parameter of the rows that an x axis shows
	Label string
	Log   bool
	At    bool // put a tick at each value that the rows have, as a fraction
}

// Unit says in which unit the points of a panel stand.
type Unit func(result.Estimate) (result.Estimate, bool)

// Points declares measured points with their intervals, one series for each
// value of the parameter By.
type Points struct {
	Rows rows.Filter
	Lead bool // only the law that stands for all
	By   string
	In   Unit // nil: as measured
}

// Lines declares lines of theory, one for each value of By.
type Lines struct {
	Curves rows.Filter
	By     string
	Label  string // where there is no By
}

// Band declares the tolerance of gates, in units of the theory of their rows.
type Band struct {
	Gates rows.Filter
	Label string
}

// Level declares a horizontal line.
type Level struct{ Y float64 }

// Widths in which a figure is drawn: the full width of a page of print, and
// one column of it, which is also about the width of a telephone.
const (
	Wide   = 183 * vg.Millimeter
	Narrow = 89 * vg.Millimeter
)
