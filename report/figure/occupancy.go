package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
)

// occupancy is a canvas that collects boxes around what is drawn on it, except for labels. A label
// must not overlap them.
type occupancy struct{ boxes []Box }

func (o *occupancy) Fill(p vg.Path, colour color.NRGBA) {
	if colour.A == 255 { // not a band
		o.boxes = append(o.boxes, bounds(p))
	}
}

func (o *occupancy) Stroke(p vg.Path, _ color.NRGBA, width vg.Length, _ []vg.Length) {
	if p[len(p)-1].Type == vg.CloseComp {
		o.boxes = append(o.boxes, bounds(p))
		return
	}
	halfWidth := width/2 + 0.4
	for i, c := range p {
		if c.Type != vg.LineComp {
			continue
		}
		start, across := p[i-1].Pos, c.Pos.Sub(p[i-1].Pos)
		steps := 1.0
		if across.X != 0 && across.Y != 0 { // a slanted line is covered by squares
			steps = math.Ceil(math.Hypot(float64(across.X), float64(across.Y)) / float64(2*halfWidth))
		}
		for range int(steps) {
			end := start.Add(across.Scale(1 / vg.Length(steps)))
			o.boxes = append(o.boxes, Box{Left: min(start.X, end.X) - halfWidth, Right: max(start.X, end.X) + halfWidth,
				Bottom: min(start.Y, end.Y) - halfWidth, Top: max(start.Y, end.Y) + halfWidth})
			start = end
		}
	}
}

func (o *occupancy) DrawLabel([]label.Piece, vg.Point, bool, color.NRGBA) {}

// bounds returns the smallest box around the points of a path.
func bounds(p vg.Path) Box {
	b := Box{Left: p[0].Pos.X, Right: p[0].Pos.X, Bottom: p[0].Pos.Y, Top: p[0].Pos.Y}
	for _, c := range p {
		if c.Type != vg.CloseComp {
			b.Left, b.Right = min(b.Left, c.Pos.X), max(b.Right, c.Pos.X)
			b.Bottom, b.Top = min(b.Bottom, c.Pos.Y), max(b.Top, c.Pos.Y)
		}
	}
	return b
}

// distance returns the distance from a box to the nearest of others, or to the frame around them.
func (b Box) distance(frame Box, others []Box) (nearest float64) {
	nearest = float64(min(b.Left-frame.Left, frame.Right-b.Right, b.Bottom-frame.Bottom, frame.Top-b.Top))
	for _, o := range others {
		nearest = min(nearest, b.distanceTo(o))
	}
	return nearest
}

// distanceTo returns the distance between two boxes, which is 0 if they overlap.
func (b Box) distanceTo(o Box) float64 {
	across, upwards := max(0, o.Left-b.Right, b.Left-o.Right), max(0, o.Bottom-b.Top, b.Bottom-o.Top)
	return math.Hypot(float64(across), float64(upwards))
}
