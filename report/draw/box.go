package draw

import "gonum.org/v1/plot/vg"

// Box is a rectangle, such as where the axes of a panel stand.
type Box struct{ Left, Bottom, Right, Top vg.Length }

func (b Box) X(u float64) vg.Length { return b.Left + vg.Length(u)*(b.Right-b.Left) }
func (b Box) Y(u float64) vg.Length { return b.Bottom + vg.Length(u)*(b.Top-b.Bottom) }
func (b Box) Width() vg.Length      { return b.Right - b.Left }
func (b Box) Height() vg.Length     { return b.Top - b.Bottom }

// Grown is the box with room all around it.
func (b Box) Grown(by vg.Length) Box {
	return Box{Left: b.Left - by, Bottom: b.Bottom - by, Right: b.Right + by, Top: b.Top + by}
}

// Meets reports whether the straight line from p to q meets the box (Liang and Barsky,
// 1984).
func (b Box) Meets(p, q vg.Point) bool {
	from, to := 0.0, 1.0
	for _, side := range [][2]vg.Length{{p.X - q.X, p.X - b.Left}, {q.X - p.X, b.Right - p.X}, {p.Y - q.Y, p.Y - b.Bottom}, {q.Y - p.Y, b.Top - p.Y}} {
		along, room := float64(side[0]), float64(side[1])
		switch {
		case along == 0 && room < 0:
			return false
		case along < 0:
			from = max(from, room/along)
		case along > 0:
			to = min(to, room/along)
		}
	}
	return from <= to
}
