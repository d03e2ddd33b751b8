package headmap

import (
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"

	"mcsim/report/figure"
	"mcsim/report/theme"
)

// linesHeight is the height of the lines below a map over files.
const linesHeight = 130

// drawLines draws the values of each layer over the columns of the map, on a logarithmic axis, and
// their geometric mean over layers as a thick line.
func (d *headDrawing) drawLines(m Map) {
	lo, hi := math.Inf(1), 0.0
	for _, l := range m.Layers {
		for _, sd := range l.SD {
			lo, hi = min(lo, sd), max(hi, sd)
		}
	}
	if hi == 0 { // a logarithmic axis cannot show it
		return
	}
	const (
		margin   = 1.1  // ratio of the ends of the axis to the extremes of the values
		maxRatio = 1000 // of the ends; smaller values are drawn at the lower end
	)
	lo, hi = max(lo, hi/maxRatio)/margin, hi*margin
	box := figure.Box{Left: d.box.Left, Right: d.box.Right, Bottom: 1.5 * d.textSize, Top: 1.5*d.textSize + linesHeight}
	ink := d.theme.Colour(theme.Ink)
	y := func(sd float64) vg.Length {
		return box.Bottom + linesHeight*vg.Length(math.Log(max(sd, lo)/lo)/math.Log(hi/lo))
	}
	mean := make([]float64, len(m.Columns))
	drawLine := func(values []float64, width vg.Length) {
		var points []vg.Point
		for j, sd := range values {
			points = append(points, vg.Point{X: d.cellBox(0, j).X(0.5), Y: y(sd)})
		}
		d.page.Stroke(figure.Polyline(points...), ink, width, nil)
	}
	for _, l := range m.Layers {
		drawLine(l.SD, 0.4)
		for j, sd := range l.SD {
			mean[j] += math.Log(max(sd, lo)) / float64(len(m.Layers))
		}
	}
	for j := range mean {
		mean[j] = math.Exp(mean[j])
	}
	drawLine(mean, 1.6)
	d.page.Stroke(figure.Rectangle(box), ink, 0.5, nil)
	const ticks = 4
	for i := range ticks {
		value := lo * math.Pow(hi/lo, float64(i)/(ticks-1))
		d.write(strconv.FormatFloat(value, 'g', 2, 64), d.textSize, box.Left-4, y(value)-0.35*d.textSize, 1, ink)
	}
	d.write("each layer (thin) and their geometric mean (thick), on a logarithmic scale; files at equal distances",
		d.textSize, box.Left,
		0.2*d.textSize, 0, ink)
}
