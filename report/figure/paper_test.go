package figure

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"mcsim/report/digits"
	"mcsim/report/draw"
	"mcsim/report/internal/sample"
	"mcsim/report/plot"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

func oneDimension(most float64) *result.Document {
	return sample.Law("uniform", most)
}

// Formulas of a caption hold no character that TeX's mathematics lacks.
func TestNoSpacesInFormulas(t *testing.T) {
	doc := sample.Document()
	for i := range doc.Estimates {
		if p := doc.Estimates[i].Params; p["d_k"] == 1024.0 {
			p["d_k"] = 65536.0
		}
	}
	formula := regexp.MustCompile(`\$[^$]*\$`)
	for _, c := range charts {
		for name, text := range map[string]string{"md": string(c.Of(doc).Markdown()), "tex": string(c.Of(doc).TeX(theme.Print))} {
			for _, f := range formula.FindAllString(text, -1) {
				if strings.ContainsAny(f, "\u202f\u00a0") {
					t.Errorf("%s.%s: %q", c.Name, name, f)
				}
			}
		}
	}
	if text := string(charted("scaled").Of(doc).TeX(theme.Print)); !strings.Contains(text, `65\,536`) {
		t.Error("no number with a thin space was seen")
	}
}

// A caption that stands alone says of what level the bars are, whose law is
// shown, and refers to no page.
func TestConformanceCaptions(t *testing.T) {
	doc := sample.Document()
	for _, c := range charts {
		text := c.Of(doc).fullCaption()
		ps := c.Of(doc).panels
		if Drawn(ps).Points(plot.Interval.Is) && !strings.Contains(text, "\u202f% confidence intervals") {
			t.Errorf("%s does not name the level: %s", c.Name, text)
		}
		if strings.Contains(text, "page") {
			t.Errorf("%s refers to a page: %s", c.Name, text)
		}
	}
	if text := charted("scaled").Of(doc).fullCaption(); !strings.Contains(text, "Drawn with normal components; other laws are left out.") {
		t.Error(text)
	}
	for i := range doc.Estimates {
		e := &doc.Estimates[i]
		e.Level = 0.9
	}
	if text := charted("variance").Of(doc).fullCaption(); !strings.Contains(text, "90\u202f% confidence") || strings.Contains(text, "95") {
		t.Error(text)
	}
}

// A value without an error is marked, and the mark is explained.
func TestConformanceUnknownErrors(t *testing.T) {
	doc := sample.Document()
	for i := range doc.Estimates {
		e := &doc.Estimates[i]
		e.SE, e.Lo, e.Hi = result.Absent(), result.Absent(), result.Absent()
	}
	for _, c := range charts {
		if c.Sentence == nil || c.Name == "gates" || c.Name == "z-scores" || c.Name == "repeats" || c.Name == "rules" || c.Name == "cost" || c.Name == "walks" || c.Name == "precision-headroom" { // no value stands in its caption, or one of which there is no error: a count, a single draw, exact tails, or what tests a whole
			continue
		}
		if text := c.Of(doc).fullCaption(); !strings.Contains(text, digits.Unsure) || !strings.Contains(text, "† The error is not known.") {
			t.Errorf("%s: %s", c.Name, text)
		}
		if text := c.Of(sample.Document()).fullCaption(); strings.Contains(text, digits.Unsure) {
			t.Errorf("%s: %s", c.Name, text)
		}
	}
}

// Theory at one point is no line, and nothing says that there is one.
func TestNoLineOfOnePoint(t *testing.T) {
	doc := oneDimension(1)
	for _, c := range []Chart{charted("scaled"), charted("variance")} {
		ps := c.Of(doc).panels
		for _, e := range entries(ps) {
			if e.line && !e.thin {
				t.Errorf("%s: the legend shows the line %q", c.Name, e.label)
			}
		}
		if text := c.Of(doc).fullCaption(); strings.Contains(text, "lines are theory") || strings.Contains(text, "Theory is") {
			t.Errorf("%s: %s", c.Name, text)
		}
	}
	if text := charted("scaled").Of(oneDimension(2)).fullCaption(); !strings.Contains(text, "lines are theory") || !strings.Contains(text, "Theory is") {
		t.Error("lines of two points are not named")
	}
}

// An axis of powers of two is marked at whole powers that data can have.
func TestMarksOfPowersOfTwo(t *testing.T) {
	for _, c := range []Chart{charted("scaled"), charted("variance")} {
		for name, in := range themes {
			d := c.Of(sample.Document()).prepare(in)
			for _, tick := range d.xTicks(d.panels[0], 200) {
				if n := math.Log2(tick.At); tick.At < 1 || n != math.Trunc(n) || tick.At > 4096 {
					t.Errorf("%s, %s: a mark at %v", c.Name, name, tick.At)
				}
			}
		}
	}
}

