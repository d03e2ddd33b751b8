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
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// What a figure shows must be what the rows say, whatever the plan: these tests hold every
// chart of the table to it.

// Every figure is an SVG that a parser reads, refers to nothing outside of it, and is
// the same when it is drawn again.
func TestConformanceSVG(t *testing.T) {
	everyFigure(t, func(name string, f Figure) {
		for look, in := range map[string]theme.Theme{"wide": theme.Web, "narrow and dark": theme.Web.NarrowVariant().DarkVariant()} {
			svg := fileOf(f, "svg", in)
			if err := faultOf(svg); err != nil {
				t.Errorf("%s, %s: %v", name, look, err)
			}
			if !bytes.Equal(svg, fileOf(f, "svg", in)) {
				t.Errorf("%s, %s: two drawings differ", name, look)
			}
		}
	})
	for _, c := range charts {
		if c.Of(&result.Document{}).Shows() {
			t.Errorf("%s is shown without rows", c.Name)
		}
	}
}

// faultOf says what is wrong with an SVG.
func faultOf(svg []byte) error {
	seen, ids := map[string]int{}, map[string]bool{}
	for dec := xml.NewDecoder(bytes.NewReader(svg)); ; {
		tok, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		seen[e.Name.Local]++
		for _, a := range e.Attr {
			name, twice := a.Name.Local, ids[a.Value]
			if name == "id" && twice || name == "href" && !ids[strings.TrimPrefix(a.Value, "#")] {
				return fmt.Errorf("%s %.40s is there twice, or not at all", name, a.Value)
			}
			if name == "id" {
				ids[a.Value] = true
			}
		}
	}
	if seen["title"] != 1 || seen["desc"] != 1 || seen["script"]+seen["image"] != 0 || seen["text"] == 0 || seen["style"] > 1 {
		return fmt.Errorf("elements: %v", seen)
	}
	if bad := regexp.MustCompile(`NaN|Inf|url\(|@import|src=`).Find(svg); bad != nil || !bytes.Contains(svg, []byte(`role="img"`)) {
		return fmt.Errorf("it holds %q, or has no role", bad)
	}
	return nil
}

// No label touches another or leaves the page, its font has all its characters and its size
// is what a journal asks for; no figure of print is higher than a page allows.
func TestConformanceWords(t *testing.T) {
	everyDrawing(t, func(name string, d *drawing, on *recorder) {
		for i, a := range on.words {
			if (a.Left < -0.1 || a.Bottom < -0.1 || a.Right > d.w+0.1 || a.Top > d.h+0.1) && !strings.HasPrefix(name, "hostile") {
				t.Errorf("%s: a label at %v leaves the page", name, a)
			}
			for _, b := range on.words[:i] {
				if a.Left < b.Right-0.1 && b.Left < a.Right-0.1 && a.Bottom < b.Top-0.1 && b.Bottom < a.Top-0.1 {
					t.Errorf("%s: labels at %v and %v collide", name, a, b)
				}
			}
		}
		for _, p := range on.pieces {
			if most := max(d.theme.Style.TextSize, d.theme.Style.PanelLetterSize); p.Size > most || p.Size < 5 {
				t.Errorf("%s: %q has %v points", name, p.Text, p.Size)
			}
			if i := strings.IndexFunc(p.Text, func(r rune) bool { return !p.Font.Face().Has(r) }); i >= 0 {
				t.Errorf("%s: the font has no character %d of %q", name, i, p.Text)
			}
		}
		if d.theme.Style.MaxHeight > 0 && d.h > 170*vg.Millimeter {
			t.Errorf("%s: is %v mm high", name, d.h/vg.Millimeter)
		}
	})
}

// The panel's letter is bold and without brackets in the style that asks for it, and stands
// in brackets in all others.
func TestConformanceLetters(t *testing.T) {
	letters := 0
	for _, c := range charts {
		for _, style := range theme.Styles {
			d, on := drawnOn(c.Of(sample.Document()), theme.Theme{Style: style})
			for _, p := range d.panels {
				parts := letteredTitle.FindStringSubmatch(p.Title)
				if parts == nil {
					continue
				}
				letters++
				has := func(text string, bold bool) bool {
					return slices.ContainsFunc(on.pieces, func(p label.Piece) bool { return (p.Font == label.Bold) == bold && strings.HasPrefix(p.Text, text) })
				}
				if bold := style.PanelLetterSize > 0; has(parts[1], true) != bold || has("("+parts[1]+")", false) == bold {
					t.Errorf("%s, %s: the letter %s is not as the style asks", style.Name, c.Name, parts[1])
				}
			}
		}
	}
	if letters == 0 {
		t.Error("no panel has a letter")
	}
}

// All that is measured lies between the ends of its axes with its bar, and so do bands and
// lines through what was drawn; panels that declare one axis have one range of it.
func TestConformanceNothingIsCut(t *testing.T) {
	everyFigure(t, func(name string, f Figure) {
		if strings.HasPrefix(name, "extreme") {
			return // beyond what an axis can hold
		}
		for i, p := range f.panels {
			axis, values := p.Y, p.ScaleY
			if p.Y.Names {
				axis, values = p.X, p.ScaleX
			}
			for _, v := range shownIn(p) {
				if axis.Holds(v) && !values.Contains(v) {
					t.Errorf("%s, panel %d cuts off %v: it goes from %v to %v", name, i, v, values.Lo, values.Hi)
				}
			}
			for j, q := range f.panels[:i] {
				if p.Y == q.Y && !p.Y.Names && p.ScaleY != q.ScaleY || p.X == q.X && p.ScaleX != q.ScaleX {
					t.Errorf("%s: panels %d and %d have one axis and two ranges", name, j, i)
				}
			}
		}
	})
}

