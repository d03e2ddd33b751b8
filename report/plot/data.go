package plot

import (
	"math"
	"slices"

	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Data is a panel with the data that its declaration selects.
type Data struct {
	Panel
	ScaleX, ScaleY Scale
	Xs, Ys         []float64 // distinct x of the points, and y of a map
	RowNames       []string  // of an axis of names, from top to bottom
	Series         []Series
	Curves         []Line
	Ribbons        []Ribbon
	Cells          []Cell // of a map
	Guides         []Level
	Shown          []result.Estimate // all that is shown, as measured
}

// Series is one set of markers.
type Series struct {
	Points // its declaration
	Title  string
	Index  int // among the series of the figure
	Style  theme.SeriesStyle
	Marks  []Point
}

// Joined reports whether a line goes from marker to marker.
func (s Series) Joined() bool { return s.Join && len(s.Marks) > 1 }

// Point is a measured value. Lo and Hi are the ends of its interval or, without one, one standard
// error to either side; NaN if it has neither. Hi is infinite if the interval is open. They are y
// values, or x values for an axis of names.
type Point struct {
	X, Y, Lo, Hi float64
	Error        Certainty
	Open         bool // its marker is open
	Name         string
}

// Certainty is how well the error of a point is known, which its marker and bar show.
type Certainty int

const (
	Interval Certainty = iota // an interval: a bar
	Range                     // a bar that is not an interval, which the chart explains
	Roughly                   // only a standard error: a faint bar
	Unsure                    // an unknown error: a pale marker
	Bare                      // no error
)

// Line is one line.
type Line struct {
	Label  string
	Style  theme.SeriesStyle
	IsData bool // through single rows, and not theory
	Xs, Ys []float64
	Rows   []result.Estimate // the same as rows; those of theory have no value
}

// Limits are the ends of a band at one x.
type Limits struct{ X, Lo, Hi float64 }

// Ribbon is a band from x to x.
type Ribbon struct {
	Label string
	Style theme.SeriesStyle
	At    []Limits
}

// Key identifies a series of a figure: by a parameter and its value, or by a label.
type Key struct {
	By    string
	Value any
}

// Only returns the filter of one series.
func (k Key) Only(f selection.Filter) selection.Filter {
	if k.By == "" {
		return f
	}
	return f.With(k.By, k.Value)
}

// belongsTo reports whether a series belongs to a declaration.
func (k Key) belongsTo(by, label string) bool { return k.By == by && (by != "" || k.Value == label) }

// KeysOf lists every series of the chart, so that a distribution or an exponent keeps
// its style through all panels.
func KeysOf(panels []Panel, doc *result.Document) (keys []Key) {
	add := func(by, label string, values []any) {
		if by == "" {
			values = []any{label}
		}
		for _, v := range values {
			if k := (Key{By: by, Value: v}); !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	for _, p := range panels {
		for _, spec := range p.Points {
			values := selection.Values(selection.Estimates(doc, spec.Rows.Within(p.Only)), spec.By)
			add(spec.By, spec.Label, slices.DeleteFunc(values, func(v any) bool { return !spec.shows(v) }))
		}
		if !p.LinesAlone() {
			continue
		}
		for _, spec := range p.Lines {
			value := func(c result.Curve) any { return c.Params[spec.By] }
			add(spec.By, spec.Label, names.Map(p.curves(spec, doc), value))
		}
	}
	return keys
}

// Select takes all data that the panel declares.
func (p *Data) Select(doc *result.Document, keys []Key) {
	p.nameRows(doc)
	for _, spec := range p.Points {
		p.selectPoints(spec, doc, keys)
	}
	if p.Spread {
		p.spread()
	}
	if p.Heat != nil {
		p.selectHeat(*p.Heat, doc)
	}
	for _, spec := range p.Panel.Lines {
		p.selectLines(spec, doc, keys)
	}
}

// Empty reports whether there is nothing to show.
func (p *Data) Empty() bool {
	return len(p.Series)+len(p.Cells) == 0 && !(p.LinesAlone() && len(p.Curves) > 0)
}

// Fit sets both axes so that they hold everything shown, without room at their ends. It reports
// whether there is anything to show.
func (p *Data) Fit() bool {
	if p.Cells != nil {
		p.ScaleX, p.ScaleY = cellScale(len(p.Xs)), cellScale(len(p.Ys))
		return true
	}
	xs, values := p.shownValues()
	if !p.Y.Names {
		p.Xs = distinct(xs)
	}
	for _, g := range p.Guides {
		if g.Upright {
			xs = append(xs, g.Value)
		} else {
			values = append(values, g.Value)
		}
	}
	var okX, okY bool
	if p.Y.Names {
		p.ScaleX, okX = scaleOver(p.X.Log, values)
		p.ScaleY = cellScale(len(p.RowNames))
		return okX
	}
	for _, l := range p.Curves { // only its ends are round numbers
		p.Xs = distinct([]float64{min(p.Xs[0], l.Xs[0]), max(p.Xs[len(p.Xs)-1], l.Xs[len(l.Xs)-1])})
	}
	p.ScaleX, okX = scaleOver(p.X.Log, xs)
	p.ScaleY, okY = scaleOver(p.Y.Log, values)
	return okX && okY
}

// addRoom leaves room at the ends of axes that hold marks.
func (p *Data) addRoom() {
	if p.Cells != nil {
		return
	}
	p.ScaleX = p.ScaleX.roomy()
	if !p.Y.Names {
		p.ScaleY = p.ScaleY.roomy()
	}
	if p.Bars() {
		p.ScaleX.Lo, p.ScaleX.Hi, p.ScaleY.Lo = p.Xs[0]-2*HalfBar, p.Xs[len(p.Xs)-1]+2*HalfBar, 0
	}
}

// shownValues returns the x of everything shown, and the values that the axis of values must hold.
func (p *Data) shownValues() (xs, values []float64) {
	for _, s := range p.Series {
		for _, pt := range s.Marks {
			x, v := pt.X, pt.Y
			if p.Y.Names {
				x, v = v, x
			}
			xs, values = append(xs, x), append(values, v)
			if pt.Error < Unsure {
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
		for _, l := range r.At {
			values = append(values, l.Lo, l.Hi)
		}
	}
	if p.Y.To > 0 {
		values = append(values, 0, p.Y.To) // a logarithmic axis passes over 0
	}
	return xs, values
}

// Bars reports whether there are bars from 0, which then is the end of the axis.
func (p *Data) Bars() bool {
	return slices.ContainsFunc(p.Series, func(s Series) bool { return s.Points.Bars })
}

// HalfBar is half the width of a bar; bars have distance 1.
const HalfBar = 0.36

// ShareAxes gives panels that declare the same axis the same ends of it, so that the same
// d_k is below itself and equal heights mean equal values, and adds room beyond them.
func ShareAxes(ps []Data) {
	for i := range ps {
		p := &ps[i]
		for _, q := range ps {
			if q.X == p.X {
				p.ScaleX = p.ScaleX.union(q.ScaleX)
				p.Xs = distinct(append(slices.Clone(p.Xs), q.Xs...))
			}
			if q.Y == p.Y && !p.Y.Names {
				p.ScaleY = p.ScaleY.union(q.ScaleY)
			}
		}
	}
	for i := range ps {
		ps[i].addRoom()
	}
}
