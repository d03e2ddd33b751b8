package figure

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/internal/sample"
	"mcsim/report/plot"
	"mcsim/report/theme"
	"mcsim/sim/result"
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

// No line over colours runs through a letter, however the line of freezing goes.
func TestNoLineStrikesALetter(t *testing.T) {
	docs := map[string]*result.Document{"sample": sample.Document()}
	for _, steep := range []float64{0.6, 1.5} {
		doc := sample.Document()
		for i := range doc.Curves {
			if c := &doc.Curves[i]; c.Quantity == "freezing_sigma" {
				for j := range c.Y {
					c.Y[j] *= result.Number(steep)
				}
			}
		}
		docs[fmt.Sprint("moved by ", steep)] = doc
	}
	struck := 0
	for name, doc := range docs {
		for look, in := range themes {
			for _, c := range softmaxCharts() {
				d := c.Of(doc).prepare(in)
				d.draw(blank{t})
				for _, path := range d.over {
					for _, mark := range d.marks {
						struck++
						for i := 1; i < len(path); i++ {
							if path[i].Type == vg.LineComp && mark.Meets(path[i-1].Pos, path[i].Pos) {
								t.Errorf("%s, %s, %s: a line strikes the letter at %v", name, c.Name, look, mark)
							}
						}
					}
				}
			}
		}
	}
	if struck == 0 {
		t.Fatal("no line and no letter")
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
	if len(labels[0]) < 3 || !labels[1][plot.Blind] || len(labels[1]) != 2 {
		t.Errorf("p = 0 has the labels %v, p = 1 %v", labels[0], labels[1])
	}
}
