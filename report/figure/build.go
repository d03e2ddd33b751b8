package figure

import (
	"maps"
	"math"
	"slices"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// plotted is a panel with the data that its declaration selects.
type plotted struct {
	Panel
	x, y    scale
	xs      []float64 // distinct x of the points
	names   []string  // of an axis of names, from top to bottom
	series  []series
	lines   []line
	ribbons []ribbon
	heat    *heatMap
	stack   *pile
	upright *Level
	band    []limits
	others  []other           // laws with another band
	rows    []result.Estimate // all that is shown, as measured
	lost    int               // values that a logarithmic axis cannot hold
	beyond  int               // markers without an interval that the axis leaves out
	partial int               // columns of a map that are left out
	below   int               // markers below the declared start of the axis
	limits  [2]float64        // where the limits of an axis stand; NaN: it shows none
	dodged  bool              // a panel of the chart sets its series apart
}

// series is one set of markers.
type series struct {
	label  string
	place  int  // among the series of the figure, for the dodge
	second bool // of another estimator than the markers at the same points
	theory bool // and not measured
	style  style
	points []point
}

// point is a measured value; lo and hi, the ends of its interval, are NaN
// where it has none. They run along y, or along x beside an axis of names.
type point struct{ x, y, lo, hi float64 }

// line is one line of theory.
type line struct {
	label string
	style style
	xs    []float64
	ys    []float64
	rows  []result.Estimate // the same as rows without a value
}

// limits are the ends of a tolerance or of a band of quantiles at one x.
type limits struct{ x, lo, hi float64 }

// key tells the series of a figure apart.
type key struct {
	by string
	of any
	// estimator names one that stands at the same points as the direct one.
	estimator string
}

// build selects the data of all panels; ok is false where no panel has
// anything to show.
func build(c Chart, doc *result.Document) (ps []plotted, keys []key, ok bool) {
	panels := c.panels(doc)
	keys = keysOf(panels, doc)
	dodged := slices.ContainsFunc(panels, Panel.apart)
	for i, p := range panels {
		out := plotted{Panel: p, dodged: dodged, names: namesOf(panels[i:i+1], doc)}
		if c.Each != nil {
			out.names = namesOf(panels, doc)
		}
		out.setLimits(doc)
		for _, spec := range p.Points {
			out.selectPoints(spec, doc, keys)
		}
		for _, spec := range p.Quantiles {
			out.selectQuantiles(spec, doc, keys)
		}
		if p.Heat != nil {
			out.selectHeat(*p.Heat, doc)
		}
		if len(p.Stack) > 0 {
			out.selectStack(p.Stack, doc)
		}
		if len(out.series) == 0 && out.heat == nil && out.stack == nil {
			continue
		}
		if p.Upright != nil {
			if l, ok := p.Upright(doc, c.fixedParams(doc)); ok {
				out.upright = &l
			}
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
	alike(ps, c.Each != nil)
	sameColours(ps)
	return ps, keys, len(ps) > 0
}

// keysOf lists every series of the chart, so that a law or an exponent keeps
// its style through all panels.
func keysOf(panels []Panel, doc *result.Document) []key {
	var keys []key
	add := func(k key) {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	from := func(f rows.Filter, by, label string) {
		if by == "" {
			add(key{"", label, ""})
			return
		}
		es := rows.Estimates(doc, f)
		for _, x := range rows.Numbers(es, by) {
			add(key{by, x, ""})
		}
		for _, s := range rows.Names(es, by) {
			add(key{by, s, ""})
		}
	}
	for _, p := range panels {
		for _, spec := range p.Points {
			from(spec.Rows, spec.By, spec.Label)
		}
		for _, spec := range p.Quantiles {
			if spec.Middle.Quantity != "" {
				from(spec.Middle, spec.By, spec.Label)
			}
		}
	}
	for _, p := range panels {
		for _, spec := range p.Points {
			for _, k := range keys {
				if k.estimator != "" || !k.chosen(spec.By, spec.Label) {
					continue
				}
				es := rows.Estimates(doc, k.only(spec.of(doc)))
				for _, e := range es {
					if name, ok := rows.Second(es, e); ok {
						add(key{k.by, k.of, name})
					}
				}
			}
		}
	}
	return keys
}

// of returns the rows of the points.
func (spec Points) of(doc *result.Document) rows.Filter {
	if spec.Lead {
		return spec.Rows.With("law", rows.LeadLaw(doc))
	}
	return spec.Rows
}

// only returns the filter of one series.
func (k key) only(f rows.Filter) rows.Filter {
	if k.by == "" {
		return f
	}
	return f.With(k.by, k.of)
}

// chosen reports whether a series belongs to a declaration.
func (k key) chosen(by, label string) bool { return k.by == by && (by != "" || k.of == label) }

func (p *plotted) selectPoints(spec Points, doc *result.Document, keys []key) {
	f := spec.of(doc)
	for i, k := range keys {
		if !k.chosen(spec.By, spec.Label) {
			continue
		}
		s := series{label: nameOf(k), place: i, style: styleOf(i), second: k.estimator != "", theory: spec.Theory}
		es := rows.Estimates(doc, k.only(f))
		for _, e := range es {
			if name, second := rows.Second(es, e); second && name != k.estimator || !second && s.second {
				continue
			}
			if pt, ok := p.pointOf(e, spec.unit()); ok {
				s.points = append(s.points, pt)
				p.rows = append(p.rows, e)
			} else if v := p.values(); spec.Theory {
				continue // the row itself is counted already
			} else if float64(e.Value) < v.From {
				p.below++
			} else if v.Log && e.Value <= 0 {
				p.lost++
			}
		}
		if len(s.points) > 0 {
			slices.SortStableFunc(s.points, func(a, b point) int { return order(a.x, b.x) })
			p.series = append(p.series, s)
		}
	}
}

// unit is the one in which the points stand.
func (spec Points) unit() Unit {
	if spec.Theory {
		return theoryAlone
	}
	return spec.In
}

// theoryAlone is the theory of a row as if it were measured, exactly.
func theoryAlone(e result.Estimate) (result.Estimate, bool) {
	t := e.Theory
	e.Value, e.SE, e.Lo, e.Hi = t, 0, t, t
	return e, t.Present()
}

// values is the axis along which the values of the rows run.
func (p *plotted) values() Axis {
	if p.Y.Names {
		return p.X
	}
	return p.Y
}

func (p *plotted) pointOf(e result.Estimate, in Unit) (point, bool) {
	if in != nil {
		var ok bool
		if e, ok = in(e); !ok {
			return point{}, false
		}
	}
	lo, hi := math.NaN(), math.NaN()
	if e.Lo.Present() && e.Hi.Present() {
		lo, hi = float64(e.Lo), float64(e.Hi)
	}
	if p.Y.Names {
		y, ok := p.heightOf(e)
		return point{float64(e.Value), y, lo, hi}, ok && holds(p.X.Log, float64(e.Value))
	}
	x, ok := p.placeOf(e)
	return point{x, float64(e.Value), lo, hi}, ok && holds(p.X.Log, x) && holds(p.Y.Log, float64(e.Value)) && p.Y.reaches(float64(e.Value))
}

// raise lifts what lies below the start of the axis to it.
func (a Axis) raise(v float64) float64 {
	if a.reaches(v) {
		return v
	}
	return a.From
}

// reaches reports whether a value is not below where the axis starts.
func (a Axis) reaches(v float64) bool { return a.From == 0 || v >= a.From }

// namesOf lists what an axis of names shows.
func namesOf(panels []Panel, doc *result.Document) (names []string) {
	for _, p := range panels {
		if !p.Y.Names {
			continue
		}
		filters := make([]rows.Filter, 0, len(p.Points)+1)
		for _, spec := range p.Points {
			filters = append(filters, spec.Rows)
		}
		if p.Heat != nil {
			filters = append(filters, p.Heat.Rows)
		}
		for _, f := range filters {
			for _, name := range rows.Names(rows.Estimates(doc, f), p.Y.Param) {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		if p.Y.Sorted {
			sortNames(names, rows.Estimates(doc, filters[0]), p.Y.Param)
		}
	}
	return names
}

// sortNames orders names by the theory of their rows, the largest first.
func sortNames(names []string, es []result.Estimate, param string) {
	of := map[string]float64{}
	for _, e := range es {
		name, _ := e.Params.Text(param)
		of[name] = float64(e.Theory)
		if !e.Theory.Present() {
			of[name] = float64(e.Value)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return order(of[b], of[a]) })
}

func linesOf(spec Lines, p Panel, doc *result.Document, keys []key) []line {
	var out []line
	for _, c := range append(rows.Curves(doc, spec.Curves, p.X.Param), theoryOf(spec.Rows, p.X.Param, doc)...) {
		l := line{label: spec.Label, style: style{colour: quiet.paper}}
		if i := slices.Index(keys, key{of: spec.Label}); i >= 0 && spec.By == "" {
			l.style = styleOf(i) // of the points that it is the theory of
		}
		if spec.By != "" {
			i := slices.Index(keys, key{by: spec.By, of: c.Params[spec.By]})
			if i < 0 {
				continue // a line of something that was not measured
			}
			l.label, l.style = nameOf(keys[i]), styleOf(i)
		}
		for _, i := range rising(c) {
			if x, y := float64(c.X[i]), float64(c.Y[i]); holds(p.X.Log, x) && holds(p.Y.Log, y) {
				l.xs, l.ys = append(l.xs, x), append(l.ys, y)
				l.rows = append(l.rows, theoryRow(c, x, y))
			}
		}
		if len(l.xs) > 1 { // one point is no line
			out = append(out, l)
		}
	}
	return out
}

// rising lists the points of a curve from left to right.
func rising(c result.Curve) []int {
	at := make([]int, min(len(c.X), len(c.Y)))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return order(float64(c.X[a]), float64(c.X[b])) })
	return at
}

// theoryOf returns the theory of rows as one curve over a parameter.
func theoryOf(f rows.Filter, param string, doc *result.Document) []result.Curve {
	var c result.Curve
	for _, e := range rows.Estimates(doc, f) {
		x, ok := e.Params.Number(param)
		if !ok || !e.Theory.Present() {
			continue
		}
		c.Experiment, c.Quantity, c.Axis, c.Kind = e.Experiment, e.Quantity, param, e.TheoryKind
		c.Params = maps.Clone(e.Params)
		c.X, c.Y = append(c.X, result.Number(x)), append(c.Y, e.Theory)
	}
	if len(c.X) == 0 {
		return nil
	}
	delete(c.Params, param)
	return []result.Curve{c}
}

// theoryRow writes a point of a line as a row that was not measured.
func theoryRow(c result.Curve, x, y float64) result.Estimate {
	none := result.Absent()
	params := result.Params{c.Axis: x}
	maps.Copy(params, c.Params)
	return result.Estimate{Experiment: c.Experiment, Quantity: c.Quantity, Params: params, Estimator: "theory",
		Value: none, SE: none, Lo: none, Hi: none, Level: none, Theory: result.Number(y), TheoryKind: c.Kind}
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
var ruleNames = map[string]string{"sqrt(d_k/2)": `$\sqrt{d_k/2}$`, "sqrt(d_k)": `divided by $\sqrt{d_k}$`}

// symbols of parameters whose values are numbers.
var paramNames = map[string]string{"exponent": "p", "d_k": "d_k", "keys": "n", "sigma": `\sigma`, "temperature": "T"}

func nameOf(k key) string {
	if k.estimator != "" {
		return nameOf(key{by: k.by, of: k.of}) + ", " + literal(k.estimator)
	}
	switch of := k.of.(type) {
	case float64:
		if k.by == "rho" { // as texts and tables write it
			return `$\rho = ` + digits.Short(of) + "$"
		}
		if name, ok := paramNames[k.by]; ok {
			return "$" + name + " = " + digits.Fraction(of) + "$"
		}
		return literal(k.by + " = " + digits.Fraction(of))
	case string:
		if k.by == "" {
			return of // a label of the declaration
		}
		if name, ok := ruleNames[of]; ok {
			return name
		}
		return literal(of)
	}
	return ""
}
