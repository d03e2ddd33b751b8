package names

import "slices"

// heavyTailed are the quantities that average third or fourth powers. Their standard errors are
// good enough for a 95 % interval, but not five errors from the mean, where the limit for a
// thousand estimates lies: the powers of numbers with little more than eight moments have tails
// like x⁻² to x⁻³, and one number may dominate the average (among 22 seeds of the default plan two
// such estimates are 6 errors off). At small n the tail of cubes is no better: for normal vectors
// of one component and 4096 pairs the skewness is more than 4.5 errors off 25 times as often as a
// normal number.
var heavyTailed = []string{
	ScoreSkewness, ScoreVarianceSE, ScoreVarianceSEBlocks, ScoreExcessKurtosis, ComponentKurtosis,
}

// HasHeavyTail reports whether a quantity averages third or fourth powers, so that its standard
// error says little about its tail.
func HasHeavyTail(quantity string) bool { return slices.Contains(heavyTailed, quantity) }
