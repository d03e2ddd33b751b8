package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
	"mcsim/report/draw"
	"mcsim/report/plot"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// verdictLook is how the gates of a verdict are drawn: those that pass as thin lines, all
// others with a marker of their own shape and colour.
type verdictLook struct {
	verdict result.Verdict
	words   string
	style   theme.SeriesStyle
	marked  bool
}

// looks go from what one hopes for to what one must see.
var looks = []verdictLook{
	{result.Pass, "a bar: the interval of one gate that passes", theme.SeriesStyleOf(2), false},
	{result.Undecided, "undecided", theme.SeriesStyleOf(5), true},
	{result.Fail, "fails", theme.SeriesStyleOf(1), true},
}

// lookOf is that of a verdict; one that is not known has not passed.
func lookOf(v result.Verdict) verdictLook {
	i := slices.IndexFunc(looks, func(l verdictLook) bool { return l.verdict == v })
	if i < 0 {
		i = len(looks) - 1
	}
	return looks[i]
}

// strips draws the bands of gates, and their intervals over them.
func (d *drawing) strips(p plot.Data, b draw.Box) {
	from := b.Left
	if !p.Gates.Away {
		from = b.X(p.ScaleX.Unit(-1))
	}
	d.fill(draw.Rectangle(draw.Box{Left: from, Bottom: b.Bottom, Right: b.X(p.ScaleX.Unit(1)), Top: b.Top}), theme.Shade.Paper)
	for i, s := range p.Strips {
		row := float64(len(p.Strips) - 1 - i)
		low, high := b.Y(p.ScaleY.Unit(row-0.5)), b.Y(p.ScaleY.Unit(row+0.5))
		if i > 0 {
			d.stroke(vg.Path{draw.Move(b.Left, high), draw.LineTo(b.Right, high)}, theme.Quiet.Paper, frameWidth/2, nil)
		}
		gap := 0.08 * (high - low)
		d.strip(p, b, s, low+gap, high-gap)
	}
}

// strip draws the intervals of one experiment between two heights. Of all that pass it
// makes one path, since there may be a thousand of them.
func (d *drawing) strip(p plot.Data, b draw.Box, s plot.Strip, low, high vg.Length) {
	step := (high - low) / vg.Length(len(s.Marks))
	at := func(i int, m plot.GateMark) (left, right vg.Point) {
		y := low + (vg.Length(i)+0.5)*step
		left, right = vg.Point{X: b.X(p.ScaleX.Unit(m.Lo)), Y: y}, vg.Point{X: b.X(p.ScaleX.Unit(m.Hi)), Y: y}
		if short := shortest - (right.X - left.X); short > 0 {
			left.X, right.X = left.X-short/2, right.X+short/2
		}
		return left, right
	}
	var path vg.Path
	for i, m := range s.Marks {
		if m.Passed() {
			left, right := at(i, m)
			path = append(path, draw.Move(left.X, left.Y), draw.LineTo(right.X, right.Y))
		}
	}
	// Where they lie far apart each must be seen alone, and where they lie on each other many of
	// them must not blot out the rest.
	thinnest := vg.Length(0.1)
	if p.Gates.Away {
		thinnest = 0.9
	}
	if len(path) > 0 {
		d.stroke(path, looks[0].style.Colour, min(1.2, max(thinnest, 0.6*step)), nil)
	}
	for i, m := range s.Marks {
		if m.Passed() {
			continue
		}
		left, right := at(i, m)
		look := lookOf(m.Gate.Verdict)
		bar := vg.Path{draw.Move(left.X, left.Y), draw.LineTo(right.X, right.Y)}
		d.stroke(bar, look.style.Colour, 1.6, nil)
		d.marker(look.style, vg.Point{X: (left.X + right.X) / 2, Y: left.Y}, 1.3*d.radius())
	}
}

// shortest is how long an interval is drawn at least, so that it is seen.
const shortest = vg.Length(1.4)

// stripEntries explain how the gates of each verdict look, also of one that none has, with
// their number, and the bands.
func stripEntries(ps []plot.Data) (out []entry) {
	count, band := map[result.Verdict]int{}, ""
	for _, p := range ps {
		for _, s := range p.Strips {
			band = p.Gates.Band
			for _, m := range s.Marks {
				count[lookOf(m.Gate.Verdict).verdict]++
			}
		}
	}
	if band == "" {
		return nil
	}
	for _, l := range looks {
		n := "none"
		if count[l.verdict] > 0 {
			n = digits.Count(int64(count[l.verdict]))
		}
		out = append(out, entry{label: l.words + " (" + n + ")", style: theme.SeriesStyle{Colour: l.style.Colour, Glyph: l.style.Glyph, Hollow: l.style.Hollow}, line: true, marker: l.marked})
	}
	return append(out, entry{label: band, style: theme.SeriesStyle{Colour: theme.Shade.Paper}, sign: shadeSign})
}
