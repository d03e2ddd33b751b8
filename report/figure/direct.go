package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"mcsim/report/plot"
	"mcsim/sim/names"
)

// This file writes labels next to their marks, as far as they fit there without overlap. Other
// labels of series are in the legend, and other names of markers in a list below the axes.

// note is a label in a panel or to its right.
type note struct {
	panel  int
	words  string
	box    Box
	leader vg.Path // line to the marker, if the label is not next to it
}

// Distances between labels, in multiples of the size of the text.
const (
	noteHeight  = 1.25 // of a label, with the room to the next
	maxEndShift = 1.3  // by which the label of a line is above or below its end
	maxEndRoom  = 0.36 // of the labels of lines, relative to the width of a column
)

// layOut sets the axes, the legend, the notes and the list. Labels at the ends of lines are in the
// last column of panels, or in the first one if they would be too close together there.
func (d *drawing) layOut() {
	for _, maxShift := range []vg.Length{0.15 * d.textSize, maxEndShift * d.textSize} {
		for _, column := range []int{d.columns - 1, 0} {
			d.endColumn = column
			ends := d.measureEnds()
			if len(ends) == 0 || d.endRoom > maxEndRoom*d.w/vg.Length(d.columns) {
				continue
			}
			d.placeNotes(ends)
			if d.placeEnds(maxShift) {
				return
			}
		}
	}
	d.endRoom = 0
	d.placeNotes(nil)
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
			d.endRoom = max(d.endRoom, d.width(words)+0.5*d.textSize)
		}
	}
	return labels
}

// placeEnds adds notes to the right of the lines of the column endColumn. It moves them apart, and
// reports whether each remains within maxShift of the end of its line.
func (d *drawing) placeEnds(maxShift vg.Length) bool {
	for i := d.endColumn; i < len(d.panels); i += d.columns {
		b := d.axes[i]
		var ends []note
		for words, end := range lineEnds(d.panels[i]) {
			start := vg.Point{X: b.Right + 0.4*d.textSize, Y: pointAt(d.panels[i], b, float64(end.X), float64(end.Y)).Y}
			box := d.noteBox(words, start)
			if strings.Contains(words, "^") { // with the room of its exponent and index
				box.Bottom, box.Top = box.Bottom-0.3*d.textSize, box.Top+0.3*d.textSize
			}
			ends = append(ends, note{panel: i, words: words, box: box})
		}
		slices.SortFunc(ends, func(v, w note) int {
			return cmp.Or(cmp.Compare(v.box.Bottom, w.box.Bottom), cmp.Compare(v.words, w.words))
		})
		moved := slices.Clone(ends)
		for range 200 { // each pair moves apart until no pair is too close
			for j := 1; j < len(moved); j++ {
				overlap := max(0, moved[j-1].box.Top-moved[j].box.Bottom)
				moved[j-1].box, moved[j].box = moved[j-1].box.raise(-overlap/2), moved[j].box.raise(overlap/2)
			}
		}
		room := Box{Left: b.Left, Right: d.w, Bottom: b.Bottom - d.textSize, Top: b.Top + d.textSize}
		for j, n := range moved {
			isTooClose := j > 0 && moved[j-1].box.Top-n.box.Bottom > 0.05*d.textSize
			isTooFar := math.Abs(float64(n.box.Bottom-ends[j].box.Bottom)) > float64(maxShift)
			if isTooClose || isTooFar || !room.contains(n.box) {
				return false
			}
		}
		d.notes = append(d.notes, moved...)
	}
	return true
}

// noteBox returns the box of a label that begins at the given point, at half of its height.
func (d *drawing) noteBox(words string, start vg.Point) Box {
	halfHeight := noteHeight * d.textSize / 2
	return Box{Left: start.X, Right: start.X + d.width(words),
		Bottom: start.Y - halfHeight, Top: start.Y + halfHeight}
}

// noteBoxes returns the boxes of a label that begins at one of the given points.
func (d *drawing) noteBoxes(words string, starts []vg.Point) []Box {
	return names.Map(starts, func(start vg.Point) Box { return d.noteBox(words, start) })
}

