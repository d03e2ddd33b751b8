package figure

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"mcsim/report/internal/sample"
	"mcsim/report/plot"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// The tests of conformance check every chart of the report with the documents of several plans.

// TestConformanceSVG checks that every figure is a valid SVG without external references, and has
// the same bytes if it is drawn again.
func TestConformanceSVG(t *testing.T) {
	variants := map[string]theme.Theme{"wide": theme.Web, "narrow and dark": theme.Web.NarrowVariant().DarkVariant()}
	checkFigures(t, func(name string, f Figure) {
		for variant, style := range variants {
			svg := mustFile(f, "svg", style)
			if err := checkSVG(svg); err != nil {
				t.Errorf("%s, %s: %v", name, variant, err)
			}
			if !bytes.Equal(svg, mustFile(f, "svg", style)) {
				t.Errorf("%s, %s: two drawings differ", name, variant)
			}
		}
	})
	for _, c := range charts {
		if c.NewFigure(&result.Document{}).HasData() {
			t.Errorf("%s has data of an empty document, want no data", c.Name)
		}
	}
}

// checkSVG returns an error for the first fault of an SVG that it finds.
func checkSVG(svg []byte) error {
	elements, ids := map[string]int{}, map[string]bool{}
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if isTooltip := e.Name.Local == "title" && len(e.Attr) == 0; !isTooltip {
			elements[e.Name.Local]++
		}
		for _, a := range e.Attr {
			switch a.Name.Local {
			case "id":
				if ids[a.Value] {
					return fmt.Errorf("the id %.40s is repeated", a.Value)
				}
				ids[a.Value] = true
			case "href":
				if !ids[strings.TrimPrefix(a.Value, "#")] {
					return fmt.Errorf("the href %.40s has no target", a.Value)
				}
			}
		}
	}
	switch {
	case elements["title"] != 1 || elements["desc"] != 1:
		return fmt.Errorf("got %d titles and %d descriptions, want one of each", elements["title"], elements["desc"])
	case elements["script"]+elements["image"] != 0:
		return fmt.Errorf("got %d scripts and %d images, want none", elements["script"], elements["image"])
	case elements["text"] == 0 || elements["style"] > 1:
		return fmt.Errorf("got %d texts and %d styles, want texts and at most one style", elements["text"],
			elements["style"])
	}
	if forbidden := regexp.MustCompile(`NaN|Inf|url\(|@import|src=`).Find(svg); forbidden != nil {
		return fmt.Errorf("the SVG contains %q", forbidden)
	}
	if !bytes.Contains(svg, []byte(`role="img"`)) {
		return fmt.Errorf("the SVG does not have the role img")
	}
	return nil
}

// TestConformanceLabels checks that labels do not overlap, and that no label leaves the page. It
// also checks that fonts have all characters of their labels, that text has a size that journals
// allow, and that no figure for print is too high for a page.
func TestConformanceLabels(t *testing.T) {
	const (
		tolerance   = 0.1 // points
		minTextSize = 5   // points; the minimum of the journals
		maxHeight   = 170 * vg.Millimeter
	)
	checkDrawings(t, func(name string, d *drawing, rec *recorder) {
		page := Box{Left: -tolerance, Bottom: -tolerance, Right: d.w + tolerance, Top: d.h + tolerance}
		for i, extent := range rec.extents {
			if !page.contains(extent) && !strings.HasPrefix(name, "hostile") {
				t.Errorf("%s: a label at %v leaves the page", name, extent)
			}
			reduced := extent
			reduced.Left, reduced.Bottom = reduced.Left+tolerance, reduced.Bottom+tolerance
			reduced.Right, reduced.Top = reduced.Right-tolerance, reduced.Top-tolerance
			for _, other := range rec.extents[:i] {
				if reduced.overlaps(other) {
					t.Errorf("%s: labels at %v and %v overlap", name, extent, other)
				}
			}
		}
		for _, p := range rec.pieces {
			maxSize := d.theme.Style.TextSize
			if p.Size > maxSize || p.Size < minTextSize {
				t.Errorf("%s: %q has the size %v, want %v to %v points", name, p.Text, p.Size, minTextSize, maxSize)
			}
			if i := strings.IndexFunc(p.Text, func(r rune) bool { return !p.Font.Face().Has(r) }); i >= 0 {
				t.Errorf("%s: the font does not have the character at byte %d of %q", name, i, p.Text)
			}
		}
		if d.theme.Style.MaxHeight > 0 && d.h > maxHeight {
			t.Errorf("%s is %v mm high, want at most %v mm", name, d.h/vg.Millimeter, maxHeight/vg.Millimeter)
		}
	})
}