// A series that stands alone in the row of a name stands on it; its theory is no other
// series.
func TestAloneWithoutOffset(t *testing.T) {
	first := ""
	doc := without(func(e result.Estimate) bool {
		if e.Quantity == "key_variance" && first == "" {
			first = e.Cell
		}
		return e.Quantity == "key_variance" && e.Cell == first
	})
	alone := 0
	p := charted("mismatch").Of(doc).panels[0]
	for _, series := range p.Shared() {
		if series == 1 {
			alone++
		} else if series != 2 {
			t.Errorf("%d series in a row", series)
		}
	}
	if alone != 1 {
		t.Errorf("%d rows have one series", alone)
	}
}

// The markers of two estimators at one point do not cover each other.
func TestEstimatorsStandApart(t *testing.T) {
	doc := sample.WithGram(sample.Document(), 512, true)
	for i := range doc.Estimates { // the very same values
		if e := &doc.Estimates[i]; e.Estimator == "gram" {
			e.Value = e.Theory
		}
	}
	for _, c := range []Chart{charted("scaled"), charted("variance")} {
		d := c.Of(doc).prepare(theme.Web)
		seconds := 0
		for _, p := range d.panels {
			b := draw.Box{Left: 0, Bottom: 0, Right: 500, Top: 200}
			for _, s := range p.Series {
				if !s.OtherEstimator {
					continue
				}
				seconds++
				if len(s.Points) != 1 || s.Points[0].X != 512 || !strings.HasSuffix(s.Label, ", gram") {
					t.Errorf("%s: %+v", c.Name, s)
				}
				for _, o := range p.Series {
					if !o.OtherEstimator && o.Label+", gram" == s.Label && max(d.dodge(p, b, s)-d.dodge(p, b, o), d.dodge(p, b, o)-d.dodge(p, b, s)) < 2 {
						t.Errorf("%s: %s covers %s", c.Name, s.Label, o.Label)
					}
				}
			}
		}
		if seconds == 0 {
			t.Errorf("%s shows one estimator only", c.Name)
		}
	}
	if text := charted("variance").Of(doc).fullCaption(); !strings.Contains(text, "besides the direct one") {
		t.Error(text)
	}
	ps := charted("variance").Of(sample.WithGram(sample.Document(), 1024, false)).panels
	for _, s := range ps[0].Series {
		if s.OtherEstimator {
			t.Errorf("%s is set apart from nothing", s.Label)
		}
	}
}

// Names that the end of the axes has no room for stand in the legend.
func TestManyNamesGoIntoTheLegend(t *testing.T) {
	doc := sample.Document()
	if d := charted("scaled").Of(doc).prepare(theme.Web); !d.panels[0].Ends {
		t.Error("a few names are not at the ends of their lines")
	}
	for _, e := range sample.Document().Estimates {
		if e.Quantity == "scaled_variance" && e.Params["exponent"] == 0.0 {
			for p := 2.0; p < 40; p++ {
				params := result.Params{"law": e.Params["law"], "d_k": e.Params["d_k"], "exponent": p}
				e.Params = params
				doc.Estimates = append(doc.Estimates, e)
			}
		}
	}
	d := charted("scaled").Of(doc).prepare(theme.Web)
	if d.panels[0].Ends || len(entries(d.panels)) < 40 {
		t.Errorf("%d names at the ends of lines", len(d.panels[0].LineEnds()))
	}
}

// Axes cut off nothing: a marker without an interval is shown wherever it stands.
func TestBareMarkersAreShown(t *testing.T) {
	doc := sample.Document()
	for i := range doc.Estimates {
		e := &doc.Estimates[i]
		if law, _ := e.Params.Text("law"); law == "sphere" && e.Quantity == "score_variance" && e.Params["d_k"] == 64.0 {
			e.Value, e.SE, e.Lo, e.Hi = e.Value*1e9, result.Absent(), result.Absent(), result.Absent()
		}
	}
	far := 0
	for _, p := range charted("variance").Of(doc).panels {
		for _, s := range p.Series {
			for _, pt := range s.Points {
				if pt.Y > 1e8 && pt.Error == plot.Unsure && p.ScaleY.Inside(pt.Y) {
					far++
				}
			}
		}
	}
	if far != 1 {
		t.Errorf("it is shown %d times", far)
	}
}
