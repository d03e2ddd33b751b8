package claim

import (
	"encoding/json"

	"mcsim/sim/base/markup"
	"mcsim/sim/result"
)

// WithPublished is the claim with other published numbers.
func (c Claim) WithPublished(texts []string) Claim {
	c.published = texts
	return c
}

// Published are the claim's own numbers.
func (c Claim) Published() []string { return c.published }

// WithInterval is the claim with a function that gives one interval.
func (c Claim) WithInterval(of Interval) Claim {
	call := *c.call
	call.compute = func(Args) []Interval { return []Interval{of} }
	c.call = &call
	return c
}

// Numbers says whether the claim publishes numbers that a function gives.
func (c Claim) Numbers() bool { return c.call != nil }

// Find is the place of the row that a condition of a document reads, -1 if there is none.
func Find(reads string, estimates []result.Estimate) int {
	s, err := ParseClaimRow(reads)
	if err != nil {
		return -1
	}
	row := s.Find(indexed(estimates))
	for i := range estimates {
		if &estimates[i] == row {
			return i
		}
	}
	return -1
}

// Call is a function of numbers, at what is printed and from what that was rounded.
func Call(name string, args map[string][]string, rounded ...string) (at []float64, from []Interval, err error) {
	written := map[string]any{"by": name, "of": args}
	if len(rounded) > 0 {
		written[keyRounded] = rounded
	}
	text, err := json.Marshal(written)
	if err != nil {
		return nil, nil, err
	}
	r := &reader{Reader: markup.Reader{File: "call", Noun: "ledger", MaxText: maxText}}
	n, err := r.Parse(text)
	if err != nil {
		return nil, nil, err
	}
	var g given
	seen, err := r.ReadMapping(n, "", r.function(&g))
	if err != nil {
		return nil, nil, err
	}
	c, err := r.call(n, "", &g, seen)
	if err != nil {
		return nil, nil, err
	}
	at, from = c.values()
	return at, from, nil
}
