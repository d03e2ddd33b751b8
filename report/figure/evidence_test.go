package figure

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"mcsim/report/axis"
	"mcsim/report/draw"
	"mcsim/report/internal/sample"
	"mcsim/report/label"
	"mcsim/report/plot"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// What a figure shows must be what the rows say: nothing is cut off, no point looks surer
// than it is, theory hides nothing, and theory looks as smooth as it is.

// TestConformanceNothingIsCut: all that is measured lies between the ends of its axes with its
// bar, and so do bands and theory, unless the chart declares where an axis starts.
func TestConformanceNothingIsCut(t *testing.T) {
	for name, doc := range map[string]*result.Document{"default": sample.Document(), "far": farOff()} {
		for _, c := range charts {
			for i, p := range c.Of(doc).panels {
				values := p.ScaleY
				if p.Y.Names {
					values = p.ScaleX
				}
				for what, v := range shownIn(p) {
					if axis.Holds(values.Log, v) && !values.Inside(v) && !(p.Y.From > 0 && v <= p.Y.From) {
						t.Errorf("%s: %s, panel %d cuts off %s at %v: it goes from %v to %v", name, c.Name, i, what, v, values.Lo, values.Hi)
					}
				}
				if p.Below > 0 && p.Y.From == 0 {
					t.Errorf("%s: %s, panel %d leaves %d out", name, c.Name, i, p.Below)
				}
			}
		}
	}
}

// farOff is a document in which one row of each quantity is a thousand times as large, and
// has no interval.
func farOff() *result.Document {
	doc := sample.Document()
	seen := map[string]bool{}
	for i := range doc.Estimates {
		if e := &doc.Estimates[i]; !seen[e.Quantity] && e.Lo.Present() {
			seen[e.Quantity] = true
			e.Value, e.SE, e.Lo, e.Hi = 1000*e.Value, 200*e.Value, result.Absent(), result.Absent()
		}
	}
	return doc
}

// shownIn yields what stands along the axis of values.
func shownIn(p plot.Data) func(yield func(what string, v float64) bool) {
	return func(yield func(string, float64) bool) {
		for _, s := range p.Series {
			for _, pt := range s.Points {
				v := pt.Y
				if p.Y.Names {
					v = pt.X
				}
				if !yield("a point of "+s.Label, v) || !yield("a bar of "+s.Label, pt.Lo) || !yield("a bar of "+s.Label, pt.Hi) {
					return
				}
			}
		}
		for _, t := range p.Traces {
			for _, l := range t.Lines {
				for _, y := range l.Ys {
					if !yield("a line through what was drawn", y) {
						return
					}
				}
			}
			for _, l := range slices.Concat(t.Edge, t.Whiskers) {
				if !yield("an envelope or a whisker", l.Lo) || !yield("an envelope or a whisker", l.Hi) {
					return
				}
			}
		}
		for _, r := range p.Ribbons {
			for _, l := range r.At {
				if !yield("a band", l.Lo) || !yield("a band", l.Hi) {
					return
				}
			}
		}
	}
}

// TestConformanceErrorsAreSeen: a point without an interval looks like one, and the legend and the
// notation of the figure say what it is.
func TestConformanceErrorsAreSeen(t *testing.T) {
	rough, unsure := sample.Document(), sample.Document()
	for i := range rough.Estimates {
		for _, e := range []*result.Estimate{&rough.Estimates[i], &unsure.Estimates[i]} {
			e.Lo, e.Hi = result.Absent(), result.Absent()
		}
		unsure.Estimates[i].SE = result.Absent()
	}
	for _, c := range charts {
		for _, k := range []struct {
			doc      *result.Document
			known    plot.Certainty
			legend   string
			notation string
		}{{rough, plot.Roughly, "± one standard error", "A faint bar"}, {unsure, plot.Unsure, "error not known", "pale marker"}} {
			f := c.Of(k.doc)
			points := Drawn(f.panels).Points(k.known.Is)
			named := slices.ContainsFunc(entries(f.panels), func(e entry) bool { return e.label == k.legend })
			said := strings.Contains(strings.Join(f.Notation(), " "), k.notation) && strings.Contains(f.fullCaption(), k.notation)
			if points != named || points != said {
				t.Errorf("%s: points of which %s: %v, in the legend: %v, in the notation: %v", c.Name, k.legend, points, named, said)
			}
			if Drawn(f.panels).Points(plot.Interval.Is) {
				t.Errorf("%s shows an interval that no row has", c.Name)
			}
		}
	}
}

