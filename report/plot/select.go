package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// makeMarks returns the estimates that the markers of a series show in the panel.
func (p *Data) makeMarks(spec PointsSpec, id SeriesID, doc *result.Document) (marks []Mark) {
	if spec.MakeMarks != nil {
		return spec.MakeMarks(doc, p.Fixed)
	}
	for _, e := range selection.Estimates(doc, id.NarrowFilter(spec.Filter.FixAll(p.Fixed))) {
		converted, ok := e, true
		if spec.Convert != nil {
			converted, ok = spec.Convert(e)
		}
		if spec.IsTheory {
			theory := converted.Theory
			converted.Value, converted.SE, converted.Lo, converted.Hi = theory, 0, theory, theory
			ok = ok && theory.Present()
		}
		if ok {
			marks = append(marks, Mark{e, converted})
		}
	}
	return marks
}

// selectPoints selects the markers of the series of one declaration.
func (p *Data) selectPoints(spec PointsSpec, doc *result.Document, ids []SeriesID) {
	for i, id := range ids {
		if !id.belongsTo(spec.SeriesParam, spec.Label) || !spec.showsValue(id.Value) {
			continue
		}
		s := Series{PointsSpec: spec, Title: SeriesLabel(id), Index: i, Style: spec.style(ids, i)}
		if spec.IsFaint {
			s.Title = ""
		}
		for _, m := range p.makeMarks(spec, id, doc) {
			point, ok := p.newPoint(m.Converted)
			if !ok {
				continue
			}
			switch {
			case spec.HasNoErrors || spec.IsFaint:
				point.ErrorKind = NoError
			case spec.MakeMarks != nil:
				point.ErrorKind = RangeError
			}
			point.IsHollow = spec.IsHollow != nil && spec.IsHollow(doc, m.Estimate)
			if spec.Name != nil {
				point.Name = spec.Name(doc, m.Estimate)
			}
			p.ShownEstimates = append(p.ShownEstimates, m.Estimate)
			if spec.Lower.Quantity != "" {
				p.setRange(&point, spec, id, doc)
			}
			s.Markers = append(s.Markers, point)
		}
		slices.SortStableFunc(s.Markers, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
		if spec.BandLabel != "" {
			p.moveBarsToRibbon(&s)
		}
		if len(s.Markers) > 0 {
			p.Series = append(p.Series, s)
		}
	}
}

// showsValue reports whether the series with a value of the parameter is shown.
func (spec PointsSpec) showsValue(value any) bool {
	return spec.ShownValues == nil || slices.Contains(spec.ShownValues, value)
}

// style returns the style of the i-th series.
func (spec PointsSpec) style(ids []SeriesID, i int) theme.SeriesStyle {
	s := SeriesStyle(ids, i)
	if spec.IsHollow != nil {
		s.Hollow = false // a hollow marker has a meaning in this series
	}
	if spec.IsFaint {
		s.Colour, s.Dash = theme.ReferenceInk.Faint(), nil
	}
	if spec.Colour != (theme.Swatch{}) {
		s.Colour = spec.Colour
	}
	return s
}

// setRange gives a point a bar from the value of the Lower estimate to the value of the Upper one.
func (p *Data) setRange(point *Point, spec PointsSpec, id SeriesID, doc *result.Document) {
	low, hasLow := selection.FindEstimate(doc, id.NarrowFilter(spec.Lower.FixAll(p.Fixed)).Fix(p.X.Param, point.X))
	high, hasHigh := selection.FindEstimate(doc, id.NarrowFilter(spec.Upper.FixAll(p.Fixed)).Fix(p.X.Param, point.X))
	if hasLow && hasHigh {
		point.ErrorKind, point.Lo, point.Hi = RangeError, float64(low.Value), float64(high.Value)
		p.ShownEstimates = append(p.ShownEstimates, low, high)
	}
}

// moveBarsToRibbon replaces the error bars of a series by a band. A series with fewer than two bars
// keeps them.
func (p *Data) moveBarsToRibbon(s *Series) {
	r := Ribbon{Label: s.BandLabel, Style: s.Style}
	for _, m := range s.Markers {
		if m.ErrorKind <= RangeError && p.Y.CanShow(m.Lo) && p.Y.CanShow(m.Hi) {
			r.Limits = append(r.Limits, Limits{m.X, m.Lo, m.Hi})
		}
	}
	if len(r.Limits) < 2 {
		return
	}
	p.Ribbons = append(p.Ribbons, r)
	for i := range s.Markers {
		if s.Markers[i].ErrorKind <= RangeError {
			s.Markers[i].ErrorKind = NoError
		}
	}
}

// spreadMarkers moves the markers of each category apart, in ascending order of their values. It
// ignores which series they belong to.
func (p *Data) spreadMarkers() {
	const height = 0.76 // height of the range of the markers; the distance between categories is 1
	categories := map[float64][]*Point{}
	for i := range p.Series {
		for j := range p.Series[i].Markers {
			m := &p.Series[i].Markers[j]
			categories[m.Y] = append(categories[m.Y], m)
		}
	}
	for _, points := range categories {
		slices.SortStableFunc(points, func(a, b *Point) int { return cmp.Compare(a.X, b.X) })
		for i, m := range points {
			m.Y += height * ((float64(i)+0.5)/float64(len(points)) - 0.5)
		}
	}
}

// newPoint returns the point of an estimate. ok is false if the panel cannot show the estimate. A
// value of 0 or less on a logarithmic axis of values is shown at the end of the axis.
func (p *Data) newPoint(e result.Estimate) (_ Point, ok bool) {
	point := newErrorBar(e)
	if p.Y.IsCategorical {
		y, ok := p.categoryHeight(e)
		point.X, point.Y = float64(e.Value), y
		return point, ok && isFinite(point.X)
	}
	x, ok := e.Params.Number(p.X.Param)
	point.X, point.Y = x, float64(e.Value)
	if name, ok := e.Params.Text(names.ParamPublished); ok {
		point.Tooltip = fmt.Sprintf("%s: %.3g", name, float64(e.Value))
	}
	return point, ok && p.X.CanShow(point.X) && isFinite(point.Y)
}

// newErrorBar returns a point that has only the error bar of an estimate and the kind of its error.
func newErrorBar(e result.Estimate) Point {
	value, se := float64(e.Value), float64(e.SE)
	switch {
	case e.Lo.Present() && e.Hi.Present():
		return Point{Lo: float64(e.Lo), Hi: float64(e.Hi), ErrorKind: IntervalError}
	case e.Lo.Present() && e.Level.Present():
		return Point{Lo: float64(e.Lo), Hi: math.Inf(1), ErrorKind: IntervalError}
	case !e.SE.Present():
		return Point{Lo: math.NaN(), Hi: math.NaN(), ErrorKind: UnknownError}
	case se == 0:
		return Point{Lo: math.NaN(), Hi: math.NaN(), ErrorKind: NoError}
	}
	return Point{Lo: value - se, Hi: value + se, ErrorKind: StandardError}
}
