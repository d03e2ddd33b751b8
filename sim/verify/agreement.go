package verify

import (
	"slices"

	"mcsim/sim/agreement"
	"mcsim/sim/document"
	"mcsim/sim/result"
	"mcsim/sim/schedule"
)

// compareAgreement makes the rows again that judge the document as a whole, from its
// other rows, and holds them against those that it has.
func (v *Judgement) compareAgreement(s *schedule.Schedule, doc *result.Document) {
	var others, has []result.Estimate
	for _, r := range doc.Estimates {
		if agreement.Of(r) {
			has = append(has, r)
		} else {
			others = append(others, r)
		}
	}
	want := agreement.Rows(document.Drawn(s), others)
	if len(has) != len(want) {
		v.mismatch("the rows give %d that judge the document as a whole, it has %d", len(want), len(has))
		return
	}
	for i, r := range want {
		was := has[i]
		point := func(r result.Estimate) string { return document.RowKey(r.Experiment, r.Cell, r.Quantity, r.Params) }
		numbers := func(r result.Estimate) []result.Number {
			return []result.Number{r.Value, r.SE, r.Lo, r.Hi, r.Level, r.Theory}
		}
		same := point(was) == point(r) && was.N == r.N && was.Estimator == r.Estimator && was.TheoryKind == r.TheoryKind &&
			slices.EqualFunc(numbers(was), numbers(r), func(a, b result.Number) bool { return agrees(a, b, 0) })
		if !same {
			v.mismatch("%s of %s, which judges the document as a whole, is %v; its other rows give %v", was.Quantity, was.Cell, was.Value, r.Value)
		}
	}
}
