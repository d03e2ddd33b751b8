// Package plot declares what a pair of axes shows (a Panel), and selects its
// data from a document: points with intervals, lines, bands and maps. The data
// (Data) do not depend on a canvas.
package plot

import (
	"cmp"

	"gonum.org/v1/plot/vg"

	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Each repeats the panels of a chart for every value of a parameter, which begins their
// titles: small multiples with the same axes.
type Each struct {
	Rows  selection.Filter // that have the values
	Param string
}

// Panel declares one pair of axes and the marks between them. The first
// panel of a column and those below it share their x axis.
type Panel struct {
	Title  string // above the axes
	X, Y   Axis
	Share  float64 // of the height that a stack of panels divides; 0 means 1
	Points []Points
	Lines  []Lines
	Heat   *Heat
	// Only are parameters that all rows of the panel have.
	Only result.Params
	// Guides returns lines at one value, which may depend on the document and the fixed parameters.
	Guides func(doc *result.Document, fixed result.Params) []Level
	// Spread puts the marks of a row of names above each other, in ascending order.
	Spread bool
	// Dodge puts the markers of the series next to each other at each x, for series that may have
	// the same height.
	Dodge bool
	// RowName returns the label of a row of an axis of names without a parameter. Order sorts the
	// rows.
	RowName func(result.Estimate) string
	Order   func(a, b result.Estimate) int
}

// Axis declares one axis.
type Axis struct {
	Param string // parameter of the rows that the axis shows; empty for their values
	Label string
	Log   bool
	// Names means that the parameter of a y axis has names for values. They are listed from
	// top to bottom, and the values of points run to the right.
	Names bool
	// To is the smallest end of an axis of values that begins at 0.
	To float64
}

// Points declares measured points with their intervals, one series for each
// value of the parameter By.
type Points struct {
	Rows selection.Filter
	// Marks makes the marks, with their own bars, if they are not rows of the document.
	Marks  func(doc *result.Document, only result.Params) []Mark
	By     string
	Values []any  // the shown values of By; nil for all
	Label  string // if there is no By
	// Convert returns a row in another unit, and false for a row that is not shown.
	Convert func(result.Estimate) (result.Estimate, bool)
	Theory  bool // markers are the theory of the rows, without intervals
	Bare    bool // values have no error to show, such as a number of standard errors
	// Unmarked intervals have no markers.
	Unmarked bool
	Join     bool // a line joins the markers
	Bars     bool // bars from 0 to the value replace markers
	// Lower and Upper are two other quantities whose values are the ends of a bar in place of the
	// interval, or of a band from marker to marker, which the legend calls Band. A band without
	// them is that of the intervals, in place of bars.
	Band         string
	Lower, Upper selection.Filter
	// Open reports whether the marker of a row is open.
	Open func(*result.Document, result.Estimate) bool
	// Name is written next to the marker of a row; most are empty.
	Name func(*result.Document, result.Estimate) string
	// Colour is the colour of a series if it has a meaning.
	Colour theme.Swatch
}

// Mark is a row of the document, and the same as it is drawn.
type Mark struct{ Row, Shown result.Estimate }

// Lines declares lines, one for each value of By: curves of the document. Those of a panel that shows
// nothing else have the styles of series.
type Lines struct {
	Curves       selection.Filter
	By           string
	Label        string // if there is no By
	Distribution bool   // each curve has one distribution
	// Curves through single rows are divided by x to the power Exponent, whose colour they have. The
	// band of two standard deviations around them, twice x to the power 1/2 − Exponent, has the label
	// Around in the legend.
	Exponent float64
	Around   string
	MinX     float64 // the smallest x that is shown
}

// Heat declares a map of settings over both axes. Their mean Σα², by itself and over its limit,
// and their proportion of dead rows give each cell its colour and its label.
type Heat struct{ Concentration, Collision, Dead selection.Filter }

// Level is a line at one value, across the axis of values.
type Level struct {
	Value   float64
	Label   string      // in the legend; may be empty
	Dash    []vg.Length // empty for a strong line
	Upright bool        // at one x instead
}

// Dashes of lines that no series has.
var Dashed, LongDashed = []vg.Length{3, 2}, []vg.Length{8, 2, 2, 2}

// Levels declares lines that do not depend on a document.
func Levels(levels ...Level) func(*result.Document, result.Params) []Level {
	return func(*result.Document, result.Params) []Level { return levels }
}

// LinesAlone reports whether the panel shows lines and no measured points.
func (p Panel) LinesAlone() bool { return len(p.Lines) > 0 && len(p.Points) == 0 }

// curves returns the curves of lines in the panel. Most have no distribution.
func (p Panel) curves(spec Lines, doc *result.Document) []result.Curve {
	f := spec.Curves
	for param, value := range p.Only {
		if param != names.ParamDistribution || spec.Distribution || p.LinesAlone() {
			f = f.With(param, value)
		}
	}
	return selection.Curves(doc, f, p.X.Param)
}

// HeightShare is the part of the height that the panel takes.
func (p Panel) HeightShare() float64 { return cmp.Or(p.Share, 1) }
