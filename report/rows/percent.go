package rows

import (
	"mcsim/report/digits"
	"mcsim/sim/result"
)

// InPercent returns a share of one as a percentage.
func InPercent(e result.Estimate) (_ result.Estimate, ok bool) {
	for _, x := range []*result.Number{&e.Value, &e.SE, &e.Lo, &e.Hi, &e.Theory, &e.Resolution} {
		*x *= 100
	}
	return e, true
}

// Percent writes a share of one with its error as percentages, with its interval where it
// has that alone, or with a mark where its error is not known.
func Percent(e result.Estimate) string {
	const unit = "\u202f%"
	e, _ = InPercent(e)
	if OnlyBounded(e) {
		return digits.Bounded(float64(e.Value), float64(e.Lo), float64(e.Hi), float64(e.Resolution)) + unit
	}
	text := digits.PlusMinus(float64(e.Value), float64(e.SE)) + digits.InBins(float64(e.Resolution)) + unit
	if ErrorUnknown(e) {
		text += digits.Unsure
	}
	return text
}