// placeNotes sets the axes, and the notes inside of panels. The legend has the labels of marks that
// have no note and are not in ends, and the list has such names of markers.
func (d *drawing) placeNotes(ends map[string]bool) {
	d.h, d.list, d.listHeight = d.plainHeight, nil, 0
	d.axes = d.axesBelow(d.h - margin)
	entries := slices.DeleteFunc(legendEntries(d.panels), func(e entry) bool {
		return ends[e.label] || e.hasBar && d.titlesFit()
	})
	if d.message != "" {
		entries = append(entries, entry{label: d.message})
	}
	var listed []entry
	for allowed := (map[string]bool)(nil); ; {
		inLegend := slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return allowed[e.label] })
		d.legend = d.layOutLegend(inLegend)
		d.axes = d.axesBelow(d.topBelowLegend())
		placed := map[string]bool{}
		d.notes, listed = nil, nil
		for i := range d.panels {
			listed = append(listed, d.placePanelNotes(i, placed, allowed)...)
		}
		if allowed != nil && len(placed) >= len(allowed) {
			break
		}
		allowed = placed // with fewer lines of the legend, or with more of them, the axes differ
	}
	if len(listed) > 0 {
		d.list = d.layOutLegend(append([]entry{{label: "Not labelled above (x, y):"}}, listed...))
		d.listHeight = vg.Length(len(d.list))*d.legendLineHeight() + margin
		d.h += d.listHeight
		for i := range d.axes {
			d.axes[i] = d.axes[i].raise(d.listHeight)
		}
		for i := range d.notes {
			d.notes[i].box = d.notes[i].box.raise(d.listHeight)
			d.notes[i].leader = transform(d.notes[i].leader, func(p vg.Point) vg.Point {
				return vg.Point{X: p.X, Y: p.Y + d.listHeight}
			})
		}
	}
}

// placement is a panel whose notes are being placed.
type placement struct {
	*drawing
	panel           int
	data            plot.Data
	axes            Box
	occupied        occupancy
	placed, allowed map[string]bool // labels that have notes; labels that may have notes, or nil for all
}

// placePanelNotes adds the notes of a panel to d.notes and their labels to placed, which has the
// labels of other panels. If allowed is not nil, it writes no other labels of marks. It returns the
// names of markers for which there is no room.
func (d *drawing) placePanelNotes(i int, placed, allowed map[string]bool) (listed []entry) {
	q := &placement{drawing: d, panel: i, data: d.panels[i], axes: d.axes[i], placed: placed, allowed: allowed}
	d.canvas = &q.occupied
	d.drawLines(q.data, q.axes)
	d.drawXAxis(q.data, q.axes, false) // labels are not pierced by ticks
	q.placeLabels()
	return q.placeNames()
}

// isWanted reports whether a label of marks needs a note and may have one.
func (q *placement) isWanted(words string) bool {
	return words != "" && !q.placed[words] && (q.allowed == nil || q.allowed[words])
}

// selectFree returns the candidates that are in a room and overlap nothing.
func (q *placement) selectFree(room Box, candidates []Box) []Box {
	return slices.DeleteFunc(candidates, func(c Box) bool {
		return !room.contains(c) || slices.ContainsFunc(q.occupied.boxes, c.overlaps)
	})
}

// add adds a note, and keeps other notes off its box.
func (q *placement) add(words string, box Box, leader vg.Path) {
	q.notes = append(q.notes, note{q.panel, words, box, leader})
	box.Left, box.Right = box.Left-0.6*q.textSize, box.Right+0.6*q.textSize // labels are not read as one
	q.occupied.boxes = append(q.occupied.boxes, box)
}

// addFirst adds a label of marks at the first of the boxes, if it is wanted and there is a box.
func (q *placement) addFirst(words string, boxes []Box) {
	if q.isWanted(words) && len(boxes) > 0 {
		q.add(words, boxes[0], nil)
		q.placed[words] = true
	}
}

