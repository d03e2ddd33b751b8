package claim

import "testing"

func TestReasonsHaveConditions(t *testing.T) {
	for _, l := range Embedded() {
		for _, c := range l.Claims {
			if c.isComputed() && c.Why != "" && len(c.because.conditions) == 0 {
				t.Errorf("%s: nothing checks %q", c.ID, c.Why)
			}
		}
	}
}

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
	if judged[0].Why != "" || judged[1].Why != "so" || len(judged[1].Conditions) != 1 {
		t.Errorf("%+v", judged)
	}
}
