package inits

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
)

// drawStacks draws sixteen stacks a block; each adds one number to every column and
// histogram.
func drawStacks(c experiment.Cell, pilot moments.Node) (rows.Collector, func(*experiment.BlockStream)) {
	s := newStacks(architectureOf(c))
	t := &stackTally{rows.NewNumbers(s.layers*len(depthQuantities), pilot), s.architecture}
	return t, func(d *experiment.BlockStream) {
		s.draw(&d.Lanes)
		for layer := range s.seen {
			for q := range s.seen[layer] {
				for _, x := range s.seen[layer][q] {
					t.Add(depthColumn(layer, q), x, depthQuantities[q].place(x))
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

// Node returns the node of the numbers. That of a pilot says too which layers are resolved, and has
// behind the moments of the numbers those of their places, which tell how well means will know
// their errors.
func (t *stackTally) Node(more bool) moments.Node {
	n := t.Numbers.Node(more)
	places, _ := t.PilotPositions()
	if places == nil {
		return n
	}
	for layer := range t.layers {
		n.Counts = append(n.Counts, t.resolved(places, layer))
	}
	for _, all := range places {
		n.Moments = append(n.Moments,
			moments.New(slices.DeleteFunc(slices.Clone(all), func(at float64) bool { return math.IsInf(at, 0) }), 2))
	}
	return n
}

// resolved is 1 if in nineteen of twenty stacks of a pilot the scores of a layer differ by
// more than the rounding of float32, as maxAlike says, and else 0: their quantiles would
// be those of rounding.
func (w architecture) resolved(places [][]float64, layer int) int64 {
	scores, tokens := places[depthColumn(layer, scoreVariance)], places[depthColumn(layer, tokenVariance)]
	var alike int
	for i, at := range scores {
		if w.alike(elementary.Exp(at), elementary.Exp(tokens[i])) {
			alike++
		}
	}
	if 20*alike > len(scores) {
		return 0
	}
	return 1
}

// atAnEnd is how far from the middle of its scale a share is as a rule where it counts as
// near 0 or 1: e³ is 20. It must also be more than √3 of its standard deviations there, or
// the pilot sees stacks enough that are not.
const atAnEnd = 3

// meanOf returns what the pilot says of the mean of n numbers of a column. A variance grows or
// shrinks by a factor in every layer, as does what a cosine or a share lacks of 1 once it
// is near, and so these are nearly log-normal; a pilot seldom sees the stacks that make most
// of such a mean, but it knows the spread s of the logarithm, and with it the kurtosis
// e^{4s²} + 2e^{3s²} + 3e^{2s²} − 3 of such a distribution.
func meanOf(pilot moments.Node, column int, n int64) experiment.PilotMean {
	m := experiment.NewPilotMean(pilot.Moments[column], n)
	places := pilot.Moments[len(pilot.Moments)/2+column]
	q := column % len(depthQuantities)
	nearEnd := math.Abs(places.Mean) > atAnEnd && float64(places.Mean*places.Mean) > 3*places.Variance()
	if q == scoreVariance || q == tokenVariance || nearEnd {
		w := elementary.Exp(min(places.Variance(), 100))
		kurtosis := float64(w*w*w*w) + float64(2*w*w*w) + float64(3*w*w) - 3
		m.ErrorOfError = max(m.ErrorOfError, experiment.ErrorOfMeanError(kurtosis, n))
	}
	return m
}
