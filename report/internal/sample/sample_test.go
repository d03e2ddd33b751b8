package sample

import (
	"encoding/json"
	"slices"
	"testing"

	"mcsim/sim/result"
)

// The file is read as every results.json is, passes its gates, and has rows of
// every experiment that a page shows; where not, it is to be made again.
func TestDocument(t *testing.T) {
	var doc result.Document
	if err := json.Unmarshal(unpacked(), &doc); err != nil {
		t.Fatalf("make results.json.gz again, as the comment of the package says: %v", err)
	}
	var found []string
	for _, e := range doc.Estimates {
		if !slices.Contains(found, e.Experiment) {
			found = append(found, e.Experiment)
		}
	}
	for _, want := range []string{"variance", "exponents", "softmax", "freezing", "mismatch", "alignment", "rules", "health", "depth", "init", "calibration"} {
		if !slices.Contains(found, want) {
			t.Errorf("no rows of %s", want)
		}
	}
	if doc.Budget.Verdict != result.Pass || len(unpacked()) == 0 || len(packed) > 400_000 {
		t.Errorf("%s, %d bytes", doc.Budget.Verdict, len(packed))
	}
}

// One distribution alone is that of the document under its name.
func TestDistribution(t *testing.T) {
	for _, e := range Distribution("x", 4).Estimates {
		d, ok := e.Params.Number("d_k")
		distribution, named := e.Params.Text("distribution")
		if named && distribution != "x" || ok && d > 4 && e.Experiment == "variance" {
			t.Errorf("%s: %v", e.Quantity, e.Params)
		}
	}
}
