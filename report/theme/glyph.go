package theme

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// glyph is the outline of a marker on the unit circle; an empty one is the
// circle itself.
type glyph []vg.Point

// polygon has corners at equal angles, the first at from, and its radii in turn.
func polygon(corners int, from float64, radii ...float64) glyph {
	var g glyph
	for i := range corners {
		sin, cos := math.Sincos(from + 2*math.Pi*float64(i)/float64(corners))
		r := radii[i%len(radii)]
		g = append(g, vg.Point{X: vg.Length(cos * r), Y: vg.Length(sin * r)})
	}
	return g
}

// glyphs have about the same area each.
var glyphs = []glyph{
	{},
	polygon(4, math.Pi/4, 1.25),
	polygon(3, math.Pi/2, 1.5),
	polygon(4, 0, 1.3),
	polygon(3, -math.Pi/2, 1.5),
	polygon(10, math.Pi/2, 1.55, 0.7), // a star
	polygon(6, 0, 1.15),
}

// Path is the outline of a marker around a point.
func (g glyph) Path(at vg.Point, r vg.Length) vg.Path {
	var p vg.Path
	if len(g) == 0 {
		p.Move(vg.Point{X: at.X + r, Y: at.Y})
		circle(&p, at, r)
		p.Close()
		return p
	}
	for i, v := range g {
		q := vg.Point{X: at.X + v.X*r, Y: at.Y + v.Y*r}
		if i == 0 {
			p.Move(q)
		} else {
			p.Line(q)
		}
	}
	p.Close()
	return p
}

// circle goes on from the right end of a circle around it, in four cubic
// curves: nothing else is round in all formats.
func circle(p *vg.Path, at vg.Point, r vg.Length) {
	const k = 0.5522847498 // 4/3 tan(π/8): off by 0.03 % of the radius at most
	to := func(x1, y1, x2, y2, x, y vg.Length) {
		point := func(x, y vg.Length) vg.Point { return vg.Point{X: at.X + x*r, Y: at.Y + y*r} }
		p.CubeTo(point(x1, y1), point(x2, y2), point(x, y))
	}
	to(1, k, k, 1, 0, 1)
	to(-k, 1, -1, k, -1, 0)
	to(-1, -k, -k, -1, 0, -1)
	to(k, -1, 1, -k, 1, 0)
}
