package figure

import (
	"bytes"
	"image/png"
	"testing"

	"mcsim/report/draw"
	"mcsim/report/theme"
)

// TestMapOfDots: in the picture itself the cells have the colours of their
// rows, beside their letters, and the hole has that of the paper.
func TestMapOfDots(t *testing.T) {
	doc := invented()
	d := survivalHole.Of(doc).prepare(theme.Print)
	file, err := survivalHole.Of(doc).PNG(theme.Print)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	d.draw(blank{t})
	b := d.boxes(d.below(d.layLegend(entries(d.panels), d.w-2*margin)))[0]
	p := d.panels[0]
	for i, x := range p.Map.Xs {
		for j, y := range p.Map.Ys {
			want := theme.Paper.Paper
			if u, ok := p.Map.Colours[[2]float64{x, y}]; ok {
				want = theme.Print.ColourAt(u)
			}
			at := func(v float64) int { return int(v * draw.DotsPerInch / 72) }
			r, g, bl, _ := img.At(at(float64(b.X(p.ScaleX.Unit(float64(i)+0.25)))), at(float64(d.h-b.Y(p.ScaleY.Unit(float64(j)))))).RGBA()
			if uint8(r>>8) != want.R || uint8(g>>8) != want.G || uint8(bl>>8) != want.B {
				t.Errorf("d_k = %v, p = %v: %d %d %d, want %v", x, y, r>>8, g>>8, bl>>8, want)
			}
		}
	}
}
