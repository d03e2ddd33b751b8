package sample

import (
	"encoding/json"
	"slices"
	"testing"

	"mcsim/sim/result"
)

// TestDocument checks that the document can be read, passes its gates, and has estimates of the
// experiments of the pages. If this test fails, the document must be sampled again.
func TestDocument(t *testing.T) {
	var doc result.Document
	if err := json.Unmarshal(unpackDocument(), &doc); err != nil {
		t.Fatalf("sample results.json.gz again by the commands in the package comment: %v", err)
	}
	var found []string
	for _, e := range doc.Estimates {
		if !slices.Contains(found, e.Experiment) {
			found = append(found, e.Experiment)
		}
	}
	for _, want := range []string{
		"variance", "exponents", "softmax", "freezing", "mismatch", "alignment", "rules", "health", "depth", "init",
		"calibration",
	} {
		if !slices.Contains(found, want) {
			t.Errorf("no estimates of %s", want)
		}
	}
	if doc.Budget.Verdict != result.Pass || len(unpackDocument()) == 0 || len(packed) > 400_000 {
		t.Errorf("%s, %d bytes", doc.Budget.Verdict, len(packed))
	}
}

func TestDistribution(t *testing.T) {
	for _, e := range OneDistribution("x", 4).Estimates {
		d, ok := e.Params.Number("d_k")
		distribution, hasDistribution := e.Params.Text("distribution")
		if hasDistribution && distribution != "x" || ok && d > 4 && e.Experiment == "variance" {
			t.Errorf("%s: %v", e.Quantity, e.Params)
		}
	}
}
