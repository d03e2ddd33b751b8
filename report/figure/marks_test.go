package figure

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"mcsim/report/draw"
	"mcsim/report/internal/sample"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

// pixels is a canvas that keeps the images that are drawn on it.
type pixels struct {
	blank
	images *[]*image.NRGBA
}

func (c pixels) Pixels(_ draw.Box, img *image.NRGBA) { *c.images = append(*c.images, img) }

// coloursOf are those of an image, each once.
func coloursOf(img *image.NRGBA) (out []color.NRGBA) {
	for x := range img.Rect.Dx() {
		for y := range img.Rect.Dy() {
			if k := img.NRGBAAt(x, y); k.A > 0 && !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// The signs of the labels in the legend of a map have the colours of its cells, all of
// these and no others, on paper and on a dark page.
func TestSwatchesHaveTheColoursOfCells(t *testing.T) {
	for _, name := range []string{"softmax-map", "freezing-map"} {
		for _, in := range []theme.Theme{theme.Web, theme.Web.OnDark()} {
			var images []*image.NRGBA
			d := charted(name).Of(sample.Document()).prepare(in)
			d.draw(pixels{blank{t}, &images})
			var legend []color.NRGBA
			for _, img := range images[:len(images)-1] {
				legend = append(legend, coloursOf(img)...)
			}
			cells := coloursOf(images[len(images)-1])
			if len(images) < 3 || len(cells) < 4 {
				t.Fatalf("%s: %d images, %d cells", name, len(images), len(cells))
			}
			for _, k := range legend {
				if !slices.Contains(cells, k) {
					t.Errorf("%s: the legend has %v, and no cell has", name, k)
				}
			}
			for _, k := range cells {
				if !slices.Contains(legend, k) {
					t.Errorf("%s: a cell has %v, and the legend has not", name, k)
				}
			}
		}
	}
}

// Every letter stands in the middle of its cell, at the height of the tick that names its
// row and above the tick of its column.
func TestLettersStandAtTheirTicks(t *testing.T) {
	for _, name := range []string{"softmax-map", "freezing-map"} {
		for look, in := range themes {
			d := charted(name).Of(sample.Document()).prepare(in)
			d.draw(blank{t})
			p := d.panels[0]
			cells := p.Map.Cells()
			letters := d.marks[len(d.marks)-len(cells):]
			b := d.boxes(d.below(d.layLegend(entries(d.panels), d.w-2*margin)))[0]
			for i, c := range cells {
				x, y := b.X((c.Column+0.5)/float64(len(p.Map.Xs))), b.Y((c.Row+0.5)/float64(len(p.Map.Ys)))
				if l := letters[i]; math.Abs(float64((l.Left+l.Right)/2-x)) > 0.5 || math.Abs(float64((l.Bottom+l.Top)/2-y)) > 1 {
					t.Errorf("%s, %s: the letter of %v stands at %v, its cell at (%v, %v)", name, look, c, l, x, y)
				}
				column, row := d.xTicks(p, b.Width())[int(c.Column)], d.yTicks(p, b.Height())[int(c.Row)]
				if b.X(p.ScaleX.Unit(column.At)) != x || b.Y(p.ScaleY.Unit(row.At)) != y {
					t.Errorf("%s, %s: the ticks of %v do not stand at its middle", name, look, c)
				}
			}
		}
	}
}

// On the map of the sample, every d_k has one label under the usual scale; without a
// scale, and divided by d_k, the labels change.
func TestUsualScaleHasOneLabel(t *testing.T) {
	m := charted("softmax-map").Of(sample.Document()).panels[0].Map
	labels := map[float64]map[plot.Grade]bool{}
	for at, g := range m.Labels {
		if labels[at[1]] == nil {
			labels[at[1]] = map[plot.Grade]bool{}
		}
		labels[at[1]][g] = true
	}
	if !labels[0.5][plot.Grades[0]] || len(labels[0.5]) != 1 {
		t.Errorf("p = 1/2 has the labels %v", labels[0.5])
	}
	if len(labels[0]) < 3 || !labels[1][plot.TooSoft] || len(labels[1]) != 2 {
		t.Errorf("p = 0 has the labels %v, p = 1 %v", labels[0], labels[1])
	}
}
