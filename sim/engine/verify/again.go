package verify

import (
	"bytes"
	"slices"

	"mcsim/sim/attention/cost"
	"mcsim/sim/attention/example"
	"mcsim/sim/claim"
	"mcsim/sim/engine/document"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/result"
)

// compareMade makes again what depends on no samples and compares it with the document: lines of
// what attention costs, worked examples, and what follows from its rows, which are claims and the
// estimates about the document as a whole.
func (v *Judgement) compareMade(s *schedule.Schedule, doc *result.Document) {
	whole := []result.Estimate{}
	for i := range doc.Estimates {
		if r := &doc.Estimates[i]; document.OfAgreement(*r) {
			whole = append(whole, *r)
		}
	}
	compareLists(v, "rows that judge the document as a whole", whole,
		document.Agreement(document.SampledCells(s), doc.Estimates),
		func(r result.Estimate) string { return r.Quantity + " of " + r.Cell })
	costs := slices.DeleteFunc(slices.Clone(doc.Curves), func(c result.Curve) bool { return !cost.IsCostCurve(c) })
	compareLists(v, "lines of what attention costs", costs, cost.Curves(),
		func(c result.Curve) string { return c.Quantity })
	compareLists(v, "worked examples", doc.Examples, example.NewExamples(), func(e result.Example) string { return e.ID })
	compareLists(v, "claims", doc.Claims, claim.Judge(claim.Embedded(), doc.Estimates),
		func(c result.Claim) string { return c.ID })
}

// compareLists compares a list of the document with the same list made again.
func compareLists[T any](v *Judgement, what string, has, want []T, name func(T) string) {
	if len(has) == 0 {
		return
	}
	if len(has) != len(want) {
		v.mismatch("%s: the document has %d, and there are %d", what, len(has), len(want))
		return
	}
	for i, w := range want {
		if !bytes.Equal(compact(has[i]), compact(w)) {
			v.mismatch("%s: %s is not the same when it is made again", what, name(w))
		}
	}
}
