package plot

import (
	"math"
	"slices"

	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Data is a panel with its selected data.
type Data struct {
	Panel
	ScaleX, ScaleY Scale
	Xs, Ys         []float64 // distinct x of the points, and y of a heat map
	Categories     []string  // categories of a categorical axis, from top to bottom
	Series         []Series
	Curves         []Line
	Ribbons        []Ribbon
	HeatCells      []HeatCell // cells of a heat map
	Guides         []Guide
	ShownEstimates []result.Estimate // the estimates behind all marks, in the units of the document
}

// Series is a set of markers in one style.
type Series struct {
	Points  // its declaration
	Title   string
	Index   int // index among the series of the figure
	Style   theme.SeriesStyle
	Markers []Point
}

// IsJoined reports whether a line joins the markers.
func (s Series) IsJoined() bool { return s.JoinMarkers && len(s.Markers) > 1 }

// Point is a measured value. Lo and Hi are the ends of its bar: those of its interval, or of one
// standard error to each side if it does not have an interval. They are NaN if it has no bar, and
// Hi is infinite if the interval is open. They are y values, or x values if the y axis is
// categorical.
type Point struct {
	X, Y, Lo, Hi  float64
	ErrorKind     ErrorKind
	HasOpenMarker bool // the marker is open
	Name          string
}

// ErrorKind is the kind of a point's error, which its marker and bar show.
type ErrorKind int

// The kinds up to StandardError have a bar.
const (
	IntervalError ErrorKind = iota // an interval: a bar
	RangeError                     // another range, which the chart explains: a bar
	StandardError                  // only a standard error: a faint bar
	UnknownError                   // an unknown error: a pale marker
	NoError                        // no error
)

// Line is a curve with its style.
type Line struct {
	Label     string
	Style     theme.SeriesStyle
	IsData    bool // the line shows numbers of single sampled rows, and not theory
	Xs, Ys    []float64
	Estimates []result.Estimate // the points as estimates; those of theory have no value
}

// Limits are the ends of a band at one x.
type Limits struct{ X, Lo, Hi float64 }

// Ribbon is a band along the x axis.
type Ribbon struct {
	Label  string
	Style  theme.SeriesStyle
	Limits []Limits
}

// SeriesID identifies a series of a figure: by a parameter and its value or, if Param is empty, by
// a label.
type SeriesID struct {
	Param string
	Value any
}

// NarrowFilter restricts a filter to the estimates of the series.
func (id SeriesID) NarrowFilter(f selection.Filter) selection.Filter {
	if id.Param == "" {
		return f
	}
	return f.Fix(id.Param, id.Value)
}

// belongsTo reports whether a series belongs to a declaration.
func (id SeriesID) belongsTo(param, label string) bool {
	return id.Param == param && (param != "" || id.Value == label)
}

// SeriesIDs returns the IDs of all series of the panels, so that a distribution or an exponent has
// one style in all panels.
func SeriesIDs(panels []Panel, doc *result.Document) (ids []SeriesID) {
	addSeries := func(param, label string, values []any) {
		if param == "" {
			values = []any{label}
		}
		for _, v := range values {
			id := SeriesID{Param: param, Value: v}
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	for _, p := range panels {
		for _, spec := range p.Points {
			values := selection.ParamValues(selection.Estimates(doc, spec.Filter.FixAll(p.Fixed)), spec.SeriesParam)
			addSeries(spec.SeriesParam, spec.Label,
				slices.DeleteFunc(values, func(v any) bool { return !spec.showsValue(v) }))
		}
		if !p.HasOnlyLines() {
			continue
		}
		for _, spec := range p.Lines {
			value := func(c result.Curve) any { return c.Params[spec.SeriesParam] }
			addSeries(spec.SeriesParam, spec.Label, names.Map(p.curves(spec, doc), value))
		}
	}
	return ids
}

// SelectData selects all data that the panel declares.
func (p *Data) SelectData(doc *result.Document, ids []SeriesID) {
	p.setCategories(doc)
	for _, spec := range p.Points {
		p.selectPoints(spec, doc, ids)
	}
	if p.Spread {
		p.spreadMarkers()
	}
	if p.Heat != nil {
		p.selectHeat(*p.Heat, doc)
	}
	for _, spec := range p.Panel.Lines {
		p.selectLines(spec, doc, ids)
	}
}

// IsEmpty reports whether the panel has nothing to show.
func (p *Data) IsEmpty() bool {
	return len(p.Series)+len(p.HeatCells) == 0 && !(p.HasOnlyLines() && len(p.Curves) > 0)
}

// FitScales sets both scales to the ranges of the marks, without room at their ends. It reports
// whether both axes can show a value.
func (p *Data) FitScales() bool {
	if p.HeatCells != nil {
		p.ScaleX, p.ScaleY = cellScale(len(p.Xs)), cellScale(len(p.Ys))
		return true
	}
	xs, values := p.shownValues()
	if !p.Y.IsCategorical {
		p.Xs = sortedDistinct(xs)
	}
	for _, g := range p.Guides {
		if g.IsVertical {
			xs = append(xs, g.Value)
		} else {
			values = append(values, g.Value)
		}
	}
	var okX, okY bool
	if p.Y.IsCategorical {
		p.ScaleX, okX = newScale(p.X.Log, values)
		p.ScaleY = cellScale(len(p.Categories))
		return okX
	}
	for _, l := range p.Curves { // only the ends of a curve are round numbers
		p.Xs = sortedDistinct([]float64{min(p.Xs[0], l.Xs[0]), max(p.Xs[len(p.Xs)-1], l.Xs[len(l.Xs)-1])})
	}
	p.ScaleX, okX = newScale(p.X.Log, xs)
	p.ScaleY, okY = newScale(p.Y.Log, values)
	return okX && okY
}

// addRoom adds room at the ends of the axes of all panels but heat maps.
func (p *Data) addRoom() {
	if p.HeatCells != nil {
		return
	}
	p.ScaleX = p.ScaleX.withRoom()
	if !p.Y.IsCategorical {
		p.ScaleY = p.ScaleY.withRoom()
	}
	if p.HasBars() {
		p.ScaleX.Lo, p.ScaleX.Hi, p.ScaleY.Lo = p.Xs[0]-2*BarHalfWidth, p.Xs[len(p.Xs)-1]+2*BarHalfWidth, 0
	}
}

// shownValues returns the x of all marks, and the values that the axis of values must show. If the
// y axis is categorical, the axis of values is the x axis.
func (p *Data) shownValues() (xs, values []float64) {
	for _, s := range p.Series {
		for _, pt := range s.Markers {
			x, v := pt.X, pt.Y
			if p.Y.IsCategorical {
				x, v = v, x
			}
			xs, values = append(xs, x), append(values, v)
			if pt.ErrorKind < UnknownError {
				values = append(values, pt.Lo)
				if !math.IsInf(pt.Hi, 1) {
					values = append(values, pt.Hi)
				}
			}
		}
	}
	for _, l := range p.Curves {
		xs, values = append(xs, l.Xs...), append(values, l.Ys...)
	}
	for _, r := range p.Ribbons {
		for _, l := range r.Limits {
			values = append(values, l.Lo, l.Hi)
		}
	}
	if p.Y.MinUpperEnd > 0 {
		values = append(values, 0, p.Y.MinUpperEnd) // a logarithmic axis ignores the 0
	}
	return xs, values
}

// HasBars reports whether the panel has bars that begin at 0.
func (p *Data) HasBars() bool {
	return slices.ContainsFunc(p.Series, func(s Series) bool { return s.Points.DrawBars })
}

// BarHalfWidth is half the width of a bar that begins at 0. The centres of adjacent bars have
// distance 1.
const BarHalfWidth = 0.36

// UnifyScales gives all panels that declare the same axis the same scale, so that equal positions
// mean equal values, and adds room at the ends.
func UnifyScales(ps []Data) {
	for i := range ps {
		p := &ps[i]
		for _, q := range ps {
			if q.X == p.X {
				p.ScaleX = p.ScaleX.union(q.ScaleX)
				p.Xs = sortedDistinct(append(slices.Clone(p.Xs), q.Xs...))
			}
			if q.Y == p.Y && !p.Y.IsCategorical {
				p.ScaleY = p.ScaleY.union(q.ScaleY)
			}
		}
	}
	for i := range ps {
		ps[i].addRoom()
	}
}
