// Package bench has what is said of times: medians and ranges of rounds, never a single time,
// and ratios within each round, so that a change of the machine's speed meets both sides
// alike. How mcsim compares with other programs cmd/bench tells.
package bench

import "slices"

// Times is what several rounds took, in the unit that its field names.
type Times struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// Summary is that of the rounds.
func Summary(rounds []float64) Times {
	sorted := slices.Sorted(slices.Values(rounds))
	n := len(sorted)
	return Times{Median: (sorted[(n-1)/2] + sorted[n/2]) / 2, Min: sorted[0], Max: sorted[n-1]}
}

// Ratios are a over b, round by round.
func Ratios(a, b []float64) Times {
	each := make([]float64, len(a))
	for i := range a {
		each[i] = a[i] / b[i]
	}
	return Summary(each)
}

// Inverse turns times for a unit into units for a time.
func (t Times) Inverse() Times { return Times{1 / t.Median, 1 / t.Max, 1 / t.Min} }
