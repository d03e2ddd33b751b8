package inits

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
)

// newStackSampler returns a tally and the function that samples sixteen stacks, each of which adds
// one number to every column and histogram.
func newStackSampler(c experiment.Cell, pilot moments.Node) (rows.Collector, func(*experiment.BlockStream)) {
	s := newStacks(cellArchitecture(c))
	t := &stackTally{rows.NewNumbers(s.layers*len(depthQuantities), pilot), s.architecture}
	return t, func(d *experiment.BlockStream) {
		s.sample(&d.Lanes)
		for layer := range s.means {
			for q := range s.means[layer] {
				for _, x := range s.means[layer][q] {
					t.Add(depthColumn(layer, q), x, depthQuantities[q].position(x))
				}
			}
		}
	}
}

// stackTally collects the numbers of stacks.
type stackTally struct {
	*rows.Numbers
	architecture
}

// Node returns the node of the numbers. The node of a pilot also has a flag for each layer that is
// resolved, and the moments of the positions after those of the numbers; they determine how well
// the means will know their errors.
func (t *stackTally) Node(hasNext bool) moments.Node {
	n := t.Numbers.Node(hasNext)
	positions, _ := t.PilotPositions()
	if positions == nil {
		return n
	}
	for layer := range t.layers {
		n.Counts = append(n.Counts, t.resolvedFlag(positions, layer))
	}
	isInfinite := func(position float64) bool { return math.IsInf(position, 0) }
	for _, layerPositions := range positions {
		finite := slices.DeleteFunc(slices.Clone(layerPositions), isInfinite)
		n.Moments = append(n.Moments, moments.New(finite, 2))
	}
	return n
}

// resolvedFlag returns 1 if in at least 95 % of the stacks of a pilot the scores of a layer differ
// by more than the rounding of float32 (see maxRoundingRatio), and otherwise 0: the quantiles
// would then be those of rounding errors.
func (w architecture) resolvedFlag(positions [][]float64, layer int) int64 {
	scores, tokens := positions[depthColumn(layer, scoreVariance)], positions[depthColumn(layer, tokenVariance)]
	var alikeStacks int
	for i, scorePosition := range scores {
		if w.areTokensAlike(elementary.Exp(scorePosition), elementary.Exp(tokens[i])) {
			alikeStacks++
		}
	}
	if 20*alikeStacks > len(scores) {
		return 0
	}
	return 1
}

// minEndLogit is the smallest mean logit of a proportion, in absolute value, that counts as near 0
// or 1: e³ is 20. In addition, it must be more than √3 of its standard deviations from 0;
// otherwise the pilot has enough stacks in the middle.
const minEndLogit = 3

// predictMean returns the pilot's prediction for the mean of n numbers of a column. A variance
// grows or shrinks by a factor in every layer, and so does the distance from 1 of a cosine or a
// proportion that is near 1, so these numbers are nearly log-normal. A pilot rarely has the stacks
// that dominate such a mean, but it knows the standard deviation s of the logarithm, which gives
// the kurtosis e^{4s²} + 2e^{3s²} + 3e^{2s²} − 3 of a log-normal distribution.
func predictMean(pilot moments.Node, column int, n int64) experiment.PilotMean {
	m := experiment.NewPilotMean(pilot.Moments[column], n)
	positions := pilot.Moments[len(pilot.Moments)/2+column]
	q := column % len(depthQuantities)
	nearEnd := math.Abs(positions.Mean) > minEndLogit && float64(positions.Mean*positions.Mean) > 3*positions.Variance()
	if q == scoreVariance || q == tokenVariance || nearEnd {
		w := elementary.Exp(min(positions.Variance(), 100))
		kurtosis := float64(w*w*w*w) + float64(2*w*w*w) + float64(3*w*w) - 3
		m.ErrorOfError = max(m.ErrorOfError, experiment.ErrorOfMeanError(kurtosis, n))
	}
	return m
}
