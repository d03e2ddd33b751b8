package figure

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/sim/names"
)

// This file writes labels next to their marks, as far as they fit there without overlap. The others
// are in the legend.

// note is a label in a panel or to its right.
type note struct {
	panel int
	words string
	box   Box
}

// Distances between labels, in multiples of the size of the text.
const (
	noteHeight  = 1.25 // of a label, with the room to the next
	maxEndShift = 1.3  // by which the label of a line is above or below its end
	maxEndRoom  = 0.36 // of the labels of lines, relative to the width of a column
)

// layOut sets the notes, and returns the legend with the remaining labels and the boxes of the
// panels. Labels at the ends of lines are in the last column of panels, or in the first one if they
// would be too close together there.
func (d *drawing) layOut() (legend [][]entry, boxes []Box) {
	if d.directLabels {
		for _, maxShift := range []vg.Length{0.15 * d.textSize, maxEndShift * d.textSize} {
			for _, column := range []int{d.columns - 1, 0} {
				d.endColumn = column
				ends := d.measureEnds()
				if len(ends) == 0 || d.endRoom > maxEndRoom*d.w/vg.Length(d.columns) {
					continue
				}
				legend, boxes = d.placeNotes(ends)
				if d.placeEnds(boxes, maxShift) {
					return legend, boxes
				}
			}
		}
	}
	d.endRoom = 0
	return d.placeNotes(nil)
}

// lineEnds returns the last y of each labelled line of a panel, by its label.
func lineEnds(p plot.Data) map[string]vg.Point {
	ends := map[string]vg.Point{}
	addEnd := func(words string, x, y float64) {
		if previous, ok := ends[words]; words != "" && (!ok || float64(previous.X) < x) {
			ends[words] = vg.Point{X: vg.Length(x), Y: vg.Length(y)}
		}
	}
	if p.Y.IsCategorical || p.HasBars() {
		return nil
	}
	for _, s := range p.Series {
		isOfCurve := !s.IsJoined() && len(p.Curves) > 0 // the curve has the label, or both need a legend
		if last := len(s.Markers) - 1; !s.IsTheory && s.Name == nil && !isOfCurve {
			addEnd(s.Title, s.Markers[last].X, s.Markers[last].Y)
		}
	}
	for _, l := range p.Curves {
		if last := len(l.Xs) - 1; !l.IsData {
			addEnd(l.Label, l.Xs[last], l.Ys[last])
		}
	}
	return ends
}

// measureEnds returns the labels of lines in the column endColumn, and sets the room for them.
func (d *drawing) measureEnds() map[string]bool {
	labels := map[string]bool{}
	d.endRoom = 0
	for i := d.endColumn; i < len(d.panels); i += d.columns {
		for words := range lineEnds(d.panels[i]) {
			labels[words] = true
			d.endRoom = max(d.endRoom, label.Width(words, d.textSize)+0.5*d.textSize)
		}
	}
	return labels
}

// placeEnds adds notes to the right of the lines of the column endColumn. It moves them apart, and
// reports whether each remains within maxShift of the end of its line.
func (d *drawing) placeEnds(boxes []Box, maxShift vg.Length) bool {
	distance := noteHeight * d.textSize
	for i := d.endColumn; i < len(d.panels); i += d.columns {
		p, b, ends := d.panels[i], boxes[i], lineEnds(d.panels[i])
		heightAt := func(words string) vg.Length {
			return pointAt(p, b, float64(ends[words].X), float64(ends[words].Y)).Y
		}
		words := slices.SortedFunc(maps.Keys(ends), func(v, w string) int {
			return cmp.Or(cmp.Compare(heightAt(v), heightAt(w)), cmp.Compare(v, w))
		})
		heights := make([]vg.Length, len(words))
		for j, w := range words {
			heights[j] = heightAt(w)
		}
		for range 200 { // each pair moves apart until no pair is too close
			for j := 1; j < len(heights); j++ {
				overlap := max(0, distance-(heights[j]-heights[j-1]))
				heights[j-1], heights[j] = heights[j-1]-overlap/2, heights[j]+overlap/2
			}
		}
		for j, w := range words {
			isTooClose := j > 0 && heights[j]-heights[j-1] < 0.95*distance
			isTooFar := math.Abs(float64(heights[j]-heightAt(w))) > float64(maxShift)
			if isTooClose || isTooFar || heights[j] < b.Bottom-0.3*d.textSize || heights[j] > b.Top+0.3*d.textSize {
				return false
			}
			d.notes = append(d.notes, note{i, w, d.noteBox(w, vg.Point{X: b.Right + 0.4*d.textSize, Y: heights[j]})})
		}
	}
	return true
}