// TestConformanceScales checks that all points, error bars, bands and lines are between the ends
// of their axes. Panels that declare the same axis have the same scale.
func TestConformanceScales(t *testing.T) {
	checkFigures(t, func(name string, f Figure) {
		if strings.HasPrefix(name, "extreme") {
			return // no axis can show these values
		}
		for i, p := range f.panels {
			axis, scale := p.Y, p.ScaleY
			if p.Y.IsCategorical {
				axis, scale = p.X, p.ScaleX
			}
			for _, v := range axisValues(p) {
				if axis.CanShow(v) && !scale.Contains(v) {
					t.Errorf("%s, panel %d: %v is not between %v and %v", name, i, v, scale.Lo, scale.Hi)
				}
			}
			for j, other := range f.panels[:i] {
				if p.X == other.X && p.ScaleX != other.ScaleX {
					t.Errorf("%s: panels %d and %d declare the same x axis and differ in its scale", name, j, i)
				}
				if p.Y == other.Y && !p.Y.IsCategorical && p.ScaleY != other.ScaleY {
					t.Errorf("%s: panels %d and %d declare the same y axis and differ in its scale", name, j, i)
				}
			}
		}
	})
}

// axisValues returns the values of all marks on the axis of values.
func axisValues(p plot.Data) (values []float64) {
	for _, s := range p.Series {
		for _, pt := range s.Markers {
			v := pt.Y
			if p.Y.IsCategorical {
				v = pt.X
			}
			values = append(values, v)
			if pt.ErrorKind < plot.UnknownError {
				values = append(values, pt.Lo, pt.Hi)
			}
		}
	}
	for _, l := range p.Curves {
		values = append(values, l.Ys...)
	}
	for _, r := range p.Ribbons {
		for _, l := range r.Limits {
			values = append(values, l.Lo, l.Hi)
		}
	}
	return values
}

// TestConformanceSharedLabels checks that a panel that omits tick labels has the same scale as the
// neighbour whose labels it shares.
func TestConformanceSharedLabels(t *testing.T) {
	drawFigures(t, false, func(name string, d *drawing, _ *recorder) {
		for i, p := range d.panels {
			if !d.hasXLabels(i) && p.ScaleX != d.panels[i+d.columns].ScaleX {
				t.Errorf("%s: panel %d and the panel below it differ in x", name, i)
			}
			if !d.hasYLabels(i) && p.ScaleY != d.panels[i-1].ScaleY {
				t.Errorf("%s: panel %d and the panel to its left differ in y", name, i)
			}
		}
	})
}

// TestConformanceErrorKinds draws a document without intervals, and one without any errors. No mark
// may have an interval. The caption must explain faint bars and pale markers if, and only if, the
// figure has them.
func TestConformanceErrorKinds(t *testing.T) {
	docs := documents()
	for _, c := range charts {
		for _, notationCase := range []struct {
			doc      string
			kind     plot.ErrorKind
			notation string
		}{{"no intervals", plot.StandardError, "A faint bar"}, {"no errors", plot.UnknownError, "pale marker"}} {
			f := c.NewFigure(docs[notationCase.doc])
			if !f.HasData() {
				continue
			}
			hasPoints := f.measuredErrorKinds()[notationCase.kind]
			isExplained := strings.Contains(f.fullCaption(), notationCase.notation)
			if hasPoints != isExplained {
				t.Errorf("%s: the figure has marks of the kind %q: %v, but the caption explains them: %v", c.Name,
					notationCase.notation, hasPoints, isExplained)
			}
			if f.measuredErrorKinds()[plot.IntervalError] {
				t.Errorf("%s: a mark has an interval, but the document %q has none", c.Name, notationCase.doc)
			}
		}
	}
}

