package trust

import (
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
	"mcsim/sim/result"
)

// Warnings name their cells as ranges of d_k, say alike things once, and write
// numbers as people do.
func TestWarningsReadWell(t *testing.T) {
	doc := sample.Document()
	doc.Warnings = nil
	for _, id := range []string{"normal/d_k=2", "normal/d_k=4", "normal/d_k=8", "normal/d_k=64", "sphere/d_k=1/gram"} {
		doc.Warnings = append(doc.Warnings, result.Warning{Cell: "variance/" + id, Quantity: "q", Text: "a bias of 3.5e-06"})
	}
	doc.Warnings = append(doc.Warnings, result.Warning{Cell: "a", Quantity: "r", Text: "known to 9.5 % only"}, result.Warning{Cell: "b", Quantity: "r", Text: "known to 11 % only"},
		result.Warning{Cell: "b", Quantity: "r", Text: "known to 10 % only"}) // of another row of the cell
	got := warnings(view.NewSource(doc, view.Run{}, nil)).Rows
	if len(got) != 2 || len(got[0]) != 2 {
		t.Fatal(got)
	}
	for i, want := range []string{"a bias of 3.5·10⁻⁶. *Where:* normal at d_k\u00a0=\u00a02 to 8, 64; sphere (gram) at d_k\u00a0=\u00a01.", "known to 9.5 to 11 % only. *Where:* a; b."} {
		if got[i][1] != want {
			t.Errorf("%q, want %q", got[i][1], want)
		}
	}
}
