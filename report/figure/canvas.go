package figure

import (
	"image"
	"image/color"

	"gonum.org/v1/plot/vg"
)

// canvas is what a figure is drawn on. Paths hold moves, lines, curves and
// closures; y grows upwards; colours may be translucent.
type canvas interface {
	fill(p vg.Path, k color.NRGBA)
	stroke(p vg.Path, k color.NRGBA, width vg.Length, dash []vg.Length)
	// words writes runs of text from the point on, to the right or upwards.
	words(ps []piece, at vg.Point, up bool, k color.NRGBA)
	// pixels fills the box with an image whose pixels stay sharp.
	pixels(b box, img *image.NRGBA)
}

// place is where a point of a label stands on the page.
func place(at vg.Point, up bool, x, y vg.Length) vg.Point {
	if up {
		return vg.Point{X: at.X - y, Y: at.Y + x}
	}
	return vg.Point{X: at.X + x, Y: at.Y + y}
}

func move(x, y vg.Length) vg.PathComp {
	return vg.PathComp{Type: vg.MoveComp, Pos: vg.Point{X: x, Y: y}}
}

func lineTo(x, y vg.Length) vg.PathComp {
	return vg.PathComp{Type: vg.LineComp, Pos: vg.Point{X: x, Y: y}}
}

func rectangle(b box) vg.Path {
	return vg.Path{move(b.left, b.bottom), lineTo(b.right, b.bottom), lineTo(b.right, b.top),
		lineTo(b.left, b.top), {Type: vg.CloseComp}}
}

// transform returns the path with every point moved.
func transform(p vg.Path, to func(vg.Point) vg.Point) vg.Path {
	out := make(vg.Path, len(p))
	for i, c := range p {
		out[i] = vg.PathComp{Type: c.Type, Pos: to(c.Pos)}
		for _, q := range c.Control {
			out[i].Control = append(out[i].Control, to(q))
		}
	}
	return out
}
