package figure

import "gonum.org/v1/plot/vg"

const barThick = vg.Length(8)

// colourBar draws the scale of the maps at the right of all panels.
func (d *drawing) colourBar(boxes []box) {
	for i, p := range d.panels {
		if p.heat == nil {
			continue
		}
		all := boxes[i]
		for _, b := range boxes {
			all.top, all.bottom, all.right = max(all.top, b.top), min(all.bottom, b.bottom), max(all.right, b.right)
		}
		b := box{all.right + d.text, all.bottom, all.right + d.text + barThick, all.top}
		d.c.pixels(b, bar())
		d.stroke(rectangle(b), ink.paper, frameWidth, nil)
		for _, t := range d.barTicks(p, b.height()) {
			y := b.y(p.heat.colour.unit(t.at))
			d.tick(vg.Point{X: b.right, Y: y}, vg.Point{X: b.right + 2, Y: y})
			d.write(t.label, vg.Point{X: b.right + 4, Y: y - d.text*capHeight/2}, 0)
		}
		d.writeUp(p.Heat.Label, vg.Point{X: d.w - margin - 0.2*d.text, Y: (b.bottom + b.top) / 2})
		return // one for all
	}
}

func (d *drawing) barTicks(p plotted, height vg.Length) []tick {
	most := int(height / (2.6 * d.text))
	if p.heat.colour.log {
		return logTicks(p.heat.colour, most, nil)
	}
	return linearTicks(p.heat.colour, most)
}

// barWidth is the room for the bar with its labels.
func (d *drawing) barWidth(p plotted) vg.Length {
	var widest vg.Length
	for _, t := range d.barTicks(p, 150) {
		widest = max(widest, widthOf(t.label, d.text))
	}
	return d.text + barThick + 4 + widest + 1.6*d.text + margin
}
