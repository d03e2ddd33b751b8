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

// compareDerived computes again the parts of the document that need no samples, and compares them
// with the document. These are curves of costs, worked examples, and two results that follow from
// the estimates: claims, and the estimates about the document as a whole.
func (v *Judgement) compareDerived(s *schedule.Schedule, doc *result.Document) {
	agreement := []result.Estimate{}
	for i := range doc.Estimates {
		if r := &doc.Estimates[i]; document.IsAgreement(*r) {
			agreement = append(agreement, *r)
		}
	}
	compareLists(v, "estimates about the document as a whole", agreement,
		document.Agreement(document.SampledCells(s), doc.Estimates),
		func(r result.Estimate) string { return r.Quantity + " of " + r.Cell })
	costs := slices.DeleteFunc(slices.Clone(doc.Curves), func(c result.Curve) bool { return !cost.IsCostCurve(c) })
	compareLists(v, "curves of the cost of attention", costs, cost.Curves(),
		func(c result.Curve) string { return c.Quantity })
	compareLists(v, "worked examples", doc.Examples, example.NewExamples(),
		func(e result.Example) string { return e.ID })
	compareLists(v, "claims", doc.Claims, claim.Judge(claim.Embedded(), doc.Estimates),
		func(c result.Claim) string { return c.ID })
}

// compareLists compares a recorded list with the same list computed again. The recorded list may be
// empty.
func compareLists[T any](v *Judgement, name string, recorded, remade []T, nameOf func(T) string) {
	if len(recorded) == 0 {
		return
	}
	if len(recorded) != len(remade) {
		v.addMismatch("%s: the document has %d, but there are %d", name, len(recorded), len(remade))
		return
	}
	for i, item := range remade {
		if !bytes.Equal(encode(recorded[i]), encode(item)) {
			v.addMismatch("%s: %s is different if it is computed again", name, nameOf(item))
		}
	}
}
