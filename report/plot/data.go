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
	Xs             []float64 // distinct x values, in ascending order, which are proposed for ticks
	Ys             []float64 // distinct y values of a heat map, in ascending order
	Categories     []string  // categories of a categorical axis, from top to bottom
	Series         []Series
	Curves         []Line
	Ribbons        []Ribbon
	HeatCells      []HeatCell // cells of a heat map; nil in other panels
	Guides         []Guide
	ShownEstimates []result.Estimate // estimates that the marks show, in the units of the document
}

// Series is a set of markers in one style.
type Series struct {
	PointsSpec // declaration of the series
	Title      string
	Index      int // index among the series of the figure
	Style      theme.SeriesStyle
	Markers    []Point
}

// IsJoined reports whether a line joins the markers.
func (s Series) IsJoined() bool { return s.JoinMarkers && len(s.Markers) > 1 }

// Point is a measured value with an error bar from Lo to Hi. The bar is the interval of the value,
// or ±1 standard error if the value does not have an interval. Lo and Hi are NaN if the point does
// not have a bar. Hi is infinite if the interval is unbounded above. Lo and Hi are y values, or x
// values if the y axis is categorical.
type Point struct {
	X, Y, Lo, Hi float64
	ErrorKind    ErrorKind
	IsHollow     bool   // the marker is hollow, and not filled
	Name         string // text next to the marker; may be empty
	Tooltip      string // name and value of the model that the marker shows; empty for others
}

// ErrorKind is the kind of a point's error, which its marker and bar show.
type ErrorKind int

// The kinds of errors. Points with the first three kinds have a bar.
const (
	IntervalError ErrorKind = iota // an interval, shown as a bar
	RangeError                     // another range, which the chart explains, shown as a bar
	StandardError                  // only a standard error, shown as a faint bar
	UnknownError                   // an unknown error, shown as a pale marker
	NoError                        // no error
)

// Line is a curve with its style. It shows theory, or values of one sampled row.
type Line struct {
	Label  string
	Style  theme.SeriesStyle
	IsData bool // the line shows the values of one sampled row
	Xs, Ys []float64
	// Estimates are the points of the line as estimates. An estimate of a theory line has Theory
	// but no Value.
	Estimates []result.Estimate
}

// Limits are the ends of a band at one x.
type Limits struct{ X, Lo, Hi float64 }

// Ribbon is a band between two curves.
type Ribbon struct {
	Label  string
	Style  theme.SeriesStyle
	Limits []Limits
}

// SeriesID identifies a series of a figure by the value of a parameter. If Param is empty, Value is
// the label of the series.
type SeriesID struct {
	Param string
	Value any
}

// NarrowFilter returns the filter restricted to the estimates of the series.
func (id SeriesID) NarrowFilter(f selection.Filter) selection.Filter {
	if id.Param == "" {
		return f
	}
	return f.Fix(id.Param, id.Value)
}

// belongsTo reports whether a declaration with these values of SeriesParam and Label has the
// series.
func (id SeriesID) belongsTo(param, label string) bool {
	if param == "" {
		return id.Param == "" && id.Value == label
	}
	return id.Param == param
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
	if p.SpreadMarkers {
		p.spreadMarkers()
	}
	if p.Heat != nil {
		p.selectHeat(*p.Heat, doc)
	}
	for _, spec := range p.Panel.Lines {
		p.selectLines(spec, doc, ids)
	}
	for _, z := range p.Zones {
		r := Ribbon{Label: z.Label, Style: theme.SeriesStyle{Colour: theme.ReferenceInk}}
		r.Limits = []Limits{{math.Inf(-1), z.Lo, z.Hi}, {math.Inf(1), z.Lo, z.Hi}}
		if z.IsPlain {
			r.Style.Colour = theme.Paper
		}
		p.Ribbons = append(p.Ribbons, r)
	}
}

// IsEmpty reports whether the panel has nothing to show.
func (p *Data) IsEmpty() bool {
	hasLines := p.HasOnlyLines() && len(p.Curves) > 0
	return len(p.Series) == 0 && len(p.HeatCells) == 0 && !hasLines
}

// FitScales sets both scales to the ranges of the marks, without room at the ends of the axes. It
// reports whether each axis can show at least one value.
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
	for _, l := range p.Curves { // of a curve, only the ends are likely to be round numbers
		p.Xs = sortedDistinct([]float64{min(p.Xs[0], l.Xs[0]), max(p.Xs[len(p.Xs)-1], l.Xs[len(l.Xs)-1])})
	}
	p.ScaleX, okX = newScale(p.X.Log, xs)
	p.ScaleY, okY = newScale(p.Y.Log, values)
	return okX && okY
}

// addRoom adds room at the ends of the axes. The cells of a heat map need none.
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

// shownValues returns the x values of all marks, and the values that the axis of values must show.
// If the y axis is categorical, values are on the x axis, and xs are positions of categories.
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

// HasBars reports whether the panel has bars from 0 to the values in place of markers.
func (p *Data) HasBars() bool {
	return slices.ContainsFunc(p.Series, func(s Series) bool { return s.PointsSpec.DrawBars })
}

// BarHalfWidth is half the width of a bar from 0 to a value, in units of the x axis. The distance
// between the centres of adjacent bars is 1.
const BarHalfWidth = 0.36

// UnifyScales gives all panels that declare the same axis the same scale, so that equal positions
// mean equal values, and adds room at the ends.
func UnifyScales(panels []Data) {
	for i := range panels {
		p := &panels[i]
		for _, other := range panels {
			if other.X == p.X {
				p.ScaleX = p.ScaleX.union(other.ScaleX)
				p.Xs = sortedDistinct(append(slices.Clone(p.Xs), other.Xs...))
			}
			if other.Y == p.Y && !p.Y.IsCategorical {
				p.ScaleY = p.ScaleY.union(other.ScaleY)
			}
		}
	}
	for i := range panels {
		panels[i].addRoom()
	}
}
