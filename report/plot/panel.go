// Package plot declares what a pair of axes shows (a Panel), and selects its
// data from a document: points with intervals, lines of theory, bands, maps,
// stacked bars. What it selects (Data) knows nothing of a canvas.
package plot

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/rows"
	"mcsim/sim/result"
)

// Each repeats the panels of a chart for every value of a parameter, which names them: small
// multiples, with the same axes all over. The name stands inside of panels that
// have a title of their own, and those of a value then in a row of their own.
type Each struct {
	Rows  rows.Filter // that have the values
	Param string
	// Most is how many values are shown: of more the first, the last, and those at even
	// steps between; 0: all.
	Most int
}

// Panel declares one pair of axes and the marks between them. The first
// panel of a column and those below it share their x axis.
type Panel struct {
	Title  string // above the axes
	Inside string // in the upper right corner
	X, Y   Axis
	Share  float64 // of the height that a stack of panels divides; 0 is 1
	Points []Points
	Lines  []Lines
	Traces []Traces
	Stack  []Part
	Heat   *Heat
	Gates  *Gates
	Band   *Band
	// Guides are lines at one value, which the document and the fixed parameters may tell.
	Guides func(doc *result.Document, fixed result.Params) []Level
	// Swarm: the markers of a row of names that would cover each other stand above
	// and below it.
	Swarm bool
	// Called names a row of an axis of names where no parameter does, by a label. Order is
	// that of the rows.
	Called func(result.Estimate) string
	Order  func(a, b result.Estimate) int
	// Wide: the panel stands alone in its row, across all columns, and is not repeated.
	Wide bool
	// Ends writes the name of each series at the right end of its line
	// instead of into the legend.
	Ends bool
}

// Axis declares one axis.
type Axis struct {
	Param string // parameter of the rows that the axis shows; none: their value
	Label string
	Log   bool
	At    bool // put a tick at each value that the rows have, as a fraction
	// Names: the parameter of a y axis has names for values. They stand from
	// top to bottom, and the values of points run to the right.
	Names bool
	// To is where an axis of values that begins at 0 ends at least.
	To float64
	// Reach: an x axis reaches as far as the lines, and has its ticks on powers of two
	// where they begin and end on such.
	Reach bool
}

// Unit says in which unit the points of a panel stand.
type Unit func(result.Estimate) (result.Estimate, bool)

// Points declares measured points with their intervals, one series for each
// value of the parameter By.
type Points struct {
	Rows       rows.Filter
	DefaultLaw bool // only the law that stands for all
	By         string
	Label      string // where there is no By
	In         Unit   // nil: as measured
	// Theory: the markers are the theory of the rows, without intervals.
	Theory bool
	// Bare: the values have no error to show, such as a number of standard errors.
	Bare bool
	Join bool // draw a line from marker to marker, where there is no line of theory
	// Few: of more than five values of By only those that are quarters are shown.
	Few bool
	// Band: a band from marker to marker, which the legend calls so. It goes from Lower to
	// Upper, two other quantities; without them it is that of the intervals, in place of bars.
	Band         string
	Lower, Upper rows.Filter
	// Open tells of which rows the markers are open, whatever their series.
	Open func(*result.Document, result.Estimate) bool
	// Neutral: the colour stands for neither way in which softmax departs, where colours do.
	Neutral bool
}

// Lines declares lines of theory, one for each value of By: curves of the
// document. Those of a panel that shows nothing else are told apart as series are.
type Lines struct {
	Curves rows.Filter
	By     string
	Label  string // where there is no By
	Law    bool   // each curve is of one law
}

// Heat declares a map of settings over both axes: by their largest weight on average and
// by R of their median row, which give each cell its colour and its label.
type Heat struct {
	Weights, Medians rows.Filter
	// Marked draws a border around the cells at one value of the y axis. It may be nil.
	Marked *Level
}

// Band declares the tolerance of gates, in units of the theory of their rows; or, beside an
// axis of names, what the ends of their bands are on the axis of values; or Always the same.
type Band struct {
	Gates  rows.Filter
	Label  string
	At     func(end float64) float64
	Always [2]float64
}

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

// At returns the panel for one value of a parameter, which its curves have too
// or not.
func (p Panel) At(param string, value any, curves bool) Panel {
	p.Points, p.Lines = slices.Clone(p.Points), slices.Clone(p.Lines)
	p.Traces, p.Stack = slices.Clone(p.Traces), slices.Clone(p.Stack)
	if p.Heat != nil {
		heat := *p.Heat
		p.Heat = &heat
	}
	if p.Band != nil {
		band := *p.Band
		p.Band = &band
	}
	for _, f := range p.filters(curves) {
		*f = f.With(param, value)
	}
	return p
}

// LinesAlone reports whether the panel shows lines and nothing that was measured.
func (p Panel) LinesAlone() bool {
	return len(p.Lines) > 0 && len(p.Points)+len(p.Traces)+len(p.Stack) == 0 && p.Heat == nil && p.Gates == nil
}

// filters are those of all rows, and those of the lines that are of one law or are to be.
func (p Panel) filters(curves bool) (out []*rows.Filter) {
	for i := range p.Points {
		s := &p.Points[i]
		out = append(out, &s.Rows, &s.Lower, &s.Upper)
	}
	for i := range p.Lines {
		if l := &p.Lines[i]; curves || l.Law || p.LinesAlone() {
			out = append(out, &l.Curves)
		}
	}
	for i := range p.Traces {
		t := &p.Traces[i]
		out = append(out, &t.Curves, &t.Lower, &t.Upper)
	}
	for i := range p.Stack {
		out = append(out, &p.Stack[i].Rows)
	}
	if p.Heat != nil {
		out = append(out, &p.Heat.Weights, &p.Heat.Medians)
	}
	if p.Band != nil {
		out = append(out, &p.Band.Gates)
	}
	return out
}

// HeightShare is the part of the height that the panel takes.
func (p Panel) HeightShare() float64 { return cmp.Or(p.Share, 1) }