// TestConformanceTheory checks that in every panel, theory is drawn before the first marker, and
// that lines of theory go from left to right without kinks.
func TestConformanceTheory(t *testing.T) {
	const maxTurn = 12  // degrees by which the direction of a line changes at one point
	const minPanels = 7 // panels with theory and markers; with fewer, the test would check little
	panelsWithBoth := 0
	for _, c := range charts {
		d := c.NewFigure(sample.Document()).prepare(theme.Web)
		for i, b := range d.axes {
			p, rec := d.panels[i], &recorder{}
			d.canvas = rec
			d.drawPanel(i, b)
			lastTheory, firstMarker := -1, len(rec.painted)
			for n, path := range rec.painted {
				hasSeriesColour := slices.ContainsFunc(p.Series, func(s plot.Series) bool {
					return path.colour == s.Style.Colour.Paper
				})
				hasTheoryColour := slices.ContainsFunc(p.Curves, func(l plot.Line) bool {
					return !l.IsData && l.Style.Colour.Paper == path.colour
				})
				isTheoryLine := path.width == lineWidth && hasTheoryColour
				isRing := path.width == ringWidth
				isMarker := path.width == 0 && hasSeriesColour
				switch {
				case isTheoryLine || isRing:
					lastTheory = n
				case isMarker:
					firstMarker = min(firstMarker, n)
				}
			}
			if lastTheory >= 0 && firstMarker < len(rec.painted) {
				panelsWithBoth++
			}
			if lastTheory > firstMarker {
				t.Errorf("%s, panel %d: theory is drawn over a marker", c.Name, i)
			}
			for _, l := range p.Curves {
				if turn := largestTurn(p, b, l); turn > maxTurn && !l.IsData {
					t.Errorf("%s: the theory line %s turns by %.0f° at a point, want at most %d°",
						c.Name, l.Label, turn, maxTurn)
				}
			}
		}
	}
	if panelsWithBoth < minPanels {
		t.Errorf("%d panels have theory and markers, want at least %d", panelsWithBoth, minPanels)
	}
}

// largestTurn returns the largest change of a line's direction at a point, in degrees. It is 180 if
// the line goes to the left.
func largestTurn(p plot.Data, b Box, l plot.Line) (turn float64) {
	previous := math.NaN()
	for i := 1; i < len(l.Xs); i++ {
		if l.Xs[i] <= l.Xs[i-1] {
			return 180
		}
		if p.ScaleY.Contains(l.Ys[i]) && p.ScaleY.Contains(l.Ys[i-1]) {
			start, end := pointAt(p, b, l.Xs[i-1], l.Ys[i-1]), pointAt(p, b, l.Xs[i], l.Ys[i])
			angle := math.Atan2(float64(end.Y-start.Y), float64(end.X-start.X)) * 180 / math.Pi
			if !math.IsNaN(previous) {
				turn = max(turn, math.Abs(angle-previous))
			}
			previous = angle
		}
	}
	return turn
}