// noteBox returns the box of a label that begins at the given point, at half of its height.
func (d *drawing) noteBox(words string, start vg.Point) Box {
	halfHeight := noteHeight * d.textSize / 2
	return Box{Left: start.X, Right: start.X + label.Width(words, d.textSize),
		Bottom: start.Y - halfHeight, Top: start.Y + halfHeight}
}

// placeNotes sets the notes inside of panels: the labels of guide lines and bands, if the chart has
// direct labels, and the message. Its legend has the other labels except for those in ends.
func (d *drawing) placeNotes(ends map[string]bool) (legend [][]entry, boxes []Box) {
	entries := slices.DeleteFunc(legendEntries(d.panels), func(e entry) bool {
		isInTitle := e.hasBar && !d.theme.Narrow
		return ends[e.label] || isInTitle
	})
	for inPanel := (map[string]bool)(nil); ; {
		inLegend := slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return inPanel[e.label] })
		legend = d.layOutLegend(inLegend, d.w-2*margin)
		boxes = d.boxes(d.topBelowLegend(legend))
		d.notes = nil
		placed := map[string]bool{}
		for i, b := range boxes {
			d.placePanelNotes(i, b, placed, inPanel)
		}
		if !d.directLabels || inPanel != nil && len(placed) >= len(inPanel) {
			return legend, boxes
		}
		inPanel = placed // with fewer lines of the legend, or with more of them, the boxes differ
	}
}

// placePanelNotes adds the notes of a panel to d.notes and to placed, which has the labels that
// other panels have. If allowed is not nil, only its labels are written.
func (d *drawing) placePanelNotes(i int, b Box, placed, allowed map[string]bool) {
	p := d.panels[i]
	occupied := d.occupiedBoxes(p, b)
	add := func(words string, box Box) {
		d.notes = append(d.notes, note{i, words, box})
		occupied = append(occupied, box)
	}
	freeBoxes := func(words string, starts []vg.Point) []Box {
		candidates := names.Map(starts, func(start vg.Point) Box { return d.noteBox(words, start) })
		return slices.DeleteFunc(candidates, func(c Box) bool {
			return !b.contains(c) || slices.ContainsFunc(occupied, c.overlaps)
		})
	}
	isWanted := func(words string) bool {
		return d.directLabels && words != "" && !placed[words] && (allowed == nil || allowed[words])
	}
	for _, g := range p.Guides {
		if free := freeBoxes(g.Label, d.guideStarts(p, b, g)); isWanted(g.Label) && len(free) > 0 {
			add(g.Label, free[0])
			placed[g.Label] = true
		}
	}
	for _, r := range p.Ribbons {
		inside := slices.DeleteFunc(freeBoxes(r.Label, d.gridStarts(b, r.Label)), func(c Box) bool {
			return !ribbonContains(p, b, r, c)
		})
		if isWanted(r.Label) && len(inside) > 0 { // the one farthest from all marks
			add(r.Label, slices.MaxFunc(inside, func(v, w Box) int {
				return cmp.Compare(v.distance(b, occupied), w.distance(b, occupied))
			}))
			placed[r.Label] = true
		}
	}
	if free := freeBoxes(d.message, d.gridStarts(b, d.message)); i == 0 && d.message != "" && len(free) > 0 {
		add(d.message, free[0])
	}
}

// guideStarts returns places for the label of a guide line: next to either end and to its middle,
// on both sides.
func (d *drawing) guideStarts(p plot.Data, b Box, g plot.Guide) (starts []vg.Point) {
	width, gap, halfHeight := label.Width(g.Label, d.textSize), 0.4*d.textSize, (noteHeight/2+0.1)*d.textSize
	line := guidePath(p, b, g)
	for _, fraction := range []vg.Length{1, 0, 0.75, 0.25, 0.5} {
		if x := line[0].Pos.X; x == line[1].Pos.X {
			y := b.Bottom + halfHeight + fraction*(b.Height()-2*halfHeight)
			starts = append(starts, vg.Point{X: x + gap, Y: y}, vg.Point{X: x - gap - width, Y: y})
			continue
		}
		x := b.Left + gap + fraction*(b.Width()-width-2*gap)
		y := line[0].Pos.Y
		starts = append(starts, vg.Point{X: x, Y: y + halfHeight}, vg.Point{X: x, Y: y - halfHeight})
	}
	return starts
}

