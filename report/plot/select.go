package plot

import (
	"cmp"
	"math"
	"slices"

	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// marks are those that points show in the panel, of one series.
func (p *Data) marks(spec Points, k Key, doc *result.Document) (out []Mark) {
	if spec.Marks != nil {
		return spec.Marks(doc, p.Only)
	}
	for _, e := range selection.Estimates(doc, k.Only(spec.Rows.Within(p.Only))) {
		shown, ok := e, true
		if spec.Convert != nil {
			shown, ok = spec.Convert(e)
		}
		if t := shown.Theory; spec.Theory {
			shown.Value, shown.SE, shown.Lo, shown.Hi = t, 0, t, t
			ok = ok && t.Present()
		}
		if ok {
			out = append(out, Mark{e, shown})
		}
	}
	return out
}

// selectPoints takes the markers of each series.
func (p *Data) selectPoints(spec Points, doc *result.Document, keys []Key) {
	for i, k := range keys {
		if !k.belongsTo(spec.By, spec.Label) || !spec.shows(k.Value) {
			continue
		}
		s := Series{Points: spec, Title: NameOf(k), Index: i, Style: spec.style(keys, i)}
		for _, m := range p.marks(spec, k, doc) {
			pt, ok := p.pointOf(m.Shown)
			if !ok {
				continue
			}
			switch {
			case spec.Bare:
				pt.Error = Bare
			case spec.Marks != nil:
				pt.Error = Range
			}
			pt.Open = spec.Open != nil && spec.Open(doc, m.Row)
			if spec.Name != nil {
				pt.Name = spec.Name(doc, m.Row)
			}
			p.Shown = append(p.Shown, m.Row)
			if spec.Lower.Quantity != "" {
				p.reach(&pt, spec, k, doc)
			}
			s.Marks = append(s.Marks, pt)
		}
		slices.SortStableFunc(s.Marks, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
		if spec.Band != "" {
			p.selectRibbon(&s)
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

// style is that of the i-th series.
func (spec Points) style(keys []Key, i int) theme.SeriesStyle {
	s := StyleOf(keys, i)
	if spec.Open != nil {
		s.Hollow = false // which has a meaning here
	}
	if spec.Colour != (theme.Swatch{}) {
		s.Colour = spec.Colour
	}
	return s
}

// reach gives a point a bar between two other quantities.
func (p *Data) reach(pt *Point, spec Points, k Key, doc *result.Document) {
	low, okLow := selection.One(doc, k.Only(spec.Lower.Within(p.Only)).With(p.X.Param, pt.X))
	high, okHigh := selection.One(doc, k.Only(spec.Upper.Within(p.Only)).With(p.X.Param, pt.X))
	if okLow && okHigh {
		pt.Error, pt.Lo, pt.Hi = Range, float64(low.Value), float64(high.Value)
		p.Shown = append(p.Shown, low, high)
	}
}

// selectRibbon puts the bars of a series into a band. One of a single x is none.
func (p *Data) selectRibbon(s *Series) {
	r := Ribbon{Label: s.Band, Style: s.Style}
	for _, pt := range s.Marks {
		if pt.Error <= Range && p.Y.Holds(pt.Lo) && p.Y.Holds(pt.Hi) {
			r.At = append(r.At, Limits{pt.X, pt.Lo, pt.Hi})
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

// spread parts the marks of a row of names, those of all series together.
func (p *Data) spread() {
	const part = 0.76 // of the height of a row
	inRow := map[float64][]*Point{}
	for i := range p.Series {
		for j := range p.Series[i].Marks {
			pt := &p.Series[i].Marks[j]
			inRow[pt.Y] = append(inRow[pt.Y], pt)
		}
	}
	for _, pts := range inRow {
		slices.SortStableFunc(pts, func(a, b *Point) int { return cmp.Compare(a.X, b.X) })
		for i, pt := range pts {
			pt.Y += part * ((float64(i)+0.5)/float64(len(pts)) - 0.5)
		}
	}
}

// pointOf is where a row stands between the axes; ok is false where it has no
// place. What a logarithmic axis cannot hold stands at its end.
func (p *Data) pointOf(e result.Estimate) (Point, bool) {
	pt := barOf(e)
	if p.Y.Names {
		y, ok := p.heightOf(e)
		pt.X, pt.Y = float64(e.Value), y
		return pt, ok && finite(pt.X)
	}
	x, ok := e.Params.Number(p.X.Param)
	pt.X, pt.Y = x, float64(e.Value)
	return pt, ok && p.X.Holds(pt.X) && finite(pt.Y)
}

// barOf is how well the error of a row is known, with the bar that shows it.
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
