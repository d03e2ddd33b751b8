package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
)

// Texts in the metadata and the citations of files.
const (
	author    = "The mcsim authors"
	year      = "2026"
	software  = "mcsim"
	workTitle = "mcsim: what attention scaling does, by Monte Carlo"
	keywords  = "scaled dot-product attention, Monte Carlo, variance, softmax, mcsim"
)

// Canvas is a surface on which figures are drawn. Lengths are in points, and y grows upwards.
// Colours may be translucent. Paths have moves, lines, quadratic curves and closures.
type Canvas interface {
	Fill(p vg.Path, colour color.NRGBA)
	Stroke(p vg.Path, colour color.NRGBA, width vg.Length, dash []vg.Length)
	// DrawLabel writes the pieces of a label from its origin to the right or, if rotated is true,
	// upwards.
	DrawLabel(pieces []label.Piece, origin vg.Point, rotated bool, colour color.NRGBA)
}

// Page is a canvas that becomes a file. The same calls of its methods give the same bytes.
type Page interface {
	Canvas
	// Document returns the file. Its metadata are the name and the title of the figure, and a
	// description for readers who cannot see the figure.
	Document(name, title, description string) ([]byte, error)
}

// NewPage returns an empty page of the given size in a format: svg, pdf, or png with 300 dots per
// inch. It panics for other formats.
func NewPage(format string, w, h vg.Length) Page {
	switch format {
	case "svg":
		return &svg{w: w, h: h}
	case "pdf":
		return newPDF(w, h)
	case "png":
		return newRaster(w, h)
	}
	panic("figure: unknown format " + format)
}

// Box is a rectangle, such as the axes of a panel.
type Box struct{ Left, Bottom, Right, Top vg.Length }

// X returns the x at the given fraction of the width, from 0 at the left to 1 at the right.
func (b Box) X(fraction float64) vg.Length { return b.Left + vg.Length(fraction)*(b.Right-b.Left) }

// Y returns the y at the given fraction of the height, from 0 at the bottom to 1 at the top.
func (b Box) Y(fraction float64) vg.Length { return b.Bottom + vg.Length(fraction)*(b.Top-b.Bottom) }

func (b Box) Width() vg.Length  { return b.Right - b.Left }
func (b Box) Height() vg.Length { return b.Top - b.Bottom }

func (b Box) overlaps(other Box) bool {
	return b.Left < other.Right && other.Left < b.Right && b.Bottom < other.Top && other.Bottom < b.Top
}

func (b Box) contains(other Box) bool {
	return other.Left >= b.Left && other.Right <= b.Right && other.Bottom >= b.Bottom && other.Top <= b.Top
}

// raise returns the box that is higher by the given length.
func (b Box) raise(by vg.Length) Box {
	b.Bottom, b.Top = b.Bottom+by, b.Top+by
	return b
}

// Rectangle returns the outline of a box.
func Rectangle(b Box) vg.Path {
	path := Polyline(vg.Point{X: b.Left, Y: b.Bottom}, vg.Point{X: b.Right, Y: b.Bottom},
		vg.Point{X: b.Right, Y: b.Top}, vg.Point{X: b.Left, Y: b.Top})
	path.Close()
	return path
}

// Polyline returns the path through points.
func Polyline(points ...vg.Point) (path vg.Path) {
	for i, p := range points {
		if i == 0 {
			path.Move(p)
		} else {
			path.Line(p)
		}
	}
	return path
}

// transform applies a function to every point of a path.
func transform(p vg.Path, move func(vg.Point) vg.Point) vg.Path {
	moved := make(vg.Path, len(p))
	for i, c := range p {
		moved[i] = vg.PathComp{Type: c.Type, Pos: move(c.Pos)}
		for _, q := range c.Control {
			moved[i].Control = append(moved[i].Control, move(q))
		}
	}
	return moved
}

// labelPoint converts the point (x, y), relative to the origin of a label, into a point of the
// page. The label runs to the right or, if rotated is true, upwards.
func labelPoint(origin vg.Point, rotated bool, x, y vg.Length) vg.Point {
	if rotated {
		return vg.Point{X: origin.X - y, Y: origin.Y + x}
	}
	return vg.Point{X: origin.X + x, Y: origin.Y + y}
}
