package theme

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// glyph is the outline of a marker, about as large as the unit circle.
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
	polygon(16, 0, 1), // at this size no eye tells it from a circle, and it is shorter in all formats
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
