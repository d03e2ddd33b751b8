package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// grade is a label of a gradient survival R, from a value of R on.
type grade struct {
	mark string // in a cell or a bar, so that colour is not needed
	name string
	from float64
}

// grades are the labels, from the best to the worst. They are those of the
// shares of rows that the document holds.
var grades = []grade{{"H", "healthy", 0.5}, {"F", "fading", 0.05}, {"D", "dying", 0.001}, {"X", "dead", 0}}

// meaning is the grade's name with its bound.
func (g grade) meaning() string {
	if g.from == 0 {
		return g.name
	}
	return g.name + ", $R ≥ " + short(g.from) + "$"
}

// gradeOf returns the label of a value of R.
func gradeOf(r float64) grade {
	for _, g := range grades {
		if r >= g.from {
			return g
		}
	}
	return grades[len(grades)-1]
}

// Grade returns the name of the label of a value of R.
func Grade(r float64) string { return gradeOf(r).name }

// over returns the ink of words on a colour of a map, black or white, which is
// the same on paper and on a dark page. The luminance is that of a display
// whose light grows with the square of a colour.
func over(k color.NRGBA) color.NRGBA {
	r, g, b := int(k.R), int(k.G), int(k.B)
	if 2126*r*r+7152*g*g+722*b*b > 2100*255*255 {
		return color.NRGBA{A: 255}
	}
	return color.NRGBA{R: 255, G: 255, B: 255, A: 255}
}

// grades writes the label of each cell into it, on a ground of the cell's own
// colour, so that no line runs through it.
func (d *drawing) grades(p plotted, b box) {
	for at, z := range p.heat.all() {
		k := colourAt(p.heat.colour.unit(z))
		d.markOn(k, gradeOf(z).mark, vg.Point{X: b.x(p.x.unit(at[0])), Y: b.y(p.y.unit(at[1]))})
	}
}

// markSize is the size of a mark in units of that of labels.
const markSize = 0.8

// markOn writes a mark around a point of a ground.
func (d *drawing) markOn(ground color.NRGBA, mark string, at vg.Point) {
	s := set(mark, markSize*d.text)
	half := box{at.X - s.width/2 - 1, at.Y - 0.36*d.text, at.X + s.width/2 + 1, at.Y + 0.36*d.text}
	d.c.fill(rectangle(half), ground)
	at.X -= s.width / 2
	at.Y -= markSize * d.text * capHeight / 2
	d.c.words(s.pieces, at, false, over(ground))
	d.written = append(d.written, box{at.X, at.Y, at.X + s.width, at.Y + s.top})
}
