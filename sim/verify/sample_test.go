package verify

import (
	"compress/gzip"
	"io"
	"os"
	"testing"

	"mcsim/sim/result"
)

// The document that the report is tested with agrees with itself and with this program: where
// theory, a ledger of claims or an example has changed since it was drawn, it is to be drawn
// again, as the comment of its package says.
func TestSampleOfTheReport(t *testing.T) {
	file, err := os.Open("../../report/internal/sample/results.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := result.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Document(doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range v.Mismatches {
		t.Errorf("results.json.gz is to be drawn again: %s", m)
	}
}
