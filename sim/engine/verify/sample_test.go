package verify

import (
	"testing"

	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// TestSampleOfTheReport checks that verification finds no mismatches in the sample document that
// the report's tests use. If theory, claims or examples have changed, the document must be sampled
// again (report/internal/sample).
func TestSampleOfTheReport(t *testing.T) {
	doc, err := result.Decode(simtest.ReadSampleDocument(t, "../../.."))
	simtest.Must(t, err)
	v, err := Document(doc)
	simtest.Must(t, err)
	for _, m := range v.Mismatches {
		t.Errorf("results.json.gz must be sampled again: %s", m)
	}
}
