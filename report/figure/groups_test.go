package figure

import (
	"slices"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// Each way in which components are mismatched has a row at each d_k, with what dividing by
// the root of d_k leaves and what of it lies between keys, and the theory of both.
func TestMismatchedComponents(t *testing.T) {
	doc := sample.Document()
	p := charted("mismatch").Of(doc).panels[0]
	if len(p.RowNames) != 5 || !slices.Contains(p.RowNames, "as assumed, $d_k = 64$") || p.RowNames[0] != "as assumed, $d_k = 64$" {
		t.Errorf("rows %q", p.RowNames)
	}
	if want := []string{"as assumed", "key mean 1/2, $d", "query sd 2, $d", "key mean 1/2, query sd", "query sd 2, key comp"}; !slices.EqualFunc(p.RowNames, want, strings.HasPrefix) {
		t.Errorf("the rows are not by kind: %q", p.RowNames)
	}
	narrow := charted("mismatch").Of(doc).prepare(theme.Web.InColumn()).panels[0].RowNames
	if len(narrow) != 5 || narrow[3] != `$\mu_k = 1/2$, $\sigma_q = 2$, $d_k = 64$` {
		t.Errorf("rows of the narrow figure: %q", narrow)
	}
	if len(p.Series) != 4 || p.Level == nil || p.Level.At != 1 || !p.ScaleX.Inside(1) {
		t.Fatalf("%d series, a line at %+v", len(p.Series), p.Level)
	}
	for _, s := range p.Series {
		if len(s.Points) != 5 {
			t.Errorf("%s has %d points", s.Label, len(s.Points))
		}
		for _, pt := range s.Points {
			name := p.RowNames[len(p.RowNames)-1-int(pt.Y)]
			want := map[string][2]float64{ // the equation of the page: all of it, and without its middle term
				"as assumed, $d_k = 64$":                                {1, 1},
				"query sd 2, $d_k = 64$":                                {4, 4},
				"key mean 1/2, $d_k = 64$":                              {1.25, 1},
				"key mean 1/2, query sd 2, $d_k = 64$":                  {5, 4},
				"query sd 2, key components correlated 0.1, $d_k = 64$": {4, 4},
			}[name]
			of, off := want[0], 0.25*want[0] // few samples
			if strings.HasPrefix(s.Label, "between") {
				of, off = want[1], 0.25*want[1]
			}
			if s.Theory {
				off = 1e-12
			}
			if want[0] == 0 || pt.X < of-off || pt.X > of+off {
				t.Errorf("%s, theory: %v: %s stands at %v, want %v", s.Label, s.Theory, name, pt.X, of)
			}
		}
	}
}

// Rules stand under the verdict that their rows give them, the flat ones first; one whose
// slope contradicts its theory is not decided.
func TestRulesStandByVerdict(t *testing.T) {
	read := func(doc *result.Document) (all []string) {
		for _, p := range charted("rules").Of(doc).panels {
			if p.Heading != "" {
				all = append(all, strings.SplitAfter(p.Heading, " ")[2])
			}
			all = append(all, p.Title)
		}
		return all
	}
	if got, want := read(sample.Document()), []string{"be ", "power, $p = 1/2$", `$\sqrt{d_k/2}$`, "change ", "power, $p = 0$", "cosine, $s = 10$"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	doc := sample.Document()
	for i := range doc.Estimates {
		if e := &doc.Estimates[i]; e.Quantity == "logit_variance_slope" && e.Params["rule"] == "power(0.5)" {
			e.Value, e.Lo, e.Hi = e.Value+100*e.SE, e.Lo+100*e.SE, e.Hi+100*e.SE
		}
	}
	ps := charted("rules").Of(doc).panels
	if last := ps[len(ps)-1]; last.Title != "power, $p = 1/2$" || last.Heading != "Not decided:" {
		t.Errorf("a rule that contradicts its theory stands under %q", last.Heading)
	}
	for _, in := range []theme.Theme{theme.Web, theme.Web.InColumn()} { // a group begins a row
		d := charted("rules").Of(sample.Document()).prepare(in)
		if row, column := d.grid.at(2); row != 1 || column != 0 {
			t.Errorf("the second group begins in row %d, column %d", row, column)
		}
	}
}

// Stacks with the residual show R, and those without it how alike their tokens are, with a
// line where all are the same; the scores of these vanish, and have no panel.
func TestStacksShowWhatSaysSomething(t *testing.T) {
	doc := sample.Document()
	for name, quantity := range map[string]string{"depth-survival": "gradient_survival", "depth-cosine": "token_cosine"} {
		ps := charted(name).Of(doc).panels
		if len(ps) != 2 {
			t.Fatalf("%s has %d panels", name, len(ps))
		}
		for _, p := range ps {
			_, residual := p.Shown[0].Params["residual"]
			if p.Shown[0].Quantity != quantity || residual != (name == "depth-survival") || (p.Level == nil) != residual {
				t.Errorf("%s: %s shows %s", name, p.Title, p.Shown[0].Quantity)
			}
		}
	}
	for _, p := range charted("depth-variance").Of(doc).panels {
		if p.Shown[0].Params["residual"] == nil {
			t.Errorf("%s shows stacks without the residual", p.Title)
		}
	}
}

// Every group of panels has numbers under the last panel of each column.
func TestNumbersUnderEachGroup(t *testing.T) {
	d := charted("rules").Of(sample.Document()).prepare(theme.Web)
	for i := range d.panels {
		if !d.labelsX(i) { // here every group is a row
			t.Errorf("%s has no numbers below it", d.panels[i].Title)
		}
	}
}

// A wide panel stands alone in its row from the first column to the end of the last.
func TestWidePanels(t *testing.T) {
	for _, in := range themes {
		d := charted("variance").Of(sample.Document()).prepare(in)
		boxes := d.boxes(d.h - margin)
		if row, _ := d.grid.at(1); row != 1 || boxes[0].Left != boxes[1].Left || boxes[0].Right < boxes[d.grid.columns].Right-0.01 {
			t.Errorf("%v: the wide panel is at %v, those below it from %v to %v", in, boxes[0], boxes[1], boxes[d.grid.columns])
		}
	}
}