// placeLabels adds the labels of guide lines and bands, and the message of the first panel.
func (q *placement) placeLabels() {
	p, b := q.data, q.axes
	room := b
	if p.Title == "" {
		room.Top += q.headHeight()
	}
	for _, g := range p.Guides {
		q.addFirst(g.Label, q.selectFree(room, q.noteBoxes(g.Label, q.guideStarts(p, b, g))))
	}
	for _, r := range p.Ribbons {
		inside := slices.DeleteFunc(q.selectFree(b, q.noteBoxes(r.Label, q.gridStarts(b, r.Label))), func(c Box) bool {
			return !ribbonContains(p, b, r, c)
		})
		slices.SortStableFunc(inside, func(v, w Box) int { // the one farthest from all marks is the first
			return cmp.Compare(w.distance(b, q.occupied.boxes), v.distance(b, q.occupied.boxes))
		})
		q.addFirst(r.Label, inside)
	}
	if q.panel == 0 {
		q.addFirst(q.message, q.selectFree(b, q.noteBoxes(q.message, q.gridStarts(b, q.message))))
	}
}

// placeNames adds the names of markers. It returns those for which there is no room.
func (q *placement) placeNames() (listed []entry) {
	markers := q.namedMarkers(q.data, q.axes)
	free := func(m namedMarker) []Box {
		return slices.DeleteFunc(q.selectFree(q.axes, q.nameBoxes(m)), func(c Box) bool {
			distance := c.distanceTo(m.box())
			if q.leader(c, m) != nil {
				distance = 0.6 * float64(q.textSize)
			}
			isOfOther := func(o namedMarker) bool { return o.centre != m.centre && c.distanceTo(o.box()) < distance }
			return m.isSeries && q.leader(c, m) != nil || slices.ContainsFunc(markers, isOfOther)
		})
	}
	named := slices.DeleteFunc(slices.Clone(markers), func(m namedMarker) bool {
		return m.words == "" || m.isSeries && !q.isWanted(m.words)
	})
	for i := range named {
		named[i].choices = len(free(named[i]))
	}
	slices.SortStableFunc(named, func(v, w namedMarker) int {
		return cmp.Or(cmp.Compare(v.rank, w.rank), cmp.Compare(v.choices, w.choices))
	})
	notes := slices.Clone(q.notes)
	for _, m := range named {
		boxes := free(m)
		switch {
		case len(boxes) > 0:
			q.add(m.words, boxes[0], q.leader(boxes[0], m))
		case m.isSeries: // the legend has all of them
			q.notes = notes
			return nil
		default:
			listed = append(listed, entry{label: m.listed})
		}
	}
	for _, m := range named {
		if m.isSeries {
			q.placed[m.words] = true
		}
	}
	return listed
}

// namedMarker is a marker with a name, which may be empty.
type namedMarker struct {
	words    string
	isSeries bool   // the name is the label of the marker's series
	listed   string // replaces another name if there is no room for it
	centre   vg.Point
	radius   vg.Length
	rank     int // names of rank 0, of filled markers, are placed before those of rank 1
	choices  int // number of free places for the name
}

func (m namedMarker) box() Box {
	return Box{Left: m.centre.X, Right: m.centre.X, Bottom: m.centre.Y, Top: m.centre.Y}
}

// namedMarkers returns all markers of a panel with their names. If there are several series along
// an axis with categories, the marker of the first category has the label of its series.
func (d *drawing) namedMarkers(p plot.Data, b Box) (markers []namedMarker) {
	hasOthers := slices.ContainsFunc(p.Series, func(s plot.Series) bool { return s.IsTheory || s.Name != nil })
	hasSeriesLabels := p.Y.IsCategorical && !p.SpreadMarkers && !hasOthers && len(p.Series) > 1
	for _, s := range p.Series {
		for _, m := range s.Markers {
			centre := pointAt(p, b, m.X, m.Y).Add(d.dodgeOffset(p, b, s))
			n := namedMarker{words: m.Name, centre: centre, radius: d.radius()}
			if s.IsTheory {
				n.radius = ringRadius * d.radius()
			}
			if m.IsHollow {
				n.rank = 1
			}
			switch {
			case p.Y.IsCategorical && m.Name != "":
				n.listed = p.CategoryTicks()[int(m.Y)].Label + ", " + s.Title + ": " + m.Name
			case m.Name != "":
				n.listed = fmt.Sprintf("%s (%s, %.3g)", m.Name, plot.NumberLabel(m.X), m.Y)
			case hasSeriesLabels && m.Y == float64(len(p.Categories)-1):
				n.words, n.isSeries = s.Title, true
			}
			markers = append(markers, n)
		}
	}
	return markers
}