// shownIn is what stands along the axis of values.
func shownIn(p plot.Data) (vs []float64) {
	for _, s := range p.Series {
		for _, pt := range s.Marks {
			v := pt.Y
			if p.Y.Names {
				v = pt.X
			}
			vs = append(vs, v)
			if pt.Error < plot.Unsure {
				vs = append(vs, pt.Lo, pt.Hi)
			}
		}
	}
	for _, l := range p.Curves {
		vs = append(vs, l.Ys...)
	}
	for _, r := range p.Ribbons {
		for _, l := range r.At {
			vs = append(vs, l.Lo, l.Hi)
		}
	}
	return vs
}

// A panel without numbers under or beside it has the axis of the one whose numbers it shares.
func TestConformanceSharedNumbers(t *testing.T) {
	everyDrawing(t, func(name string, d *drawing, _ *recorder) {
		for i, p := range d.panels {
			if !d.labelsX(i) && p.ScaleX != d.panels[i+d.columns].ScaleX {
				t.Errorf("%s: panel %d has not the x of the one below it", name, i)
			}
			if !d.labelsY(i) && p.ScaleY != d.panels[i-1].ScaleY {
				t.Errorf("%s: panel %d has not the y of the one beside it", name, i)
			}
		}
	})
}

// A point without an interval looks like one, and the notation says what it is.
func TestConformanceErrorsAreSeen(t *testing.T) {
	docs := documents()
	for _, c := range charts {
		for _, k := range []struct {
			doc      string
			known    plot.Certainty
			notation string
		}{{"no intervals", plot.Roughly, "A faint bar"}, {"no errors", plot.Unsure, "pale marker"}} {
			f := c.Of(docs[k.doc])
			if !f.Shows() {
				continue
			}
			points := f.measuredErrors()[k.known]
			said := strings.Contains(f.fullCaption(), k.notation)
			if points != said || f.measuredErrors()[plot.Interval] {
				t.Errorf("%s: points of which %s: %v, in the notation: %v", c.Name, k.notation, points, said)
			}
		}
	}
}

// In every panel all lines and marks of theory are drawn before the first marker, and lines
// of theory go from left to right without kinks.
func TestConformanceTheory(t *testing.T) {
	const mostTurn = 12 // degrees at one point
	both := 0
	for _, c := range charts {
		d := c.Of(sample.Document()).prepare(theme.Web)
		for i, b := range boxesOf(d) {
			p, on := d.panels[i], &recorder{}
			d.canvas = on
			d.drawPanel(i, b)
			last, first := -1, len(on.calls)
			for at, k := range on.calls {
				marker := slices.ContainsFunc(p.Series, func(s plot.Series) bool { return k.colour == s.Style.Colour.Paper })
				line := slices.ContainsFunc(p.Curves, func(l plot.Line) bool { return !l.IsData && l.Style.Colour.Paper == k.colour })
				if k.width == lineWidth && line || k.width == ringWidth {
					last = at
				} else if k.width == 0 && marker {
					first = min(first, at)
				}
			}
			if last >= 0 && first < len(on.calls) {
				both++
			}
			if last > first {
				t.Errorf("%s, panel %d: theory is drawn over a marker", c.Name, i)
			}
			for _, l := range p.Curves {
				if turn := sharpest(p, b, l); turn > mostTurn && !l.IsData {
					t.Errorf("%s: %s turns by %.0f°", c.Name, l.Label, turn)
				}
			}
		}
	}
	if both < 10 {
		t.Errorf("only %d panels have theory and markers", both)
	}
}

// sharpest is by how many degrees a line turns at most.
func sharpest(p plot.Data, b Box, l plot.Line) (turn float64) {
	last := math.NaN()
	for k := 1; k < len(l.Xs); k++ {
		if l.Xs[k] <= l.Xs[k-1] {
			return 180
		}
		if p.ScaleY.Contains(l.Ys[k]) && p.ScaleY.Contains(l.Ys[k-1]) {
			from, to := place(p, b, l.Xs[k-1], l.Ys[k-1]), place(p, b, l.Xs[k], l.Ys[k])
			angle := math.Atan2(float64(to.Y-from.Y), float64(to.X-from.X)) * 180 / math.Pi
			if !math.IsNaN(last) {
				turn = max(turn, math.Abs(angle-last))
			}
			last = angle
		}
	}
	return turn
}

// A caption that stands alone says of what level the bars are and what is fixed, refers to
// no page, and is the same for every document but for what the engine adds.
func TestConformanceCaptions(t *testing.T) {
	everyFigure(t, func(name string, f Figure) {
		text := f.fullCaption()
		if f.measuredErrors()[plot.Interval] && !strings.Contains(text, "\u202f% confidence intervals") {
			t.Errorf("%s does not name the level: %s", name, text)
		}
		if !strings.HasPrefix(text, f.Title) || !strings.Contains(text, f.Caption) || len(f.fixedParams(f.doc)) > 0 != strings.Contains(text, "Setting: ") {
			t.Errorf("%s does not begin with its title, lacks its caption, or does not say what is fixed: %s", name, text)
		}
		if strings.Contains(text, "page") || strings.Contains(text, "caption") || strings.Contains(text, "figure") || strings.Contains(text, "NaN") || strings.Contains(text, "%!") {
			t.Errorf("%s: %s", name, text)
		}
	})
}
