package sample

import (
	"encoding/json"
	"slices"
	"testing"

	"mcsim/sim/result"
)

// TestDocument checks that the sample can be read, that its budget passes, and that it has
// estimates of the experiments of the pages. If this test fails, make the sample again.
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
	if doc.Budget.Verdict != result.Pass {
		t.Errorf("the verdict of the budget is %s, want %s", doc.Budget.Verdict, result.Pass)
	}
	const maxPackedBytes = 400_000 // the sample is part of the repository
	if len(packed) > maxPackedBytes {
		t.Errorf("the packed sample has %d bytes, want at most %d", len(packed), maxPackedBytes)
	}
}

func TestDistribution(t *testing.T) {
	for _, e := range OneDistribution("x", 4).Estimates {
		d, hasDimension := e.Params.Number("d_k")
		distribution, hasDistribution := e.Params.Text("distribution")
		if hasDistribution && distribution != "x" {
			t.Errorf("an estimate of %s has the distribution %s, want x", e.Quantity, distribution)
		}
		if hasDimension && d > 4 && e.Experiment == "variance" {
			t.Errorf("an estimate of %s has d_k = %v, want at most 4", e.Quantity, d)
		}
	}
}
