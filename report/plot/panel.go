// Package plot declares the marks on a pair of axes (Panel), and selects their data from a
// document (Data): points with intervals, lines, bands and heat maps. The data do not depend on
// a canvas.
package plot

import (
	"cmp"

	"gonum.org/v1/plot/vg"

	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Facet repeats the panels of a chart for every value of a parameter. The repeated panels have the
// same axes, and their titles begin with the value.
type Facet struct {
	Filter selection.Filter // estimates that have the values
	Param  string
}

// Panel declares a pair of axes and its marks.
type Panel struct {
	Title  string // text above the axes
	X, Y   Axis
	Height float64 // height relative to other panels of a column; 0 means 1
	Points []Points
	Lines  []Lines
	Heat   *Heat
	// Fixed are parameters that all estimates of the panel have.
	Fixed result.Params
	// Guides returns guide lines, which may depend on the document and on the chart's fixed
	// parameters.
	Guides func(doc *result.Document, fixed result.Params) []Guide
	// Spread moves the markers of one category apart, in ascending order from bottom to top.
	Spread bool
	// Dodge moves the markers at one x apart, for series that may have equal values.
	Dodge bool
	// CategoryOf returns the category of an estimate if the categories are not values of a
	// parameter.
	CategoryOf func(result.Estimate) string
	// CompareCategories compares the first estimates of two categories to sort these. It may be
	// nil.
	CompareCategories func(a, b result.Estimate) int
}

// Axis declares an axis.
type Axis struct {
	Param string // parameter that the axis shows; empty if it shows the values of estimates
	Label string
	Log   bool
	// IsCategorical means that a y axis is categorical: it lists the values of the parameter,
	// which are strings, from top to bottom, and the x axis shows the values of estimates.
	IsCategorical bool
	// MinUpperEnd is a minimum of the upper end of an axis of values that begins at 0.
	MinUpperEnd float64
}

// Points declares measured points with their intervals. There is one series for each
// value of SeriesParam.
type Points struct {
	Filter selection.Filter
	// MakeMarks makes the markers and their bars, if they are not estimates of the document.
	MakeMarks   func(doc *result.Document, fixed result.Params) []Mark
	SeriesParam string
	ShownValues []any  // values of SeriesParam that are shown; nil for all
	Label       string // label of the series if SeriesParam is empty
	// Convert returns an estimate in another unit, and false if the estimate is not shown.
	Convert     func(result.Estimate) (result.Estimate, bool)
	IsTheory    bool // the markers show the theory of the estimates, without intervals
	HasNoErrors bool // the values do not have errors; an example is a number of standard errors
	// HideMarkers hides the markers of the intervals.
	HideMarkers bool
	JoinMarkers bool // a line joins the markers
	DrawBars    bool // bars from 0 to the values replace the markers
	// BandLabel is the legend's label of a band that replaces the error bars. It is empty for bars.
	BandLabel string
	// Lower and Upper select estimates whose values replace the ends of the intervals.
	Lower, Upper selection.Filter
	// IsOpen reports whether the marker of an estimate is open.
	IsOpen func(*result.Document, result.Estimate) bool
	// Name returns a text next to the marker of an estimate, or "".
	Name func(*result.Document, result.Estimate) string
	// Colour replaces the colour of the series if it is not zero.
	Colour theme.Swatch
}

// Mark is an estimate of the document, and the same in the units of the axis.
type Mark struct{ Estimate, Converted result.Estimate }

// Lines declares lines, which are curves of the document, one for each value of SeriesParam.
// In a panel without points, they have the styles of series.
type Lines struct {
	Curves          selection.Filter
	SeriesParam     string
	Label           string // label of the line if SeriesParam is empty
	HasDistribution bool   // each curve has one distribution
	// Exponent p divides curves of single rows by x^p, and gives them the colour of p.
	Exponent float64
	// BandLabel is the legend's label of the band of ±2·x^(1/2 − p), two standard deviations. It
	// is empty if there is no band.
	BandLabel string
	MinX      float64 // the smallest x that is shown
}

// Heat declares a heat map of settings over both axes. The colour and the label of a cell depend
// on its mean Σα² (Collision), the ratio of this to its limit (Concentration), and the proportion
// of dead rows (Dead).
type Heat struct{ Concentration, Collision, DeadProportion selection.Filter }

// Guide is a guide line at one value of the axis of values.
type Guide struct {
	Value      float64
	Label      string      // label in the legend; may be empty
	Dash       []vg.Length // empty for a solid black line
	IsVertical bool        // the line is at one x
}

// Dashed and LongDashed are dashes that no series has.
var Dashed, LongDashed = []vg.Length{3, 2}, []vg.Length{8, 2, 2, 2}

// FixedGuides declares guide lines that do not depend on a document.
func FixedGuides(guides ...Guide) func(*result.Document, result.Params) []Guide {
	return func(*result.Document, result.Params) []Guide { return guides }
}

// HasOnlyLines reports whether the panel has lines and no points.
func (p Panel) HasOnlyLines() bool { return len(p.Lines) > 0 && len(p.Points) == 0 }

// curves returns the curves that lines select in the panel. Unless these have a distribution, the
// fixed distribution of the panel is ignored.
func (p Panel) curves(spec Lines, doc *result.Document) []result.Curve {
	f := spec.Curves
	for param, value := range p.Fixed {
		if param != names.ParamDistribution || spec.HasDistribution || p.HasOnlyLines() {
			f = f.Fix(param, value)
		}
	}
	return selection.Curves(doc, f, p.X.Param)
}

// RelativeHeight returns the height of the panel relative to others of its column.
func (p Panel) RelativeHeight() float64 { return cmp.Or(p.Height, 1) }
