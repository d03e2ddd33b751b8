package claim

import (
	"encoding/json"

	"mcsim/sim/base/markup"
	"mcsim/sim/result"
)

// WithPublished returns the claim with other published numbers.
func (c Claim) WithPublished(texts []string) Claim {
	c.published = texts
	return c
}

// Published returns the published numbers.
func (c Claim) Published() []string { return c.published }

// WithInterval returns the claim with a function whose result always has the given bounds.
func (c Claim) WithInterval(bounds Interval) Claim {
	call := *c.call
	call.compute = func(Args) []Interval { return []Interval{bounds} }
	c.call = &call
	return c
}

// HasNumbers reports whether the claim publishes numbers that a function computes.
func (c Claim) HasNumbers() bool { return c.call != nil }

// FindEstimate returns the index of the estimate that a reading of a condition names, or -1.
func FindEstimate(reading string, estimates []result.Estimate) int {
	ref, err := ParseClaimRow(reading)
	if err != nil {
		return -1
	}
	estimate := ref.Find(newIndexedDocument(estimates))
	for i := range estimates {
		if &estimates[i] == estimate {
			return i
		}
	}
	return -1
}

// Call evaluates a function of claims. computed has the values for the printed arguments, and
// bounds the ranges of the values if the arguments named in rounded vary within their rounding.
func Call(name string, args map[string][]string, rounded ...string) (computed []float64, bounds []Interval, err error) {
	ledger := map[string]any{"by": name, "of": args}
	if len(rounded) > 0 {
		ledger[keyRounded] = rounded
	}
	text, err := json.Marshal(ledger)
	if err != nil {
		return nil, nil, err
	}
	r := &reader{Reader: markup.Reader{File: "call", Noun: "ledger", MaxText: maxText}}
	n, err := r.Parse(text)
	if err != nil {
		return nil, nil, err
	}
	var raw rawReading
	seen, err := r.ReadMapping(n, "", r.callFields(&raw))
	if err != nil {
		return nil, nil, err
	}
	c, err := r.readCall(n, "", &raw, seen)
	if err != nil {
		return nil, nil, err
	}
	computed, bounds = c.evaluate()
	return computed, bounds, nil
}
