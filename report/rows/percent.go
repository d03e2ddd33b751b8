package rows

import (
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/result"
)

// onOneLine keeps a number and what stands behind it together.
var onOneLine = strings.NewReplacer(" ", "\u00a0")

// Percent writes a share of one with its error as percentages, with its interval where it
// has that alone, or with a mark where its error is not known.
func Percent(e result.Estimate) string {
	value, unit := 100*float64(e.Value), "\u00a0%"
	if OnlyBounded(e) {
		return onOneLine.Replace(digits.Bounded(value, 100*float64(e.Lo), 100*float64(e.Hi), 100*float64(e.Resolution))) + unit
	}
	text := onOneLine.Replace(digits.PlusMinus(value, 100*float64(e.SE))+digits.InBins(100*float64(e.Resolution))) + unit
	if ErrorUnknown(e) {
		text += digits.Unsure
	}
	return text
}
