package names

import "slices"

// heavyTailed lists the quantities that average third or fourth powers. Their standard errors are
// good enough for a 95 % interval. They are not good enough for the tail at five standard errors,
// which limits the largest error of a thousand estimates. The powers of numbers with little more
// than eight moments have tails like x⁻² to x⁻³, so that one number may dominate the average: among
// 22 seeds of the default plan, two such estimates differ by 6 standard errors from theory. For
// small n the tail of cubes is not better: for normal vectors of one component and 4096 pairs, the
// skewness differs by more than 4.5 standard errors 25 times as often as a normal number.
var heavyTailed = []string{
	ScoreSkewness, ScoreVarianceSE, ScoreVarianceSEBlocks, ScoreExcessKurtosis, ComponentKurtosis,
}

// HasHeavyTail reports whether a quantity averages third or fourth powers, so that large errors are
// more likely than the standard error of a normal estimate implies.
func HasHeavyTail(quantity string) bool { return slices.Contains(heavyTailed, quantity) }
