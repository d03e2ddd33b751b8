package rows

import (
	"mcsim/report/digits"
	"mcsim/sim/result"
)

// Percent writes a share of one with its error as percentages, with its interval where it
// has that alone, or with a mark where its error is not known.
func Percent(e result.Estimate) string {
	value, unit := 100*float64(e.Value), "\u202f%"
	if OnlyBounded(e) {
		return digits.Bounded(value, 100*float64(e.Lo), 100*float64(e.Hi), 100*float64(e.Resolution)) + unit
	}
	text := digits.PlusMinus(value, 100*float64(e.SE)) + digits.InBins(100*float64(e.Resolution)) + unit
	if ErrorUnknown(e) {
		text += digits.Unsure
	}
	return text
}
