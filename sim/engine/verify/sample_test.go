package verify

import (
	"testing"

	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// The document that the report is tested with agrees with itself and with this program: where
// theory, a ledger of claims or an example has changed since it was drawn, it is to be drawn
// again, as the comment of its package says.
func TestSampleOfTheReport(t *testing.T) {
	doc, err := result.Decode(simtest.ReadSampleDocument(t, "../../.."))
	simtest.Must(t, err)
	v, err := Document(doc)
	simtest.Must(t, err)
	for _, m := range v.Mismatches {
		t.Errorf("results.json.gz is to be drawn again: %s", m)
	}
}
