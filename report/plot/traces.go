package plot

import (
	"math"

	"mcsim/report/axis"
	"mcsim/report/rows"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Traces declares lines through what was drawn, one for each curve of that kind, in the
// colour, and lines with the marker, of one exponent of the scale.
type Traces struct {
	Curves   rows.Filter
	Exponent float64
	// Over is what the y of a curve is divided by at an x; nil: by nothing.
	Over func(x float64) float64
	// Envelope is what theory calls the standard deviation at an x, to either side of 0;
	// nil: there is none.
	Envelope func(x float64) float64
	// Bars stand on 0 in place of lines, one for each x.
	Bars bool
	// Lower and Upper are the ends of whiskers: two quantities of rows; none where they have
	// no name.
	Lower, Upper rows.Filter
	// What the legend calls the lines or bars, the envelope and the whiskers.
	Label, Around, Reach string
}

// Trace is what one declaration shows.
type Trace struct {
	Traces
	Style    theme.SeriesStyle
	Lines    []Line
	Edge     []Limits // of the envelope
	Whiskers []Limits
}

// selectTraces takes the curves, and the ends of whiskers where they have a bar.
func (p *Data) selectTraces(spec Traces, doc *result.Document) {
	t := Trace{Traces: spec}
	t.Style, _ = theme.ExponentStyle(spec.Exponent)
	for _, c := range rows.Drawn(doc, spec.Curves, p.X.Param) {
		l := Line{Label: spec.Label, Style: t.Style}
		for _, i := range rising(c) {
			x, y := float64(c.X[i]), float64(c.Y[i])
			if spec.Over != nil {
				y /= spec.Over(x)
			}
			if axis.Holds(p.X.Log, x) && axis.Holds(p.Y.Log, y) {
				l.Xs, l.Ys = append(l.Xs, x), append(l.Ys, y)
				p.Shown = append(p.Shown, drawnRow(doc, c, i))
			}
		}
		if len(l.Xs) > 0 {
			t.Lines = append(t.Lines, l)
		}
	}
	if len(t.Lines) == 0 {
		return
	}
	t.Edge = t.edge()
	t.Whiskers = p.whiskers(t, doc)
	p.Traces = append(p.Traces, t)
}

// edges is how many points the envelope goes through.
const edges = 256

// edge is the envelope from the first x of the lines to the last.
func (t Trace) edge() (out []Limits) {
	if t.Envelope == nil {
		return nil
	}
	xs := t.Lines[0].Xs
	first, last := xs[0], xs[len(xs)-1]
	for i := range edges {
		x := first * math.Pow(last/first, float64(i)/(edges-1)) // more of them where it bends
		out = append(out, Limits{x, -t.Envelope(x), t.Envelope(x)})
	}
	return out
}

// whiskers are the ends at every x of the lines that have both.
func (p *Data) whiskers(t Trace, doc *result.Document) (out []Limits) {
	for _, x := range t.Lines[0].Xs {
		low, okLow := rows.One(doc, t.Lower.With(p.X.Param, x))
		high, okHigh := rows.One(doc, t.Upper.With(p.X.Param, x))
		if okLow && okHigh {
			out = append(out, Limits{x, float64(low.Value), float64(high.Value)})
			p.Shown = append(p.Shown, low, high)
		}
	}
	return out
}

// drawnRow writes a point of a curve as a row: one number that was drawn, which has no
// error.
func drawnRow(doc *result.Document, c result.Curve, i int) result.Estimate {
	e := rowOf(c, c.X[i])
	e.Cell, e.Estimator, e.N, e.Value, e.TheoryKind = rows.CellOf(doc, c), names.EstimatorDirect, 1, c.Y[i], names.TheoryNone
	return e
}

// drawnValues are all x and y that traces show.
func (p *Data) drawnValues() (xs, ys []float64) {
	for _, t := range p.Traces {
		for _, l := range t.Lines {
			xs, ys = append(xs, l.Xs...), append(ys, l.Ys...)
		}
		for _, of := range [][]Limits{t.Edge, t.Whiskers} {
			for _, e := range of {
				ys = append(ys, e.Lo, e.Hi)
			}
		}
		if t.Bars {
			ys = append(ys, 0)
		}
	}
	return xs, ys
}

// OnZero reports whether bars stand on 0, which then is the end of the axis.
func (p *Data) OnZero() bool {
	for _, t := range p.Traces {
		if t.Bars {
			return true
		}
	}
	return false
}

// halfBar is the half of the width of a bar, between x that are 1 apart.
const halfBar = 0.36

// Bar is the box of a bar between the axes: from its left end to its right one.
func Bar(x float64) (from, to float64) { return x - halfBar, x + halfBar }
