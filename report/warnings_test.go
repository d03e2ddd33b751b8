package report

import (
	"strings"
	"testing"

	"mcsim/report/internal/synthetic"
	"mcsim/sim/result"
)

// Warnings name their cells as ranges of d_k, say alike things once, and write
// numbers as people do.
func TestWarningsReadWell(t *testing.T) {
	doc := synthetic.Default()
	doc.Warnings = nil
	for _, id := range []string{"normal/d_k=2", "normal/d_k=4", "normal/d_k=8", "normal/d_k=64", "sphere/d_k=1/gram"} {
		doc.Warnings = append(doc.Warnings, result.Warning{Cell: "variance/" + id, Quantity: "q", Text: "a bias of 3.5e-06"})
	}
	doc.Warnings = append(doc.Warnings, result.Warning{Cell: "a", Quantity: "r", Text: "known to 9.5 % only"}, result.Warning{Cell: "b", Quantity: "r", Text: "known to 11 % only"})
	got := newSource(doc, Run{}, nil).warnings().Rows
	if len(got) != 2 || len(got[0]) != 2 {
		t.Fatal(got)
	}
	for i, want := range []string{"a bias of 3.5·10⁻⁶. *Where:* normal at d_k\u00a0=\u00a02 to 8, 64; sphere (gram) at d_k\u00a0=\u00a01.", "known to 9.5 to 11 % only. *Where:* a; b."} {
		if got[i][1] != want {
			t.Errorf("%q, want %q", got[i][1], want)
		}
	}
}

// What is offered beside a figure is named for what it is.
func TestFormsAreNamed(t *testing.T) {
	text := site(t, synthetic.Default(), Run{})
	page := text["cite.html"]
	if strings.Contains(page, "numbers as a table") || !strings.Contains(page, "figure environment") || !strings.Contains(text["index.html"], `href="figures/scaled.md"`) {
		t.Error("Markdown and LaTeX are not offered as caption and environment")
	}
}

// A row without an error is marked wherever it stands, and the mark explained.
func TestValuesWithoutError(t *testing.T) {
	doc := synthetic.Default()
	doc.Gates = nil
	for i := range doc.Estimates {
		e := &doc.Estimates[i]
		e.SE, e.Lo, e.Hi = result.Absent(), result.Absent(), result.Absent()
	}
	src := newSource(doc, Run{}, nil)
	for name, table := range map[string]table{"answer": src.answer().Numbers, "variance": src.leadVariance(), "scaled": src.scaled(), "slopes": src.slopes(), "distance": src.leadDistance()} {
		marked := strings.Contains(table.markdown("Table 1"), unsure+" The error is not known")
		if !marked || !strings.Contains(strings.Join(table.Rows[0], " "), unsure) {
			t.Errorf("%s: %v", name, table.Rows[0])
		}
	}
}
