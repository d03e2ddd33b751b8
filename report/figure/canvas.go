package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
)

// What files say of their origin.
const (
	author   = "The mcsim authors"
	year     = "2026"
	software = "mcsim"
	work     = "mcsim: what attention scaling does, by Monte Carlo"
	keywords = "scaled dot-product attention, Monte Carlo, variance, softmax, mcsim"
)

// Canvas is what a figure is drawn on. Paths have moves, lines, curves and closures; y grows
// upwards; colours may be translucent. The same strokes give the same bytes.
type Canvas interface {
	Fill(p vg.Path, k color.NRGBA)
	Stroke(p vg.Path, k color.NRGBA, width vg.Length, dash []vg.Length)
	// Words writes runs of text from a point, to the right or upwards.
	Words(ps []label.Piece, at vg.Point, up bool, k color.NRGBA)
}

// Page is a canvas that becomes a file.
type Page interface {
	Canvas
	// Document returns the file with its metadata: the name of the figure, its title and a
	// description for readers who do not see it.
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
	panic("figure: unknown format " + format)
}

// Box is a rectangle, such as the axes of a panel.
type Box struct{ Left, Bottom, Right, Top vg.Length }

// X returns the point of the width that is the given part, 0 to 1, from the left.
func (b Box) X(part float64) vg.Length { return b.Left + vg.Length(part)*(b.Right-b.Left) }

// Y returns the point of the height that is the given part, 0 to 1, from the bottom.
func (b Box) Y(part float64) vg.Length { return b.Bottom + vg.Length(part)*(b.Top-b.Bottom) }

func (b Box) Width() vg.Length  { return b.Right - b.Left }
func (b Box) Height() vg.Length { return b.Top - b.Bottom }

func (b Box) overlaps(o Box) bool {
	return b.Left < o.Right && o.Left < b.Right && b.Bottom < o.Top && o.Bottom < b.Top
}

func (b Box) contains(o Box) bool {
	return o.Left >= b.Left && o.Right <= b.Right && o.Bottom >= b.Bottom && o.Top <= b.Top
}

// Rectangle is the outline of a box.
func Rectangle(b Box) vg.Path {
	path := polyline(vg.Point{X: b.Left, Y: b.Bottom}, vg.Point{X: b.Right, Y: b.Bottom},
		vg.Point{X: b.Right, Y: b.Top}, vg.Point{X: b.Left, Y: b.Top})
	path.Close()
	return path
}

// polyline is the path from point to point.
func polyline(points ...vg.Point) (path vg.Path) {
	for i, p := range points {
		if i == 0 {
			path.Move(p)
		} else {
			path.Line(p)
		}
	}
	return path
}

// transform returns the path with every point moved.
func transform(p vg.Path, move func(vg.Point) vg.Point) vg.Path {
	out := make(vg.Path, len(p))
	for i, c := range p {
		out[i] = vg.PathComp{Type: c.Type, Pos: move(c.Pos)}
		for _, q := range c.Control {
			out[i].Control = append(out[i].Control, move(q))
		}
	}
	return out
}

// pointOfLabel returns the point of the page of a point of a label, which runs to the right or
// upwards.
func pointOfLabel(origin vg.Point, up bool, x, y vg.Length) vg.Point {
	if up {
		return vg.Point{X: origin.X - y, Y: origin.Y + x}
	}
	return vg.Point{X: origin.X + x, Y: origin.Y + y}
}
