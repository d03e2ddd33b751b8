package advice

import "mcsim/sim/names"

// The odds of the greatest weight from which on rows are uneven, and the share of all
// weight from which on these are sharp.
const (
	unevenOdds  = 10
	sharpWeight = 0.5
)

// Odds is how many times the mean weight of the other keys the greatest weight is. It
// does not depend on how many keys there are, as the weight itself does.
func Odds(weight float64, keys int) float64 {
	return weight * float64(keys-1) / (1 - weight)
}

// Evenness labels rows by their greatest weight. Each weight has one label, and of two
// weights the greater has no evener one.
func Evenness(weight float64, keys int) string {
	switch {
	case float64(weight*float64(keys)) < names.TooSoftBelow:
		return names.LabelTooSoft
	case Odds(weight, keys) < unevenOdds:
		return names.LabelSoft
	case weight < sharpWeight:
		return names.LabelUneven
	}
	return names.LabelSharp
}
