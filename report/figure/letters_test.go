package figure

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"mcsim/report/internal/sample"
	"mcsim/report/label"
	"mcsim/report/theme"
)

// written is a canvas that keeps the runs of text.
type written struct {
	blank
	pieces []label.Piece
}

func (w *written) Words(ps []label.Piece, _ vg.Point, _ bool, _ color.NRGBA) {
	w.pieces = append(w.pieces, ps...)
}

// has reports whether a run of a font is that text.
func (w *written) has(text string, font label.Font) bool {
	return slices.ContainsFunc(w.pieces, func(p label.Piece) bool { return p.Font == font && p.Text == text })
}

// all is the text of a font, run by run.
func (w *written) all(font label.Font) string {
	var b strings.Builder
	for _, p := range w.pieces {
		if p.Font == font {
			b.WriteString(p.Text + "\n")
		}
	}
	return b.String()
}

// In Nature's style panels have bold letters without brackets, and its caption names
// them so; in others they keep their brackets. No text is larger than a style's labels
// but its letters, and none smaller than 5 points, which is what both journals ask.
func TestLettersOfPanels(t *testing.T) {
	for _, style := range theme.Styles {
		in := theme.Theme{Style: style}
		lettersSeen := 0
		for _, c := range charts {
			f := c.Of(sample.Document())
			d := f.prepare(in)
			got := &written{}
			d.draw(got)
			tex := string(f.TeX(in))
			for _, p := range d.panels {
				parts := lettered.FindStringSubmatch(p.Title)
				if parts == nil {
					continue
				}
				lettersSeen++
				bold := got.has(parts[1], label.Bold)
				inBrackets := strings.Contains(got.all(label.Upright), "("+parts[1]+")")
				if bold != (style.Letter > 0) || inBrackets == (style.Letter > 0) {
					t.Errorf("%s, %s: the letter %s: bold %t, in brackets %t", style.Name, c.Name, parts[1], bold, inBrackets)
				}
				if style.Letter > 0 && strings.Contains(tex, "("+parts[1]+")") {
					t.Errorf("%s, %s: the caption names (%s)", style.Name, c.Name, parts[1])
				}
			}
			for _, p := range got.pieces {
				most := style.Text
				if p.Font == label.Bold {
					most = style.Letter
				}
				if p.Size > most || p.Size < 5 {
					t.Errorf("%s, %s: %q has %v points", style.Name, c.Name, p.Text, p.Size)
				}
			}
		}
		if lettersSeen == 0 {
			t.Error("no panel has a letter")
		}
	}
	if text := charted("softmax-map").Of(sample.Document()).boldLetters("(q) and (n) stay"); text != "(q) and (n) stay" {
		t.Error(text)
	}
}

// A figure as wide as a page of two columns goes across them; one of a column, and one
// for a page of one column, do not.
func TestAcrossColumns(t *testing.T) {
	for _, style := range theme.Styles {
		for _, narrow := range []bool{true, false} {
			tex := string(charted("scaled").Of(sample.Document()).TeX(theme.Theme{Style: style, Narrow: narrow}))
			want := "figure"
			if !narrow && style.Name != "web" {
				want = "figure*"
			}
			own := fmt.Sprintf("%.1fmm", float64(style.Single/vg.Millimeter))
			if natural := style.Name == "web" && narrow; strings.Contains(tex, `[width=\linewidth]`) == natural || strings.Contains(tex, "[width="+own+"]") != natural {
				t.Errorf("%s, narrow %t: not as wide as it was drawn:\n%s", style.Name, narrow, tex)
			}
			if !strings.Contains(tex, `\begin{`+want+"}\n") || !strings.Contains(tex, `\end{`+want+"}\n") {
				t.Errorf("%s, narrow %t: no %s:\n%s", style.Name, narrow, want, tex)
			}
		}
	}
}
