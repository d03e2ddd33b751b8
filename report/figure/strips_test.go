package figure

import (
	"bytes"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/theme"
	"mcsim/sim/result"
)

// What does not pass is told from what passes by a marker, a colour, its name and a word
// of the legend; and the picture of a thousand gates stays small.
func TestGatesThatDoNotPassAreSeen(t *testing.T) {
	chart := charted("gates")
	doc := sample.Document()
	fine := entries(chart.Of(doc).panels)
	for len(doc.Gates) < 1400 {
		doc.Gates = append(doc.Gates, doc.Gates...)
	}
	svg, err := chart.Of(doc).File("svg", theme.Web)
	if err != nil {
		t.Fatal(err)
	}
	if len(svg) > 200_000 {
		t.Errorf("%d gates take %d bytes", len(doc.Gates), len(svg))
	}
	const failing, undecided = 3, 30
	sample.Break(doc, failing, result.Fail)
	sample.Break(doc, undecided, result.Undecided)
	f := chart.Of(doc)
	seen := entries(f.panels)
	if len(fine) != 4 || len(seen) != 4 || fine[0].marker || fine[2].label != "fails (none)" || !fine[2].marker {
		t.Fatalf("the legend has %+v, and %+v where not all pass", fine, seen)
	}
	if seen[1].label != "undecided (1)" || seen[2].label != "fails (1)" || !seen[1].marker || !seen[2].marker ||
		seen[1].style.Colour == seen[2].style.Colour || seen[0].style.Colour == seen[2].style.Colour || len(seen[1].style.Glyph) == len(seen[2].style.Glyph) {
		t.Errorf("%+v", seen)
	}
	if text := f.fullCaption(); !strings.Contains(text, "undecided: 1, failing: 1") || strings.Contains(text, "must lie inside their bands do") {
		t.Error(text)
	}
	broken, err := f.File("svg", theme.Web)
	if err != nil {
		t.Fatal(err)
	}
	uses := func(svg []byte) int { return bytes.Count(svg, []byte("<use ")) }
	if uses(broken) < uses(svg)+len(doc.Gates[failing].Name) {
		t.Error("a gate that fails has no name in the figure")
	}
}
