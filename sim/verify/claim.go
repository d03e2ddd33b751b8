package verify

import (
	"mcsim/sim/claim"
	"mcsim/sim/result"
)

// compareClaims judges the claims of texts again by the rows of the document, and holds what
// comes of them against what it says; older documents have none.
func (v *Judgement) compareClaims(doc *result.Document) {
	if len(doc.Claims) == 0 {
		return
	}
	want := claim.Judge(claim.Embedded(), doc.Estimates)
	if len(doc.Claims) != len(want) {
		v.mismatch("there are %d claims, the document has %d", len(want), len(doc.Claims))
		return
	}
	for i, c := range want {
		if !sameJSON(c, doc.Claims[i]) {
			v.mismatch("claim %s is not judged as its rows and its numbers give", c.ID)
		}
	}
}