// TestConformanceCaptions checks that the caption of a file contains the title, the caption of the
// chart, the confidence level and the fixed parameters. A file may be read without its page, so
// that the caption must not refer to a page or a figure.
func TestConformanceCaptions(t *testing.T) {
	checkFigures(t, func(name string, f Figure) {
		text := f.fullCaption()
		if f.measuredErrorKinds()[plot.IntervalError] && !strings.Contains(text, "\u202f% confidence intervals") {
			t.Errorf("%s: the level is missing: %s", name, text)
		}
		if !strings.HasPrefix(text, f.Title) || !strings.Contains(text, f.Caption) {
			t.Errorf("%s: the title or the caption is missing: %s", name, text)
		}
		hasFixedParams, hasSetting := len(f.fixedParams(f.doc)) > 0, strings.Contains(text, "Setting: ")
		if hasFixedParams != hasSetting {
			t.Errorf("%s: the figure has fixed parameters: %v, but the caption has a setting: %v: %s", name,
				hasFixedParams, hasSetting, text)
		}
		for _, forbidden := range []string{"page", "caption", "figure", "NaN", "%!"} {
			if strings.Contains(text, forbidden) {
				t.Errorf("%s: the caption contains %q: %s", name, forbidden, text)
			}
		}
	})
}

// TestConformanceDirectLabels checks that each label of a mark is in the legend or next to a mark,
// but not both, and that titles name bars that the legend omits. Only some labels need a legend.
func TestConformanceDirectLabels(t *testing.T) {
	inPanels := 0
	drawFigures(t, false, func(name string, d *drawing, _ *recorder) {
		for _, e := range legendEntries(d.panels) {
			isLabel := func(n note) bool { return n.words == e.label }
			isInLegend := slices.ContainsFunc(slices.Concat(d.legend...), func(l entry) bool { return l.label == e.label })
			isNote := slices.ContainsFunc(d.notes, isLabel)
			isInTitle := e.hasBar && d.titlesFit()
			if isInLegend == (isNote || isInTitle) {
				t.Errorf("%s: the label %q is in the legend: %v, next to a mark: %v", name, e.label, isInLegend, isNote)
			}
			if isNote {
				inPanels++
			}
		}
	})
	if inPanels == 0 {
		t.Error("no label is next to its mark")
	}
}

// TestTooltips checks that only the SVG of the chart of models has tooltips, one for each model.
func TestTooltips(t *testing.T) {
	f := chartByName("released-models").NewFigure(sample.Document())
	models := 0
	for _, s := range f.allSeries() {
		models += len(s.Markers)
	}
	tooltip := regexp.MustCompile(`<title>[^<]*: [^<]*</title>`)
	if got := len(tooltip.FindAll(mustFile(f, "svg", theme.Web), -1)); models == 0 || got < models {
		t.Errorf("the SVG of %d models has %d tooltips, want at least one for each", models, got)
	}
	if svg := mustFile(chartByName("scaled").NewFigure(sample.Document()), "svg", theme.Web); tooltip.Match(svg) {
		t.Error("the SVG of scaled has a tooltip, want none")
	}
}

// TestConformanceSameLabels checks that all forms of a figure show the same labels, except for the
// numbers of ticks: what one form writes next to a marker, another may write into its legend or
// into the list below the axes, and into several panels what another writes once.
func TestConformanceSameLabels(t *testing.T) {
	isNumber := regexp.MustCompile(`^[−0-9./·\x{202f}]*$`).MatchString
	panelLetter, separator := regexp.MustCompile(`^\([a-z]\) `), regexp.MustCompile(`: |, `)
	checkFigures(t, func(name string, f Figure) {
		forms := map[string]string{}
		parts := map[string]map[string]bool{}
		for themeName, style := range themes {
			_, rec := record(f, style)
			parts[themeName] = map[string]bool{}
			for _, words := range rec.labels {
				forms[themeName] += words + "\n"
				if strings.Contains(words, " (") { // a name in the list, with the place of its marker
					continue
				}
				for _, part := range separator.Split(panelLetter.ReplaceAllString(words, ""), -1) {
					if !isNumber(part) {
						parts[themeName][part] = true
					}
				}
			}
		}
		for first, labels := range parts {
			for second, text := range forms {
				for label := range labels {
					if !strings.Contains(text, label) {
						t.Errorf("%s: %s shows %q, and %s does not", name, first, label, second)
					}
				}
			}
		}
	})
}
