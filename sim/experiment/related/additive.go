package related

import (
	"math"

	"mcsim/sim/attention/rule"
	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
)

// pairsPerWeights is the number of pairs whose logits are computed with one set of weights.
const pairsPerWeights = 8

// additiveSampler samples logits wᵀtanh(W_q q + W_k k), with a set of weights in each lane. With
// d_a hidden units, the entries of W_q and W_k are uniform with variance 2/(d_k + d_a), and the
// entries of w are uniform with variance 2/(d_a + 1), as Glorot and Bengio propose.
type additiveSampler struct {
	d, hidden     int // d_k, and the number d_a of hidden units
	sampleVectors func(*stream.Lanes, [][kernel.Width]float32)
	sampleUniform func(*stream.Lanes, [][kernel.Width]float32)
	q, k          [][kernel.Width]float32                // vectors of all pairs
	outputWeights [][kernel.Width]float32                // w
	unitWeights   [][kernel.Width]float32                // one row of W_q or W_k
	unitSums      [pairsPerWeights][kernel.Width]float32 // input of a hidden unit for each pair

	// standard deviations of the entries of W_q and W_k, and of w
	hiddenSD, outputSD float64
}

// newAdditiveSampler returns a sampler for an additive rule. Each worker needs its own.
func newAdditiveSampler(c experiment.Cell, r rule.Rule) *additiveSampler {
	d := c.Dimension()
	a := &additiveSampler{d: d, hidden: r.HiddenUnits(d), sampleVectors: kernel.Vectors(c.Distribution()),
		sampleUniform: kernel.Vectors(distribution.Uniform)}
	newVectors := func(n int) [][kernel.Width]float32 { return make([][kernel.Width]float32, n) }
	a.q, a.k = newVectors(pairsPerWeights*d), newVectors(pairsPerWeights*d)
	a.outputWeights, a.unitWeights = newVectors(a.hidden), newVectors(d)
	a.hiddenSD, a.outputSD = math.Sqrt(2/float64(d+a.hidden)), math.Sqrt(2/float64(a.hidden+1))
	return a
}

// additiveCost returns the cost of a set of weights in each lane, in sampled components per lane.
func additiveCost(d, hidden float64) float64 {
	vectorComponents := float64(2 * pairsPerWeights * d)
	const unitCost = 3  // cost of a hidden unit per dimension: two sampled weights, and their products
	const tanhCost = 20 // cost of the activation of a hidden unit for a pair
	return vectorComponents + float64(hidden*(float64(unitCost*d)+tanhCost*pairsPerWeights))
}

// sample samples a set of weights with its pairs in each lane and returns the mean squares of their
// logits.
func (a *additiveSampler) sample(lanes *stream.Lanes) (meanSquare [kernel.Width]float64) {
	for first := 0; first < len(a.q); first += a.d {
		a.sampleVectors(lanes, a.q[first:first+a.d])
		a.sampleVectors(lanes, a.k[first:first+a.d])
	}
	a.sampleUniform(lanes, a.outputWeights)
	var logits [pairsPerWeights][kernel.Width]float64
	for unit := range a.outputWeights {
		a.sampleUnit(lanes)
		for i := range logits {
			for lane := range logits[i] {
				activation := elementary.Tanh(float64(a.hiddenSD * float64(a.unitSums[i][lane])))
				logits[i][lane] += float64(float64(a.outputWeights[unit][lane]) * activation)
			}
		}
	}
	for i := range logits {
		for lane, x := range logits[i] {
			meanSquare[lane] += float64(float64(float64(a.outputSD*a.outputSD)*float64(x*x)) / pairsPerWeights)
		}
	}
	return meanSquare
}

// sampleUnit samples the weights of a hidden unit and computes unitSums, without the factor
// hiddenSD.
func (a *additiveSampler) sampleUnit(lanes *stream.Lanes) {
	clear(a.unitSums[:])
	for _, vectors := range [][][kernel.Width]float32{a.q, a.k} {
		a.sampleUniform(lanes, a.unitWeights)
		kernel.Dots(a.unitWeights, vectors, a.unitSums[:])
	}
}
