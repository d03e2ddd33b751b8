package plot

import (
	"mcsim/report/axis"
	"mcsim/report/rows"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Data is a panel with the data that its declaration selects.
type Data struct {
	Panel
	ScaleX, ScaleY axis.Scale
	Xs             []float64 // distinct x of the points
	RowNames       []string  // of an axis of names, from top to bottom
	Seed           uint64    // of the document
	Series         []Series
	Theory         []Line
	Ribbons        []Ribbon
	Traces         []Trace
	Map            *heatMap
	Bars           []StackedBar
	Strips         []Strip
	Guides         []Level
	Tolerance      []Limits
	Shown          []result.Estimate // all that is shown, as measured
	Lost           int               // values that a logarithmic axis cannot hold
	Zeros          []float64         // heights of the rows of names whose value is 0, of those
}

// Series is one set of markers.
type Series struct {
	Label  string
	Place  int  // among the series of the figure, for the dodge
	Theory bool // and not measured
	Joined bool // a line goes from marker to marker
	Style  theme.SeriesStyle
	Points []Point
	AtMost []Point // values of 0 on a logarithmic axis, of which the upper end of the interval has a place
}

// Point is a measured value. Lo and Hi are the ends of its interval or, where it has
// none, one standard error to either side; NaN where it has neither. They run along y,
// or along x beside an axis of names.
type Point struct {
	X, Y, Lo, Hi float64
	Error        Certainty
	Open         bool // its marker is open
}

// Certainty is how well the error of a point is known, which its looks show.
type Certainty int

const (
	Interval Certainty = iota // it has an interval: a bar
	Roughly                   // a standard error alone: a faint bar
	Unsure                    // no error is known: a pale marker
	Bare                      // there is none, or no error to know
)

// Is reports whether a point's error is known as well as that.
func (c Certainty) Is(p Point) bool { return p.Error == c }

// Line is one line of theory.
type Line struct {
	Label string
	Style theme.SeriesStyle
	Xs    []float64
	Ys    []float64
	Rows  []result.Estimate // the same as rows without a value
}

// Limits are the ends of a tolerance or of a band at one x.
type Limits struct{ X, Lo, Hi float64 }

// Ribbon is a band from marker to marker.
type Ribbon struct {
	Label string
	Style theme.SeriesStyle
	At    []Limits
}

// Key tells the series of a figure apart.
type Key struct {
	By string
	Of any
}

// Of returns the rows of the points.
func (spec Points) Of(doc *result.Document) rows.Filter {
	if spec.DefaultLaw {
		return spec.Rows.With(names.ParamLaw, rows.DefaultLaw(doc))
	}
	return spec.Rows
}

// Only returns the filter of one series.
func (k Key) Only(f rows.Filter) rows.Filter {
	if k.By == "" {
		return f
	}
	return f.With(k.By, k.Of)
}

// Chosen reports whether a series belongs to a declaration.
func (k Key) Chosen(by, label string) bool { return k.By == by && (by != "" || k.Of == label) }

// Select takes all marks that the panel declares.
func (p *Data) Select(doc *result.Document, keys []Key) {
	for _, spec := range p.Points {
		p.selectPoints(spec, doc, keys)
	}
	for _, spec := range p.Panel.Traces {
		p.selectTraces(spec, doc)
	}
	if p.Heat != nil {
		p.selectHeat(*p.Heat, doc)
	}
	p.selectStack(p.Stack, doc)
	if p.Gates != nil {
		p.selectGates(*p.Gates, doc)
	}
	for _, spec := range p.Lines {
		p.Theory = append(p.Theory, LinesOf(spec, p.Panel, doc, keys)...)
	}
}

// Empty reports whether there is nothing to show.
func (p *Data) Empty() bool {
	return len(p.Series)+len(p.Traces) == 0 && !(p.LinesAlone() && len(p.Theory) > 0) && p.Map == nil && len(p.Bars)+len(p.Strips) == 0
}
