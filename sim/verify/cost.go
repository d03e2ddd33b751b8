package verify

import (
	"mcsim/sim/cost"
	"mcsim/sim/result"
)

// compareCosts counts again what attention costs. A document of before there were such
// lines has none.
func (v *Judgement) compareCosts(doc *result.Document) {
	var has []result.Curve
	for _, c := range doc.Curves {
		if cost.Counts(c) {
			has = append(has, c)
		}
	}
	want := cost.Curves()
	if len(has) == 0 {
		return
	}
	if len(has) != len(want) {
		v.mismatch("there are %d lines of what attention costs, the document has %d", len(want), len(has))
		return
	}
	for i, c := range want {
		if !sameJSON(has[i], c) {
			v.mismatch("line %d of what attention costs, %s, is not what its formula gives", i+1, c.Quantity)
		}
	}
}
