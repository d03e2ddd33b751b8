package figure

import (
	"math"
	"slices"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// plotted is a panel with the data that its declaration selects.
type plotted struct {
	Panel
	x, y   scale
	xs     []float64 // distinct x of the points
	series []series
	lines  []line
	band   []limits
	others []other // laws with another band
	lost   int     // values that a logarithmic axis cannot hold
	dodged bool    // a panel of the chart sets its series apart
}

// series is one set of markers.
type series struct {
	label  string
	place  int // among the series of the figure, for the dodge
	style  style
	points []point
}

// point is a measured value; lo and hi are NaN where it has no interval.
type point struct{ x, y, lo, hi float64 }

// line is one line of theory.
type line struct {
	label string
	style style
	xs    []float64
	ys    []float64
}

// limits are the ends of a tolerance at one x.
type limits struct{ x, lo, hi float64 }

// key tells the series of a figure apart.
type key struct {
	by string
	of any
}

// build selects the data of all panels; ok is false where no panel has a
// point to show.
func build(c Chart, doc *result.Document) (ps []plotted, keys []key, ok bool) {
	keys = keysOf(c, doc)
	for _, p := range c.Panels {
		out := plotted{Panel: p, dodged: slices.ContainsFunc(c.Panels, func(p Panel) bool { return p.Points[0].In != nil })}
		for _, spec := range p.Points {
			found, lost := pointsOf(spec, p, doc, keys)
			out.series, out.lost = append(out.series, found...), out.lost+lost
		}
		if len(out.series) == 0 {
			continue
		}
		for _, spec := range p.Lines {
			out.lines = append(out.lines, linesOf(spec, p, doc, keys)...)
		}
		if p.Band != nil {
			out.band, out.others = bandOf(*p.Band, p, doc)
		}
		if out.fit() {
			ps = append(ps, out)
		}
	}
	return ps, keys, len(ps) > 0
}

// keysOf lists every series of the chart, so that a law or an exponent keeps
// its style through all panels.
func keysOf(c Chart, doc *result.Document) []key {
	var keys []key
	add := func(k key) {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, p := range c.Panels {
		for _, spec := range p.Points {
			es := rows.Estimates(doc, spec.Rows)
			for _, x := range rows.Numbers(es, spec.By) {
				add(key{spec.By, x})
			}
			for _, s := range rows.Names(es, spec.By) {
				add(key{spec.By, s})
			}
		}
	}
	return keys
}

func pointsOf(spec Points, p Panel, doc *result.Document, keys []key) (out []series, lost int) {
	f := spec.Rows
	if spec.Lead {
		f = f.With("law", rows.LeadLaw(doc))
	}
	for i, k := range keys {
		if k.by != spec.By {
			continue
		}
		s := series{label: nameOf(k), place: i, style: styleOf(i)}
		for _, e := range rows.Estimates(doc, f.With(k.by, k.of)) {
			if pt, ok := pointOf(e, spec.In, p); ok {
				s.points = append(s.points, pt)
			} else if p.Y.Log && e.Value <= 0 {
				lost++
			}
		}
		if len(s.points) > 0 {
			slices.SortStableFunc(s.points, func(a, b point) int { return order(a.x, b.x) })
			out = append(out, s)
		}
	}
	return out, lost
}

func pointOf(e result.Estimate, in Unit, p Panel) (point, bool) {
	if in != nil {
		var ok bool
		if e, ok = in(e); !ok {
			return point{}, false
		}
	}
	x, ok := e.Params.Number(p.X.Param)
	pt := point{x, float64(e.Value), math.NaN(), math.NaN()}
	if e.Lo.Present() && e.Hi.Present() {
		pt.lo, pt.hi = float64(e.Lo), float64(e.Hi)
	}
	return pt, ok && holds(p.X.Log, pt.x) && holds(p.Y.Log, pt.y)
}

func linesOf(spec Lines, p Panel, doc *result.Document, keys []key) []line {
	var out []line
	for _, c := range rows.Curves(doc, spec.Curves, p.X.Param) {
		l := line{label: spec.Label, style: style{colour: quiet.paper}}
		if spec.By != "" {
			i := slices.Index(keys, key{spec.By, c.Params[spec.By]})
			if i < 0 {
				continue // a line of something that was not measured
			}
			l.label, l.style = nameOf(keys[i]), styleOf(i)
		}
		for i := range min(len(c.X), len(c.Y)) {
			if x, y := float64(c.X[i]), float64(c.Y[i]); holds(p.X.Log, x) && holds(p.Y.Log, y) {
				l.xs, l.ys = append(l.xs, x), append(l.ys, y)
			}
		}
		if len(l.xs) > 0 {
			out = append(out, l)
		}
	}
	return out
}

// other is a law whose gates have another tolerance than the band.
type other struct {
	law string
	limits
}

// bandOf returns the tolerance that most gates have, at each x where a gate
// has it, and the laws with another one.
func bandOf(spec Band, p Panel, doc *result.Document) (band []limits, others []other) {
	var all []other
	count := map[float64]int{}
	for _, g := range rows.Gates(doc, spec.Gates) {
		if o, ok := toleranceOf(g, p, doc); ok {
			all = append(all, o)
			count[o.width()]++
		}
	}
	usual := 0.0
	for _, o := range all { // the first of equals
		if count[o.width()] > count[usual] {
			usual = o.width()
		}
	}
	for _, o := range all {
		switch {
		case o.width() == usual && !slices.ContainsFunc(band, func(l limits) bool { return l.x == o.x }):
			band = append(band, o.limits)
		case o.width() != usual && !slices.ContainsFunc(others, func(k other) bool { return k.law == o.law && k.width() == o.width() }):
			others = append(others, o)
		}
	}
	slices.SortFunc(band, func(a, b limits) int { return order(a.x, b.x) })
	return band, others
}

// width is the half-width of a tolerance, without what the last bits add.
func (l limits) width() float64 { return math.Round((l.hi-l.lo)/2*1e9) / 1e9 }

// toleranceOf returns the band of a gate in units of the theory of its row.
func toleranceOf(g result.Gate, p Panel, doc *result.Document) (o other, ok bool) {
	x, ok := g.Params.Number(p.X.Param)
	if !ok || g.Expect != "inside" || !g.Band[0].Present() || !g.Band[1].Present() {
		return o, false
	}
	e, ok := rows.Judged(doc, g)
	if !ok || !e.Theory.Present() || e.Theory == 0 {
		return o, false
	}
	law, _ := g.Params.Text("law")
	return other{law, limits{x, float64(g.Band[0] / e.Theory), float64(g.Band[1] / e.Theory)}}, true
}

// fit sets both axes so that everything shown lies between their ends.
func (p *plotted) fit() bool {
	var xs, ys []float64
	for _, s := range p.series {
		for _, pt := range s.points {
			xs, ys = append(xs, pt.x), append(ys, pt.y)
			ys = append(ys, pt.lo, pt.hi) // NaN is passed over
		}
	}
	p.xs = distinct(xs)
	for _, l := range p.lines {
		for i, x := range l.xs {
			if x >= p.xs[0] && x <= p.xs[len(p.xs)-1] {
				ys = append(ys, l.ys[i])
			}
		}
	}
	for _, b := range p.band {
		ys = append(ys, b.lo, b.hi)
	}
	if p.Level != nil {
		ys = append(ys, p.Level.Y)
	}
	var okX, okY bool
	p.x, okX = fit(p.X.Log, p.padded())
	p.y, okY = fit(p.Y.Log, ys)
	return okX && okY
}

// padded returns the distinct x and, where series stand apart, room for the
// outermost of them.
func (p *plotted) padded() []float64 {
	n := len(p.xs)
	if !p.dodged || n < 2 {
		return p.xs
	}
	first, last := p.xs[0], p.xs[n-1]
	if p.X.Log {
		share := math.Inf(1)
		for i := 1; i < n; i++ {
			share = min(share, math.Pow(p.xs[i]/p.xs[i-1], 0.4))
		}
		return append(slices.Clone(p.xs), first/share, last*share)
	}
	room := math.Inf(1)
	for i := 1; i < n; i++ {
		room = min(room, 0.4*(p.xs[i]-p.xs[i-1]))
	}
	return append(slices.Clone(p.xs), first-room, last+room)
}

func distinct(xs []float64) []float64 {
	xs = slices.Clone(xs)
	slices.Sort(xs)
	return slices.Compact(xs)
}

func order(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// ruleNames writes rules as people do; any other rule stands as it is.
var ruleNames = map[string]string{"sqrt(d_k/2)": "√(*d*_{*k*}/2)"}

func nameOf(k key) string {
	switch of := k.of.(type) {
	case float64:
		return "*p* = " + digits.Fraction(of)
	case string:
		if name, ok := ruleNames[of]; ok {
			return name
		}
		return literal(of)
	}
	return ""
}
