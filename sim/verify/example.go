package verify

import (
	"mcsim/sim/example"
	"mcsim/sim/result"
)

// compareExamples computes the worked examples again and holds them against those of the
// document, which older ones do not have.
func (v *Judgement) compareExamples(doc *result.Document) {
	if len(doc.Examples) == 0 {
		return
	}
	want := example.All()
	if len(doc.Examples) != len(want) {
		v.mismatch("there are %d worked examples, the document has %d", len(want), len(doc.Examples))
		return
	}
	for i, e := range want {
		if !sameJSON(e, doc.Examples[i]) {
			v.mismatch("the worked example %s is not what its inputs give", e.ID)
		}
	}
}