// gridStarts returns places for a label all over a panel, from the top to the bottom.
func (d *drawing) gridStarts(b Box, words string) (starts []vg.Point) {
	const rows, columns = 16, 12
	halfHeight, gap := (noteHeight/2+0.1)*d.textSize, 0.6*d.textSize
	free := Box{Left: b.Left + gap, Right: b.Right - gap - label.Width(words, d.textSize), Bottom: b.Bottom + halfHeight,
		Top: b.Top - halfHeight}
	for row := range rows {
		for column := range columns {
			starts = append(starts, vg.Point{
				X: free.X(float64(column) / (columns - 1)), Y: free.Y(1 - float64(row)/(rows-1)),
			})
		}
	}
	return starts
}

// distance returns the distance from a box to the nearest of others, or to the frame around them.
func (b Box) distance(frame Box, others []Box) (nearest float64) {
	nearest = float64(min(b.Left-frame.Left, frame.Right-b.Right, b.Bottom-frame.Bottom, frame.Top-b.Top))
	for _, o := range others {
		across, upwards := max(0, o.Left-b.Right, b.Left-o.Right), max(0, o.Bottom-b.Top, b.Bottom-o.Top)
		nearest = min(nearest, math.Hypot(float64(across), float64(upwards)))
	}
	return nearest
}

// ribbonContains reports whether a band of a panel contains a box.
func ribbonContains(p plot.Data, b Box, r plot.Ribbon, box Box) bool {
	first, last := pointAt(p, b, r.Limits[0].X, 0).X, pointAt(p, b, r.Limits[len(r.Limits)-1].X, 0).X
	isInside := first <= box.Left && last >= box.Right
	for i := 1; i < len(r.Limits); i++ {
		start, end := r.Limits[i-1], r.Limits[i]
		left, right := pointAt(p, b, start.X, start.Lo), pointAt(p, b, end.X, end.Lo)
		if right.X < box.Left || left.X > box.Right {
			continue
		}
		lowTop, highTop := pointAt(p, b, start.X, start.Hi), pointAt(p, b, end.X, end.Hi)
		if max(left.Y, right.Y) > box.Bottom || min(lowTop.Y, highTop.Y) < box.Top {
			return false
		}
	}
	return isInside
}

// occupiedBoxes returns boxes around the markers, error bars, bars, lines and guide lines of a
// panel. A label must not overlap them.
func (d *drawing) occupiedBoxes(p plot.Data, b Box) (occupied []Box) {
	addLine := func(start, end vg.Point, halfWidth vg.Length) {
		steps := 1 + math.Ceil(math.Hypot(float64(end.X-start.X), float64(end.Y-start.Y))/float64(2*halfWidth))
		for i := range int(steps) + 1 {
			q := start.Add(end.Sub(start).Scale(vg.Length(float64(i) / steps)))
			occupied = append(occupied, Box{Left: q.X - halfWidth, Right: q.X + halfWidth,
				Bottom: q.Y - halfWidth, Top: q.Y + halfWidth})
		}
	}
	for _, s := range p.Series {
		offset := d.dodgeOffset(p, b, s)
		for i, m := range s.Markers {
			centre := pointAt(p, b, m.X, m.Y).Add(offset)
			addLine(centre, centre, d.radius())
			if m.ErrorKind < plot.UnknownError {
				low, high := errorBarEnds(p, b, m)
				addLine(low.Add(offset), high.Add(offset), d.radius()/2)
			}
			if s.PointsSpec.DrawBars {
				left, right := pointAt(p, b, m.X-plot.BarHalfWidth, m.Y), pointAt(p, b, m.X+plot.BarHalfWidth, m.Y)
				occupied = append(occupied, Box{Left: left.X, Bottom: b.Bottom, Right: right.X, Top: left.Y})
			}
			if s.IsJoined() && i > 0 {
				addLine(pointAt(p, b, s.Markers[i-1].X, s.Markers[i-1].Y).Add(offset), centre, d.radius()/2)
			}
		}
	}
	for _, l := range p.Curves {
		for i := 1; i < len(l.Xs); i++ {
			addLine(pointAt(p, b, l.Xs[i-1], l.Ys[i-1]), pointAt(p, b, l.Xs[i], l.Ys[i]), d.radius()/2)
		}
	}
	for _, g := range p.Guides {
		line := guidePath(p, b, g)
		low, high := line[0].Pos, line[1].Pos
		occupied = append(occupied, Box{Left: low.X - 0.1, Bottom: low.Y - 0.1, Right: high.X + 0.1, Top: high.Y + 0.1})
	}
	return occupied
}
