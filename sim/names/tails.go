package names

import "slices"

// heavyTailed are the quantities that average third or fourth powers. Their errors are good for
// a 95 % interval, but not five errors out, where a limit for a thousand estimates is: the powers
// of a distribution that has eight moments or few more fall off like x⁻² to x⁻³, and one number
// may carry the average (among 22 seeds of the default plan two such estimates are 6 errors out).
// The tail of cubes is no better at small n: for normal vectors of one component and 4096 pairs
// the skewness is beyond 4.5 errors 25 times as often as a normal number.
var heavyTailed = []string{
	ScoreSkewness, ScoreVarianceSE, ScoreVarianceSEBlocks, ScoreExcessKurtosis, ComponentKurtosis,
}

// HasHeavyTail reports whether a quantity's standard error says little about its tail, since it
// averages third or fourth powers.
func HasHeavyTail(quantity string) bool { return slices.Contains(heavyTailed, quantity) }
