package claim

import (
	"mcsim/sim/result"
	"mcsim/sim/row"
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
	call.of = func(Args) []Interval { return []Interval{of} }
	c.call = &call
	return c
}

// Numbers says whether the claim publishes numbers that a function gives.
func (c Claim) Numbers() bool { return c.call != nil }

// Find is the place of the row that a condition of a document reads, -1 if there is none.
func Find(reads string, estimates []result.Estimate) int {
	s, err := row.OfClaim(reads)
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
	f, err := find(name)
	if err != nil {
		return nil, nil, err
	}
	c, _, err := newCall(f, args, rounded, 0)
	if err != nil {
		return nil, nil, err
	}
	at, from = c.values()
	return at, from, nil
}
