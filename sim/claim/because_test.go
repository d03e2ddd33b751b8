package claim

import "testing"

// TestReasonsHaveConditions checks that the reason (why) of every computed claim has conditions
// (because) that are checked.
func TestReasonsHaveConditions(t *testing.T) {
	for _, l := range Embedded() {
		for _, c := range l.Claims {
			if c.isComputed() && c.Why != "" && len(c.because.conditions) == 0 {
				t.Errorf("%s: the reason %q has no conditions, want at least one", c.ID, c.Why)
			}
		}
	}
}

// TestReasonsWithUnmetConditionsAreHidden checks that Judge omits a reason whose condition is not
// met.
func TestReasonsWithUnmetConditionsAreHidden(t *testing.T) {
	l, err := Parse("l", []byte(`source: s
claims:
  - id: a
    text: t
    kind: deterministic
    by: weights
    of: {scores: [1, 1]}
    published: [0.5, 0.5]
    why: so
    because: [{by: row_entropy, of: {scores: [1, 1]}, is: "< 0.1"}]
  - id: b
    text: t
    kind: deterministic
    by: weights
    of: {scores: [1, 1]}
    published: [0.5, 0.5]
    why: so
    because: [{by: row_entropy, of: {scores: [1, 1]}, is: ">= 0.1"}]
`))
	if err != nil {
		t.Fatal(err)
	}
	judged := Judge([]*Ledger{l}, nil)
	if judged[0].Why != "" {
		t.Errorf("the reason with an unmet condition is %q, want none", judged[0].Why)
	}
	if judged[1].Why != "so" || len(judged[1].Conditions) != 1 {
		t.Errorf("the reason with a met condition is %q with %d conditions, want \"so\" with 1", judged[1].Why,
			len(judged[1].Conditions))
	}
}
