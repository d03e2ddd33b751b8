package plot

import (
	"cmp"
	"math"
	"slices"

	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// marks returns the marks of one series in the panel.
func (p *Data) marks(spec Points, k Key, doc *result.Document) (marks []Mark) {
	if spec.Marks != nil {
		return spec.Marks(doc, p.Only)
	}
	for _, e := range selection.Estimates(doc, k.Only(spec.Rows.Within(p.Only))) {
		shown, ok := e, true
		if spec.Convert != nil {
			shown, ok = spec.Convert(e)
		}
		if theory := shown.Theory; spec.Theory {
			shown.Value, shown.SE, shown.Lo, shown.Hi = theory, 0, theory, theory
			ok = ok && theory.Present()
		}
		if ok {
			marks = append(marks, Mark{e, shown})
		}
	}
	return marks
}

// selectPoints takes the markers of each series.
func (p *Data) selectPoints(spec Points, doc *result.Document, keys []Key) {
	for i, k := range keys {
		if !k.belongsTo(spec.By, spec.Label) || !spec.shows(k.Value) {
			continue
		}
		s := Series{Points: spec, Title: NameOf(k), Index: i, Style: spec.style(keys, i)}
		for _, m := range p.marks(spec, k, doc) {
			point, ok := p.pointOf(m.Shown)
			if !ok {
				continue
			}
			switch {
			case spec.Bare:
				point.Error = Bare
			case spec.Marks != nil:
				point.Error = Range
			}
			point.Open = spec.Open != nil && spec.Open(doc, m.Row)
			if spec.Name != nil {
				point.Name = spec.Name(doc, m.Row)
			}
			p.Shown = append(p.Shown, m.Row)
			if spec.Lower.Quantity != "" {
				p.setRange(&point, spec, k, doc)
			}
			s.Marks = append(s.Marks, point)
		}
		slices.SortStableFunc(s.Marks, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
		if spec.Band != "" {
			p.moveBarsToRibbon(&s)
		}
		if len(s.Marks) > 0 {
			p.Series = append(p.Series, s)
		}
	}
}

// shows reports whether the series of a value of By is shown.
func (spec Points) shows(value any) bool {
	return spec.Values == nil || slices.Contains(spec.Values, value)
}

// style returns the style of the i-th series.
func (spec Points) style(keys []Key, i int) theme.SeriesStyle {
	s := StyleOf(keys, i)
	if spec.Open != nil {
		s.Hollow = false // open markers have a meaning
	}
	if spec.Colour != (theme.Swatch{}) {
		s.Colour = spec.Colour
	}
	return s
}

// setRange gives a point a bar between two other quantities.
func (p *Data) setRange(point *Point, spec Points, k Key, doc *result.Document) {
	low, hasLow := selection.One(doc, k.Only(spec.Lower.Within(p.Only)).With(p.X.Param, point.X))
	high, hasHigh := selection.One(doc, k.Only(spec.Upper.Within(p.Only)).With(p.X.Param, point.X))
	if hasLow && hasHigh {
		point.Error, point.Lo, point.Hi = Range, float64(low.Value), float64(high.Value)
		p.Shown = append(p.Shown, low, high)
	}
}

// moveBarsToRibbon replaces the bars of a series by a band, unless they are at a single x.
func (p *Data) moveBarsToRibbon(s *Series) {
	r := Ribbon{Label: s.Band, Style: s.Style}
	for _, m := range s.Marks {
		if m.Error <= Range && p.Y.Holds(m.Lo) && p.Y.Holds(m.Hi) {
			r.At = append(r.At, Limits{m.X, m.Lo, m.Hi})
		}
	}
	if len(r.At) < 2 {
		return
	}
	p.Ribbons = append(p.Ribbons, r)
	for i := range s.Marks {
		if s.Marks[i].Error <= Range {
			s.Marks[i].Error = Bare
		}
	}
}

// spread moves the marks of each row of names apart, those of all series together.
func (p *Data) spread() {
	const height = 0.76 // of a row
	rows := map[float64][]*Point{}
	for i := range p.Series {
		for j := range p.Series[i].Marks {
			m := &p.Series[i].Marks[j]
			rows[m.Y] = append(rows[m.Y], m)
		}
	}
	for _, row := range rows {
		slices.SortStableFunc(row, func(a, b *Point) int { return cmp.Compare(a.X, b.X) })
		for i, m := range row {
			m.Y += height * ((float64(i)+0.5)/float64(len(row)) - 0.5)
		}
	}
}

// pointOf returns the point of a row between the axes; ok is false if there is none. A value that a
// logarithmic axis cannot show is at its end.
func (p *Data) pointOf(e result.Estimate) (_ Point, ok bool) {
	point := barOf(e)
	if p.Y.Names {
		y, ok := p.heightOf(e)
		point.X, point.Y = float64(e.Value), y
		return point, ok && finite(point.X)
	}
	x, ok := e.Params.Number(p.X.Param)
	point.X, point.Y = x, float64(e.Value)
	return point, ok && p.X.Holds(point.X) && finite(point.Y)
}

// barOf returns how well the error of a row is known, with the bar that shows it.
func barOf(e result.Estimate) Point {
	value, se := float64(e.Value), float64(e.SE)
	switch {
	case e.Lo.Present() && e.Hi.Present():
		return Point{Lo: float64(e.Lo), Hi: float64(e.Hi), Error: Interval}
	case e.Lo.Present() && e.Level.Present():
		return Point{Lo: float64(e.Lo), Hi: math.Inf(1), Error: Interval}
	case !e.SE.Present():
		return Point{Lo: math.NaN(), Hi: math.NaN(), Error: Unsure}
	case se == 0:
		return Point{Lo: math.NaN(), Hi: math.NaN(), Error: Bare}
	}
	return Point{Lo: value - se, Hi: value + se, Error: Roughly}
}
