package claim

import "testing"

// What is said beside a verdict that is computed rests on conditions, which are computed, too.
func TestBecause(t *testing.T) {
	for _, l := range Embedded() {
		for _, c := range l.Claims {
			if c.computed() && c.Why != "" && len(c.because.conditions) == 0 {
				t.Errorf("%s: nothing checks %q", c.ID, c.Why)
			}
		}
	}
}

// Words that rows do not bear out are not shown.
func TestBecauseUnmet(t *testing.T) {
	l, err := Parse("l", []byte(`source: s
claims:
  - {id: a, text: t, kind: deterministic, by: weights, of: {scores: [1, 1]}, published: [0.5, 0.5], why: so, because: [{by: row_entropy, of: {scores: [1, 1]}, is: "< 0.1"}]}
  - {id: b, text: t, kind: deterministic, by: weights, of: {scores: [1, 1]}, published: [0.5, 0.5], why: so, because: [{by: row_entropy, of: {scores: [1, 1]}, is: ">= 0.1"}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	all := Judge([]*Ledger{l}, nil)
	if all[0].Why != "" || all[1].Why != "so" || len(all[1].Conditions) != 1 {
		t.Errorf("%+v", all)
	}
}