// recorder notes what is drawn, in order.
type recorder struct{ calls []call }

// call is a stroke of a width, or a fill where it has none.
type call struct {
	width  vg.Length
	colour color.NRGBA
}

func (r *recorder) Fill(p vg.Path, k color.NRGBA) { r.calls = append(r.calls, call{0, k}) }
func (r *recorder) Stroke(p vg.Path, k color.NRGBA, width vg.Length, dash []vg.Length) {
	r.calls = append(r.calls, call{width, k})
}
func (r *recorder) Words(ps []label.Piece, at vg.Point, up bool, k color.NRGBA) {}
func (r *recorder) Pixels(b draw.Box, img *image.NRGBA)                         {}

// TestConformanceTheoryLiesBelow: in every panel all lines and marks of theory are drawn before
// the first marker.
func TestConformanceTheoryLiesBelow(t *testing.T) {
	both := 0
	for _, c := range charts {
		d := c.Of(sample.Document()).prepare(theme.Web)
		boxes := d.boxes(d.h - margin)
		for i, p := range d.panels {
			r := &recorder{}
			d.c = r
			d.panels[i].Ends = false // samples of lines beside the axes cover nothing
			d.panel(i, boxes[i])
			last, first := -1, len(r.calls)
			for at, k := range r.calls {
				marker := slices.ContainsFunc(p.Series, func(s plot.Series) bool { return k.colour == s.Style.Colour })
				switch {
				case (k.width == lineWidth || k.width == ringWidth) && theoryHas(p, k.colour):
					last = at
				case k.width == 0 && marker:
					first = min(first, at)
				}
			}
			if last >= 0 && first < len(r.calls) {
				both++
			}
			if last > first {
				t.Errorf("%s, panel %d: theory is drawn over a marker", c.Name, i)
			}
		}
	}
	if both < 10 {
		t.Errorf("only %d panels have theory and markers", both)
	}
}

// theoryHas reports whether theory of the panel has that colour, in lines or marks.
func theoryHas(p plot.Data, k color.NRGBA) bool {
	return slices.ContainsFunc(p.Theory, func(l plot.Line) bool { return l.Style.Colour == k }) ||
		k == theme.Ink.Paper && slices.ContainsFunc(p.Series, func(s plot.Series) bool { return s.Theory })
}

// mostTurn is by how many degrees a curve of theory may turn at one of its points.
const mostTurn = 12

// TestConformanceCurvesAreSmooth: lines of theory go from left to right and have no kinks.
func TestConformanceCurvesAreSmooth(t *testing.T) {
	for _, c := range charts {
		if c.Name == "repeats" { // a level
			continue
		}
		d := c.Of(sample.Document()).prepare(theme.Web)
		boxes := d.boxes(d.h - margin)
		for i, p := range d.panels {
			for _, l := range p.Theory {
				last := math.NaN()
				for k := range l.Xs {
					if k > 0 && l.Xs[k] <= l.Xs[k-1] {
						t.Errorf("%s: %s goes back at %v", c.Name, l.Label, l.Xs[k])
					}
					if k == 0 || !p.ScaleY.Inside(l.Ys[k]) || !p.ScaleY.Inside(l.Ys[k-1]) {
						continue
					}
					from, to := place(p, boxes[i], l.Xs[k-1], l.Ys[k-1]), place(p, boxes[i], l.Xs[k], l.Ys[k])
					angle := math.Atan2(float64(to.Y-from.Y), float64(to.X-from.X)) * 180 / math.Pi
					if math.Abs(angle-last) > mostTurn {
						t.Errorf("%s: %s turns by %.0f° at %v", c.Name, l.Label, math.Abs(angle-last), l.Xs[k-1])
					}
					last = angle
				}
			}
		}
	}
}

