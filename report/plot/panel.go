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
	Filter selection.Filter // selects the estimates that have the values
	Param  string
}

// Panel declares a pair of axes and its marks.
type Panel struct {
	Title  string // text above the axes
	X, Y   Axis
	Height float64 // height relative to the other panels of its column; 0 means 1
	Points []PointsSpec
	Lines  []LinesSpec
	Heat   *HeatSpec
	// Fixed are parameters that all estimates of the panel have.
	Fixed result.Params
	// Guides returns guide lines, which may depend on the document and on the chart's fixed
	// parameters.
	Guides func(doc *result.Document, fixed result.Params) []Guide
	Zones  []Zone
	// SpreadMarkers moves the markers of one category apart, in ascending order from bottom to top.
	SpreadMarkers bool
	// DodgeMarkers moves the markers at one x apart, for series that may have equal values.
	DodgeMarkers bool
	// CategoryOf returns the category of an estimate if the categories are not values of a
	// parameter.
	CategoryOf func(result.Estimate) string
	// CompareCategories returns the order of two categories from the first estimate of each. If it
	// is nil, the categories are in the order of the document.
	CompareCategories func(a, b result.Estimate) int
}

// Axis declares an axis.
type Axis struct {
	Param string // parameter on the axis; empty for an axis of values, which shows estimates
	Label string
	Log   bool
	// IsCategorical means that a y axis is categorical: it lists the values of the parameter,
	// which are strings, from top to bottom, and the x axis shows the values of estimates.
	IsCategorical bool
	// MinUpperEnd, if it is not 0, makes an axis of values begin at 0 and end at this value or
	// above.
	MinUpperEnd float64
}

// PointsSpec declares measured points with their intervals. There is one series for each value of
// SeriesParam.
type PointsSpec struct {
	Filter selection.Filter
	// MakeMarks, if it is not nil, returns the markers and their bars in place of the estimates
	// that Filter selects.
	MakeMarks   func(doc *result.Document, fixed result.Params) []Mark
	SeriesParam string
	ShownValues []any  // values of SeriesParam that are shown; nil for all
	Label       string // label of the series if SeriesParam is empty
	// Convert returns an estimate in another unit, and false if the estimate is not shown.
	Convert     func(result.Estimate) (result.Estimate, bool)
	IsTheory    bool // the markers show the theory of the estimates, without intervals
	HasNoErrors bool // the values do not have errors; an example is a number of standard errors
	HideMarkers bool // only the intervals are drawn
	JoinMarkers bool // a line joins the markers
	DrawBars    bool // bars from 0 to the values replace the markers
	IsFaint     bool // only thin grey lines and the names of markers are drawn, without a label
	// BandLabel is the label of a band that replaces the error bars. If it is empty, there is no
	// band.
	BandLabel string
	// Lower and Upper select estimates whose values replace the ends of the intervals.
	Lower, Upper selection.Filter
	// IsHollow reports whether the marker of an estimate is hollow. If it is nil, the style of the
	// series decides.
	IsHollow func(*result.Document, result.Estimate) bool
	// Name returns a text next to the marker of an estimate, or "".
	Name func(*result.Document, result.Estimate) string
	// Colour replaces the colour of the series if it is not zero.
	Colour theme.Swatch
}

// Mark is an estimate in the units of the document, and the same estimate in the units of the axis.
type Mark struct{ Estimate, Converted result.Estimate }

// LinesSpec declares lines. They are curves of the document, one for each value of SeriesParam. In
// a panel without points, each line has the style of a series.
type LinesSpec struct {
	Curves          selection.Filter
	SeriesParam     string
	Label           string // label of the line if SeriesParam is empty
	HasDistribution bool   // the curves have the parameter distribution
	// Exponent is the power p of x by which the y values of the curves are divided. A curve of one
	// sampled row has the colour of p.
	Exponent float64
	// BandLabel is the label of a band of ±2·x^(1/2 − p), which are two standard deviations of a
	// sum of x terms divided by x^p. If it is empty, there is no band.
	BandLabel string
	// BelowLabel is the label of a band below the line. If it is empty, there is no such band.
	BelowLabel string
	MinX       float64 // the smallest x that is shown
}

// HeatSpec declares a heat map with a cell for each setting. The colour and the label of a cell
// depend on the mean Σα² (Collision), on the ratio of this mean to its limit (Concentration), and
// on the proportion of dead rows (DeadProportion).
type HeatSpec struct{ Concentration, Collision, DeadProportion selection.Filter }

// Guide is a guide line at one value of the axis of values or, if it is vertical, of the x axis.
type Guide struct {
	Value      float64
	Label      string      // label in the legend; may be empty
	Dash       []vg.Length // empty for a solid black line
	IsVertical bool        // the line is vertical, at a value of the x axis
}

// Zone is a shaded band from Lo to Hi on the y axis. Lo or Hi may be infinite.
type Zone struct {
	Lo, Hi  float64
	Label   string
	IsPlain bool // the band is not shaded
}

// Dashed and LongDashed are patterns of dashes that no series has.
var Dashed, LongDashed = []vg.Length{3, 2}, []vg.Length{8, 2, 2, 2}

// FixedGuides declares guide lines that do not depend on a document.
func FixedGuides(guides ...Guide) func(*result.Document, result.Params) []Guide {
	return func(*result.Document, result.Params) []Guide { return guides }
}

// HasOnlyLines reports whether the panel has lines and no points.
func (p Panel) HasOnlyLines() bool { return len(p.Lines) > 0 && len(p.Points) == 0 }

// curves returns the curves that a declaration selects, with the fixed parameters of the panel.
// Theory may be the same for all distributions, and then has no such parameter.
func (p Panel) curves(spec LinesSpec, doc *result.Document) []result.Curve {
	f := spec.Curves
	hasDistribution := spec.HasDistribution || p.HasOnlyLines()
	for param, value := range p.Fixed {
		if param == names.ParamDistribution && !hasDistribution {
			continue
		}
		f = f.Fix(param, value)
	}
	return selection.Curves(doc, f, p.X.Param)
}

// RelativeHeight returns the height of the panel relative to the other panels of its column.
func (p Panel) RelativeHeight() float64 { return cmp.Or(p.Height, 1) }