// nameBoxes returns the boxes in which the name of a marker may be, in order of preference: to the
// right of the marker, to its left, below, above and at its corners, and farther away.
func (d *drawing) nameBoxes(m namedMarker) (boxes []Box) {
	radius, width := m.radius, d.width(m.words)
	distance := d.textSize + radius // between the centres of the marker and of a name below or above it
	left, right := -radius-width, radius
	for _, offset := range []vg.Point{
		{X: 2 * radius}, {X: -2*radius - width}, {X: -width / 2, Y: -distance}, {X: -width / 2, Y: distance},
		{X: right, Y: -0.8 * distance}, {X: right, Y: 0.8 * distance},
		{X: left, Y: -0.8 * distance}, {X: left, Y: 0.8 * distance},
		{X: right, Y: 1.8 * distance}, {X: left, Y: 1.8 * distance}, // with a leader
		{X: right, Y: -1.8 * distance}, {X: left, Y: -1.8 * distance},
		{X: 3 * right, Y: 2.7 * distance}, {X: left - 2*radius, Y: 2.7 * distance},
		{X: 3 * right, Y: -2.7 * distance}, {X: left - 2*radius, Y: -2.7 * distance},
	} {
		boxes = append(boxes, d.noteBox(m.words, m.centre.Add(offset)))
	}
	return boxes
}

// leader returns the line from a marker to a name that is not next to it, or nil.
func (d *drawing) leader(name Box, m namedMarker) vg.Path {
	end := vg.Point{X: min(max(m.centre.X, name.Left), name.Right),
		Y: min(max(m.centre.Y, name.Bottom+0.2*d.textSize), name.Top-0.2*d.textSize)}
	offset := end.Sub(m.centre)
	if math.Hypot(float64(offset.X), float64(offset.Y)) <= float64(d.textSize+m.radius) {
		return nil
	}
	return Polyline(m.centre, end)
}

// guideStarts returns places for the label of a guide line: next to either end and to its middle,
// on both sides, and above the axes of categories without a title.
func (d *drawing) guideStarts(p plot.Data, b Box, g plot.Guide) (starts []vg.Point) {
	width, gap, halfHeight := d.width(g.Label), 0.4*d.textSize, (noteHeight/2+0.2)*d.textSize
	line := guidePath(p, b, g)
	if p.Y.IsCategorical && p.Title == "" {
		starts = append(starts, vg.Point{X: line[0].Pos.X - width/2, Y: b.Top + 0.75*d.textSize})
	}
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
	halfHeight, gap := (noteHeight/2+0.1)*d.textSize, d.textSize
	free := Box{Left: b.Left + gap, Right: b.Right - gap - d.width(words), Bottom: b.Bottom + halfHeight,
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

// ribbonContains reports whether a band of a panel contains the centre of a box, and extends as far
// to the left and to the right as the box.
func ribbonContains(p plot.Data, b Box, r plot.Ribbon, box Box) bool {
	x, y, isInside := box.X(0.5), box.Y(0.5), false
	for i := 1; i < len(r.Limits); i++ {
		start, end := r.Limits[i-1], r.Limits[i]
		left, right := pointAt(p, b, start.X, start.Lo), pointAt(p, b, end.X, end.Lo)
		top := min(pointAt(p, b, start.X, start.Hi).Y, pointAt(p, b, end.X, end.Hi).Y)
		isInside = isInside || left.X <= x && x <= right.X && max(left.Y, right.Y) < y && y < top
	}
	first, last := pointAt(p, b, r.Limits[0].X, 0).X, pointAt(p, b, r.Limits[len(r.Limits)-1].X, 0).X
	return isInside && first <= box.Left && box.Right <= last
}