// TestConformanceOneAxisOneRange: panels that declare one axis of values have one range, unless the
// chart gives each its own.
func TestConformanceOneAxisOneRange(t *testing.T) {
	for _, c := range charts {
		ps := c.Of(sample.Document()).panels
		for i, p := range ps {
			for j, q := range ps[:i] {
				if p.Y == q.Y && !p.Y.Names && p.ScaleY != q.ScaleY {
					t.Errorf("%s: panels %d and %d have one axis and go over %v and %v", c.Name, j, i, q.ScaleY, p.ScaleY)
				}
			}
		}
	}
}

// A law of which gates have several tolerances shows them all: the band follows them, and
// the title says from where to where they go; of two at one d_k it is the narrower.
func TestSeveralTolerances(t *testing.T) {
	doc := sample.Document()
	for i := range doc.Gates {
		g := &doc.Gates[i]
		if law, _ := g.Params.Text("law"); law == "laplace" && g.Quantity == "score_variance" {
			if d, _ := g.Params.Number("d_k"); d > 4 {
				g.Band = [2]result.Number{result.Number(0.95 * d), result.Number(1.05 * d)}
			}
		}
	}
	twice := doc.Gates[0]
	twice.Band = [2]result.Number{twice.Band[0] / 2, twice.Band[1] * 2}
	doc.Gates = append(doc.Gates, twice)
	ps := charted("variance").Of(doc).panels
	i := slices.IndexFunc(ps, func(p plot.Data) bool { return p.Title == "laplace: allowed ±5\u202f% to ±20\u202f%" })
	if i < 0 {
		t.Fatal("no panel has such a title")
	}
	for _, l := range ps[i].Tolerance {
		if want := map[bool]float64{true: 0.05, false: 0.2}[l.X > 4]; math.Abs(l.Width()-want) > 1e-9 {
			t.Errorf("the band at %v is ±%v, want ±%v", l.X, l.Width(), want)
		}
	}
	for _, p := range ps {
		for _, l := range p.Tolerance {
			if l.Width() > 0.2 {
				t.Errorf("%s: the wider of two tolerances is drawn: ±%v", p.Title, l.Width())
			}
		}
	}
}

// The legend speaks of bars of one standard error where one is longer than its marker, and
// not where markers hide them all.
func TestHiddenBarsAreNotExplained(t *testing.T) {
	for se, want := range map[float64]bool{1e-9: false, 0.3: true} {
		doc := sample.Document()
		for i := range doc.Estimates {
			e := &doc.Estimates[i]
			e.Lo, e.Hi, e.SE = result.Absent(), result.Absent(), result.Number(se)
		}
		es := charted("depth-survival").Of(doc).prepare(theme.Web).entries()
		if got := slices.ContainsFunc(es, func(e entry) bool { return e.faint }); got != want {
			t.Errorf("standard errors of %v: in the legend: %v", se, got)
		}
	}
}

// Labels of axes keep clear of the numbers beside them.
func TestAxisLabelsAreClearOfNumbers(t *testing.T) {
	for _, c := range charts {
		for _, in := range themes {
			d := c.Of(sample.Document()).prepare(in)
			boxes := d.boxes(d.h - margin)
			for i, p := range d.panels {
				if p.Y.Label == "" || !d.labelsY(i) {
					continue
				}
				_, column := d.grid.at(i)
				need := d.widestTick(p, boxes[i].Height()) + 4
				if d.ownLabels(i, column) {
					need += 1.5 * d.text
				}
				if d.lefts[column] < need {
					t.Errorf("%s, panel %d: %v of room for numbers and label, want %v", c.Name, i, d.lefts[column], need)
				}
			}
		}
	}
}
