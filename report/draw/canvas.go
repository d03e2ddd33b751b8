// Package draw holds what a figure is drawn on: one canvas for each format
// (SVG, PDF, PNG). Lengths are in points; the origin is at the lower left. A
// file holds no date and no name of the machine: the same strokes give the
// same bytes.
package draw

import (
	"image/color"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
)

// Canvas is what a figure is drawn on. Paths hold moves, lines, curves and
// closures; y grows upwards; colours may be translucent.
type Canvas interface {
	Fill(p vg.Path, k color.NRGBA)
	Stroke(p vg.Path, k color.NRGBA, width vg.Length, dash []vg.Length)
	// Words writes runs of text from the point on, to the right or upwards.
	Words(ps []label.Piece, at vg.Point, up bool, k color.NRGBA)
}

// Page is a canvas that becomes a file.
type Page interface {
	Canvas
	// Document returns the file with what it says of itself: the name of the figure, its title
	// and a description for who does not see it.
	Document(name, title, description string) ([]byte, error)
}

// NewPage returns an empty page of that size in a format: svg, pdf, or png with 300 dots to
// the inch.
func NewPage(format string, w, h vg.Length) Page {
	switch format {
	case "svg":
		return &svg{w: w, h: h, outlines: map[string]string{}}
	case "pdf":
		return newPDF(w, h)
	case "png":
		return newRaster(w, h)
	}
	panic("draw: no such format")
}

// Place is where a point of a label stands on the page.
func Place(at vg.Point, up bool, x, y vg.Length) vg.Point {
	if up {
		return vg.Point{X: at.X - y, Y: at.Y + x}
	}
	return vg.Point{X: at.X + x, Y: at.Y + y}
}

// Move is a step of a path to a point without a stroke.
func Move(x, y vg.Length) vg.PathComp {
	return vg.PathComp{Type: vg.MoveComp, Pos: vg.Point{X: x, Y: y}}
}

// LineTo is a straight step of a path.
func LineTo(x, y vg.Length) vg.PathComp {
	return vg.PathComp{Type: vg.LineComp, Pos: vg.Point{X: x, Y: y}}
}

// Rectangle is the outline of a box.
func Rectangle(b Box) vg.Path {
	return vg.Path{Move(b.Left, b.Bottom), LineTo(b.Right, b.Bottom), LineTo(b.Right, b.Top),
		LineTo(b.Left, b.Top), {Type: vg.CloseComp}}
}

// Transform returns the path with every point moved.
func Transform(p vg.Path, to func(vg.Point) vg.Point) vg.Path {
	out := make(vg.Path, len(p))
	for i, c := range p {
		out[i] = vg.PathComp{Type: c.Type, Pos: to(c.Pos)}
		for _, q := range c.Control {
			out[i].Control = append(out[i].Control, to(q))
		}
	}
	return out
}
