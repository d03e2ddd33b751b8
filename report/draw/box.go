package draw

import "gonum.org/v1/plot/vg"

// Box is a rectangle, such as where the axes of a panel stand.
type Box struct{ Left, Bottom, Right, Top vg.Length }

func (b Box) X(u float64) vg.Length { return b.Left + vg.Length(u)*(b.Right-b.Left) }
func (b Box) Y(u float64) vg.Length { return b.Bottom + vg.Length(u)*(b.Top-b.Bottom) }
func (b Box) Width() vg.Length      { return b.Right - b.Left }
func (b Box) Height() vg.Length     { return b.Top - b.Bottom }

// Meets reports whether the boxes have points in common.
func (b Box) Meets(o Box) bool {
	return b.Left < o.Right && o.Left < b.Right && b.Bottom < o.Top && o.Bottom < b.Top
}
