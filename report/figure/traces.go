package figure

import (
	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// traces draws what was drawn of single rows: lines inside their envelope, or bars with
// whiskers.
func (d *drawing) traces(p plot.Data, b draw.Box) {
	for _, t := range p.Traces {
		d.envelope(p, b, t)
		for _, l := range t.Lines {
			if t.Bars {
				d.bars(p, b, l)
			} else {
				d.trace(p, b, l)
			}
		}
		for _, w := range t.Whiskers {
			d.whisker(p, b, w)
		}
	}
}

// envelope draws the standard deviation to either side of 0.
func (d *drawing) envelope(p plot.Data, b draw.Box, t plot.Trace) {
	if len(t.Edge) > 0 {
		d.fill(outlineOf(p, b, t.Edge), theme.Shade.Paper)
	}
	for _, path := range edges(p, b, t.Edge) {
		if len(path) > 1 {
			d.stroke(path, theme.Ink.Paper, lineWidth, plot.Dashed)
		}
	}
}

// trace draws one line, with a marker where it ends.
func (d *drawing) trace(p plot.Data, b draw.Box, l plot.Line) {
	var path vg.Path
	for i, x := range l.Xs {
		follow(&path, place(p, b, x, l.Ys[i]))
	}
	d.stroke(path, l.Style.Colour, thinWidth, nil)
	last := len(l.Xs) - 1
	d.marker(l.Style, place(p, b, l.Xs[last], l.Ys[last]), 0.8*d.radius())
}

// bars draws one for each x.
func (d *drawing) bars(p plot.Data, b draw.Box, l plot.Line) {
	for i, x := range l.Xs {
		from, to := plot.Bar(x)
		low, high := place(p, b, from, 0), place(p, b, to, l.Ys[i])
		box := draw.Rectangle(draw.Box{Left: low.X, Bottom: low.Y, Right: high.X, Top: high.Y})
		d.fill(box, theme.Translucent(l.Style.Colour))
		d.stroke(box, l.Style.Colour, thinWidth, nil)
	}
}

// whisker draws a bar from end to end, with caps.
func (d *drawing) whisker(p plot.Data, b draw.Box, l plot.Limits) {
	low, high := place(p, b, l.X, l.Lo), place(p, b, l.X, l.Hi)
	from, to := plot.Bar(l.X)
	half := 0.3 * (place(p, b, to, 0).X - place(p, b, from, 0).X)
	d.whiskerPath(low, high, half)
}

// whiskerPath is the bar with caps of a half width.
func (d *drawing) whiskerPath(low, high vg.Point, half vg.Length) {
	path := vg.Path{draw.Move(low.X, low.Y), draw.LineTo(high.X, high.Y)}
	for _, y := range []vg.Length{low.Y, high.Y} {
		path = append(path, draw.Move(low.X-half, y), draw.LineTo(low.X+half, y))
	}
	d.stroke(path, theme.Ink.Paper, thinWidth, nil)
}

// traceEntries explain lines, bars, envelopes and whiskers. Panels have the colours of
// their exponents, which their titles name: the legend has none.
func traceEntries(ps []plot.Data) (out []entry) {
	for _, p := range ps {
		for _, t := range p.Traces {
			quiet := theme.SeriesStyle{Colour: theme.Quiet.Paper}
			if t.Bars {
				out = append(out, entry{label: t.Label, style: quiet, sign: barSign})
			} else {
				out = append(out, levelEntry(t.Label, quiet))
			}
			if len(t.Edge) > 0 {
				out = append(out, entry{label: t.Around, style: theme.SeriesStyle{Colour: theme.Ink.Paper, Dash: plot.Dashed}, line: true})
			}
			if len(t.Whiskers) > 0 {
				out = append(out, entry{label: t.Reach, style: theme.SeriesStyle{Colour: theme.Ink.Paper}, sign: whiskerSign})
			}
		}
	}
	return out
}

// barSign is that of bars.
func barSign(d *drawing, s theme.SeriesStyle, b draw.Box) {
	middle := (b.Left + b.Right) / 2
	box := draw.Rectangle(draw.Box{Left: middle - 4, Bottom: b.Bottom, Right: middle + 4, Top: b.Top})
	d.fill(box, theme.Translucent(s.Colour))
	d.stroke(box, s.Colour, thinWidth, nil)
}

// whiskerSign is that of whiskers.
func whiskerSign(d *drawing, _ theme.SeriesStyle, b draw.Box) {
	middle := (b.Left + b.Right) / 2
	d.whiskerPath(vg.Point{X: middle, Y: b.Bottom - 0.5}, vg.Point{X: middle, Y: b.Top + 0.5}, 2)
}
