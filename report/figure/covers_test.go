package figure

import (
	"bytes"
	"image"
	"image/color"
	"testing"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/internal/sample"
	"mcsim/report/label"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// blank is a canvas that keeps nothing: the drawing's own notes are enough.
// It complains of characters that the font lacks.
type blank struct{ t *testing.T }

func (blank) Fill(vg.Path, color.NRGBA)                           {}
func (blank) Stroke(vg.Path, color.NRGBA, vg.Length, []vg.Length) {}
func (b blank) Words(ps []label.Piece, _ vg.Point, _ bool, _ color.NRGBA) {
	for _, p := range ps {
		for _, r := range p.Text {
			if !p.Font.Face().Has(r) {
				b.t.Errorf("the font has no %q of %q", r, p.Text)
			}
		}
	}
}
func (blank) Pixels(draw.Box, *image.NRGBA) {}

// everyDrawing calls check with every chart in every document and in.
func everyDrawing(t *testing.T, check func(t *testing.T, name string, d *drawing)) {
	docs, looks := drawn()
	draw := func(name string, c Chart, doc *result.Document) {
		for suffix, in := range looks {
			d := c.Of(doc).prepare(in)
			d.draw(blank{t})
			check(t, name+"/"+c.Name+"/"+suffix, d)
		}
	}
	for name, doc := range docs {
		for _, c := range charts {
			draw(name, c, doc)
		}
	}
	for _, c := range declared {
		draw("invented", c, invented())
	}
}

// TestLegendCoversNoData: neither a point nor a stretch of a line that shows
// data lies in the box of an entry of the legend, and all stays on the page.
func TestLegendCoversNoData(t *testing.T) {
	legends, marks := 0, 0
	everyDrawing(t, func(t *testing.T, name string, d *drawing) {
		legends, marks = legends+len(d.keys), marks+len(d.data)
		page := draw.Box{Left: 0, Bottom: 0, Right: d.w, Top: d.h}
		for _, k := range d.keys {
			for _, line := range d.data {
				for i, p := range line {
					if i == 0 && holds(k, p) || i > 0 && k.Meets(line[i-1], p) {
						t.Fatalf("%s: the legend at %v covers %v", name, k, p)
					}
				}
			}
		}
		for _, line := range d.data {
			for _, p := range line {
				if !holds(page, p) {
					t.Fatalf("%s: %v is off the page", name, p)
				}
			}
		}
	})
	if legends == 0 || marks == 0 {
		t.Fatal("no legend or no data was drawn")
	}
}

func holds(b draw.Box, p vg.Point) bool {
	return p.X >= b.Left && p.X <= b.Right && p.Y >= b.Bottom && p.Y <= b.Top
}

// TestCrossed: a legend in the middle of a line is found.
func TestCrossed(t *testing.T) {
	b := draw.Box{Left: 2, Bottom: 2, Right: 4, Top: 3}
	for _, c := range []struct {
		p, q vg.Point
		want bool
	}{
		{vg.Point{X: 0, Y: 0}, vg.Point{X: 6, Y: 6}, true},
		{vg.Point{X: 0, Y: 2.5}, vg.Point{X: 6, Y: 2.5}, true},
		{vg.Point{X: 3, Y: 2.5}, vg.Point{X: 3.1, Y: 2.6}, true},
		{vg.Point{X: 0, Y: 0}, vg.Point{X: 1, Y: 6}, false},
		{vg.Point{X: 0, Y: 3.5}, vg.Point{X: 6, Y: 3.5}, false},
		{vg.Point{X: 0, Y: 6}, vg.Point{X: 6, Y: 2.9}, false},
	} {
		if got := b.Meets(c.p, c.q); got != c.want {
			t.Errorf("%v to %v: %v", c.p, c.q, got)
		}
	}
}

// TestSharedAxes: a panel without labels under it stands above one with the
// same axis from end to end.
func TestSharedAxes(t *testing.T) {
	everyDrawing(t, func(t *testing.T, name string, d *drawing) {
		for i := range d.panels {
			if below, ok := d.grid.under(i); ok && !d.labelsX(i) && d.panels[i].ScaleX != d.panels[below].ScaleX {
				t.Errorf("%s: panel %d runs over %v, the one below it over %v", name, i, d.panels[i].ScaleX, d.panels[below].ScaleX)
			}
			if !d.labelsY(i) && d.panels[i].ScaleY != d.panels[i-1].ScaleY {
				t.Errorf("%s: panel %d reads %v, the one beside it %v", name, i, d.panels[i].ScaleY, d.panels[i-1].ScaleY)
			}
		}
	})
}

// TestWordsDoNotCollide: no label touches another or leaves the page, and no
// figure of print is higher than a page allows.
func TestWordsDoNotCollide(t *testing.T) {
	everyDrawing(t, func(t *testing.T, name string, d *drawing) {
		for i, a := range d.written {
			if a.Left < 0 || a.Bottom < 0 || a.Right > d.w+0.01 || a.Top > d.h+0.01 {
				if name != "hostile law" {
					t.Errorf("%s: a label at %v leaves the page of %v by %v", name, a, d.w, d.h)
				}
			}
			for _, b := range d.written[:i] {
				if a.Left < b.Right && b.Left < a.Right && a.Bottom < b.Top && b.Bottom < a.Top {
					t.Errorf("%s: labels at %v and %v collide", name, a, b)
				}
			}
		}
		if d.in.Style.Highest > 0 && d.h > 170*vg.Millimeter {
			t.Errorf("%s: is %v mm high", name, d.h/vg.Millimeter)
		}
	})
}

// The label of an axis stands clear of its ticks however far the axis goes.
func TestLabelsOfAxesStandClear(t *testing.T) {
	for _, times := range []result.Number{1, 2, 3, 5, 8} {
		doc := sample.Document()
		for i := range doc.Estimates {
			if e := &doc.Estimates[i]; e.Quantity == "key_gradient" {
				e.Value, e.Lo, e.Hi = times*e.Value, times*e.Lo, times*e.Hi
			}
		}
		for look, in := range themes {
			d := charted("gradients").Of(doc).prepare(in)
			d.draw(blank{t})
			for i, a := range d.written {
				for _, b := range d.written[:i] {
					if a.Left < b.Right && b.Left < a.Right && a.Bottom < b.Top && b.Bottom < a.Top {
						t.Errorf("%v times, %s: labels at %v and %v collide", times, look, a, b)
					}
				}
			}
		}
	}
}

// TestDeclared: charts of every kind of mark come in every format, twice the
// same.
func TestDeclared(t *testing.T) {
	doc := invented()
	for _, c := range few(declared, 3) {
		for _, label := range []string{"web", "web-dark", "web-narrow", "nature-narrow"} {
			svg := c.Of(doc).SVG(themes[label])
			checkSVG(t, svg)
			leave(t, c.Name+"-"+label+".svg", svg)
		}
		for _, format := range Formats {
			first, err := c.Of(doc).File(format, theme.Print)
			if err != nil {
				t.Fatal(err)
			}
			if format != "png" {
				if second, _ := c.Of(doc).File(format, theme.Print); !bytes.Equal(first, second) {
					t.Errorf("%s.%s: two drawings differ", c.Name, format)
				}
			}
			leave(t, c.Name+"."+format, first)
		}
	}
}
