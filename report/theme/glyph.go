package theme

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// Marker is the outline of a marker, about as large as the unit circle.
type Marker []vg.Point

// polygon returns a polygon with corners at equal angles, the first at startAngle in radians. The
// radii of the corners repeat: two radii alternate and give a star.
func polygon(corners int, startAngle float64, radii ...float64) Marker {
	var g Marker
	for i := range corners {
		sin, cos := math.Sincos(startAngle + 2*math.Pi*float64(i)/float64(corners))
		r := radii[i%len(radii)]
		g = append(g, vg.Point{X: vg.Length(cos * r), Y: vg.Length(sin * r)})
	}
	return g
}

// markerShapes have about the same area.
var markerShapes = []Marker{
	polygon(16, 0, 1), // at this size it looks like a circle, and its path takes fewer bytes
	polygon(4, math.Pi/4, 1.25),
	polygon(3, math.Pi/2, 1.5),
	polygon(4, 0, 1.3),
	polygon(3, -math.Pi/2, 1.5),
	polygon(10, math.Pi/2, 1.55, 0.7), // a star
	polygon(6, 0, 1.15),
}

// Path returns the outline of a marker with the given centre and radius.
func (g Marker) Path(centre vg.Point, radius vg.Length) vg.Path {
	var p vg.Path
	p.Move(centre.Add(g[0].Scale(radius)))
	for _, v := range g[1:] {
		p.Line(centre.Add(v.Scale(radius)))
	}
	p.Close()
	return p
}
