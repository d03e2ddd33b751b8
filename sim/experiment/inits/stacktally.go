package inits

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
)

// newStackSampler implements [rows.Opener]. A block is sixteen stacks, each of which adds one
// number to every column and histogram.
func newStackSampler(c experiment.Cell, pilot moments.Node) (rows.Collector, func(*experiment.BlockStream)) {
	s := newStacks(cellArchitecture(c))
	t := &stackTally{rows.NewNumbers(s.layers*len(depthQuantities), pilot), s.architecture}
	return t, func(b *experiment.BlockStream) {
		s.sample(&b.Lanes)
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

// Node implements [rows.Collector]. The node of a pilot also has the resolvedFlag of each layer,
// and the moments of the positions after the moments of the numbers. The moments of the positions
// determine how well the standard errors of the means will be known (see predictMean).
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

// resolvedFlag returns 1 if the scores of a layer differ by more than the rounding of float32 (see
// maxRoundingRatio) in at least 95 % of the stacks of a pilot. Otherwise it returns 0, since the
// quantiles would be quantiles of rounding errors.
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

// A proportion is near 0 or 1 if the mean of its logit is larger than minEndLogit in absolute value
// (the odds are then above e³ = 20), and if the square of the mean is larger than minEndZ2 times
// the variance of the logit. Otherwise the pilot has enough stacks whose proportion is near neither
// end.
const minEndLogit, minEndZ2 = 3, 3

// predictMean returns the pilot's prediction for the mean of n numbers of a column. A variance
// grows or shrinks by a factor in every layer. So does the distance from 1 of a cosine or a
// proportion that is near 1. Therefore these numbers are nearly log-normal. A pilot rarely has the
// stacks that dominate the mean of such numbers, but it has the standard deviation s of their
// logarithms, which gives the kurtosis e^{4s²} + 2e^{3s²} + 3e^{2s²} − 3 of a log-normal
// distribution.
func predictMean(pilot moments.Node, column int, n int64) experiment.PilotMean {
	m := experiment.NewPilotMean(pilot.Moments[column], n)
	positions := pilot.Moments[len(pilot.Moments)/2+column]
	q := column % len(depthQuantities)
	isVariance := q == scoreVariance || q == tokenVariance
	isNearEnd := math.Abs(positions.Mean) > minEndLogit &&
		float64(positions.Mean*positions.Mean) > minEndZ2*positions.Variance()
	if isVariance || isNearEnd {
		const maxVariance = 100                                     // prevents overflow
		w := elementary.Exp(min(positions.Variance(), maxVariance)) // e^{s²}
		kurtosis := float64(w*w*w*w) + float64(2*w*w*w) + float64(3*w*w) - 3
		m.ErrorOfError = max(m.ErrorOfError, experiment.ErrorOfMeanError(kurtosis, n))
	}
	return m
}
