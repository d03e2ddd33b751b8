package figure

import (
	"image"

	"gonum.org/v1/plot/vg"

	"mcsim/report/axis"
	"mcsim/report/draw"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
)

const barThick = vg.Length(8)

// colourBar draws the scale of the maps at the right of all panels.
func (d *drawing) colourBar(boxes []draw.Box) {
	for i, p := range d.panels {
		if p.Map == nil {
			continue
		}
		all := boxes[i]
		for _, b := range boxes {
			all.Top, all.Bottom, all.Right = max(all.Top, b.Top), min(all.Bottom, b.Bottom), max(all.Right, b.Right)
		}
		b := draw.Box{Left: all.Right + d.text, Bottom: all.Bottom, Right: all.Right + d.text + barThick, Top: all.Top}
		d.c.Pixels(b, bar())
		d.stroke(draw.Rectangle(b), theme.Ink.Paper, frameWidth, nil)
		for _, t := range d.barTicks(p, b.Height()) {
			y := b.Y(p.Map.Colour.Unit(t.At))
			d.tick(vg.Point{X: b.Right, Y: y}, vg.Point{X: b.Right + 2, Y: y})
			d.write(t.Label, vg.Point{X: b.Right + 4, Y: y - d.text*capHeight/2}, 0)
		}
		d.writeUp(p.Heat.Label, vg.Point{X: d.w - margin - 0.2*d.text, Y: (b.Bottom + b.Top) / 2})
		return // one for all
	}
}

// barTicks chooses the ticks of the bar of colours.
func (d *drawing) barTicks(p plot.Data, height vg.Length) []axis.Tick {
	most := int(height / (2.6 * d.text))
	if p.Map.Colour.Log {
		return axis.LogTicks(p.Map.Colour, most, nil)
	}
	return axis.LinearTicks(p.Map.Colour, most)
}

// barWidth is the room for the bar with its labels.
func (d *drawing) barWidth(p plot.Data) vg.Length {
	var widest vg.Length
	for _, t := range d.barTicks(p, 150) {
		widest = max(widest, label.WidthOf(t.Label, d.text))
	}
	return d.text + barThick + 4 + widest + 1.6*d.text + margin
}

// bar returns the colours from below to above, for the scale beside the map.
func bar() *image.NRGBA {
	const steps = 256
	img := image.NewNRGBA(image.Rect(0, 0, 1, steps))
	for i := range steps {
		img.SetNRGBA(0, steps-1-i, theme.ColourAt(float64(i)/(steps-1)))
	}
	return img
}
