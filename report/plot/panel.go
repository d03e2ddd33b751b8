// Package plot declares what a pair of axes shows (a Panel), and selects its
// data from a document: points with intervals, lines, bands and maps. What it selects
// (Data) knows nothing of a canvas.
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
// titles: small multiples, with the same axes all over.
type Each struct {
	Rows  selection.Filter // that have the values
	Param string
}

// Panel declares one pair of axes and the marks between them. The first
// panel of a column and those below it share their x axis.
type Panel struct {
	Title  string // above the axes
	X, Y   Axis
	Share  float64 // of the height that a stack of panels divides; 0 is 1
	Points []Points
	Lines  []Lines
	Heat   *Heat
	// Only are parameters that all rows of the panel have.
	Only result.Params
	// Guides are lines at one value, which the document and the fixed parameters may tell.
	Guides func(doc *result.Document, fixed result.Params) []Level
	// Spread: the marks of a row of names stand above each other, in ascending order.
	Spread bool
	// Apart: the markers of the series stand beside each other at each x, where they may be
	// at the same height.
	Apart bool
	// Called names a row of an axis of names where no parameter does, by a label. Order is
	// that of the rows.
	Called func(result.Estimate) string
	Order  func(a, b result.Estimate) int
}

// Axis declares one axis.
type Axis struct {
	Param string // parameter of the rows that the axis shows; none: their value
	Label string
	Log   bool
	// Names: the parameter of a y axis has names for values. They stand from
	// top to bottom, and the values of points run to the right.
	Names bool
	// To is where an axis of values that begins at 0 ends at least.
	To float64
}

// Unit says in which unit the points of a panel stand.
type Unit func(result.Estimate) (result.Estimate, bool)

// Points declares measured points with their intervals, one series for each
// value of the parameter By.
type Points struct {
	Rows selection.Filter
	// From makes the marks of a document with what all rows of the panel have, where they are
	// no rows of it, with bars of their own; nil: Rows.
	From  func(doc *result.Document, only result.Params) []Mark
	By    string
	Of    []any  // of the values of By these alone; nil: all
	Label string // where there is no By
	In    Unit   // nil: as measured
	// Theory: the markers are the theory of the rows, without intervals.
	Theory bool
	// Bare: the values have no error to show, such as a number of standard errors.
	Bare bool
	// Unmarked: the intervals stand without markers.
	Unmarked bool
	Join     bool // draw a line from marker to marker, where there is no line of theory
	Bars     bool // from 0 to the value, in place of markers
	// Lower and Upper are two other quantities, between which a bar goes in place of the
	// interval, or a band from marker to marker, which the legend calls Band. A band without
	// them is that of the intervals, in place of bars.
	Band         string
	Lower, Upper selection.Filter
	// Open tells of which rows the markers are open, whatever their series.
	Open func(*result.Document, result.Estimate) bool
	// Called is written beside the marker of a row; empty for most.
	Called func(*result.Document, result.Estimate) string
	// Colour is that of the series, where it has a meaning of its own.
	Colour theme.Swatch
}

// Mark is a row of the document, and the same as it is drawn.
type Mark struct{ Row, Shown result.Estimate }

// Lines declares lines, one for each value of By: curves of the document. Those of a panel that shows
// nothing else have the styles of series.
type Lines struct {
	Curves       selection.Filter
	By           string
	Label        string // where there is no By
	Distribution bool   // each curve is of one distribution
	// Curves that go through what was drawn of single rows are divided by x to the power
	// Exponent, whose colour they have, and around them stands the band of two standard
	// deviations by theory, twice x to the power 1/2 − Exponent, which the legend calls Around.
	Exponent float64
	Around   string
	From     float64 // the least x that is shown
}

// Heat declares a map of settings over both axes. Their mean Σα², by itself and over its limit,
// and their share of dead rows give each field its colour and its label.
type Heat struct{ Concentration, Collision, Dead selection.Filter }

// Level is a line at one value, across the axis of values.
type Level struct {
	At      float64
	Label   string      // in the legend; may be empty
	Dash    []vg.Length // none: a strong line
	Upright bool        // at one x instead
}

// Dashes of lines that no series has.
var Dashed, LongDashed = []vg.Length{3, 2}, []vg.Length{8, 2, 2, 2}

// At declares levels that no document tells.
func At(levels ...Level) func(*result.Document, result.Params) []Level {
	return func(*result.Document, result.Params) []Level { return levels }
}

// LinesAlone reports whether the panel shows lines and nothing that was measured.
func (p Panel) LinesAlone() bool { return len(p.Lines) > 0 && len(p.Points) == 0 }

// curves are those of lines in the panel. Most are of no one distribution.
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
