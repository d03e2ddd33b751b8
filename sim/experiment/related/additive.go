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

// additivePairs is how many pairs share a set of weights.
const additivePairs = 8

// additiveLogits draws logits wᵀtanh(W_q q + W_k k), a set of weights in each
// lane. The entries of W_q and W_k are uniform of variance 2/(d_k + d_a), those
// of w uniform of variance 2/(d_a + 1), as Glorot and Bengio have it.
type additiveLogits struct {
	d, hidden    int
	vectors      func(*stream.Lanes, [][kernel.Width]float32)
	uniform      func(*stream.Lanes, [][kernel.Width]float32)
	q, k         [][kernel.Width]float32 // of all pairs
	last         [][kernel.Width]float32 // w
	row          [][kernel.Width]float32 // of W_q or W_k
	sums         [additivePairs][kernel.Width]float32
	inner, outer float64 // standard deviations of weights
}

// newAdditive returns the scratch of a worker for an additive rule.
func newAdditive(c experiment.Cell, r rule.Rule) *additiveLogits {
	d := c.Dimension()
	a := &additiveLogits{d: d, hidden: r.HiddenUnits(d), vectors: kernel.Vectors(c.Distribution()),
		uniform: kernel.Vectors(distribution.Uniform)}
	rows := func(n int) [][kernel.Width]float32 { return make([][kernel.Width]float32, n) }
	a.q, a.k, a.last, a.row = rows(additivePairs*d), rows(additivePairs*d), rows(a.hidden), rows(d)
	a.inner, a.outer = math.Sqrt(2/float64(d+a.hidden)), math.Sqrt(2/float64(a.hidden+1))
	return a
}

// additiveCost returns what sixteen sets of weights cost a lane, in drawn components.
func additiveCost(d, hidden float64) float64 {
	pairs := float64(2 * additivePairs * d)
	return pairs + float64(hidden*(float64(3*d)+20*additivePairs))
}

// draw returns the mean square of the logits of each set of weights.
func (a *additiveLogits) draw(lanes *stream.Lanes) (square [kernel.Width]float64) {
	for first := 0; first < len(a.q); first += a.d {
		a.vectors(lanes, a.q[first:first+a.d])
		a.vectors(lanes, a.k[first:first+a.d])
	}
	a.uniform(lanes, a.last)
	var logit [additivePairs][kernel.Width]float64
	for unit := range a.last {
		a.unit(lanes)
		for i := range logit {
			for lane := range logit[i] {
				t := elementary.Tanh(float64(a.inner * float64(a.sums[i][lane])))
				logit[i][lane] += float64(float64(a.last[unit][lane]) * t)
			}
		}
	}
	for i := range logit {
		for lane, x := range logit[i] {
			square[lane] += float64(float64(float64(a.outer*a.outer)*float64(x*x)) / additivePairs)
		}
	}
	return square
}

// unit draws the weights of a hidden unit and writes its sums for all pairs.
func (a *additiveLogits) unit(lanes *stream.Lanes) {
	clear(a.sums[:])
	for _, of := range [][][kernel.Width]float32{a.q, a.k} {
		a.uniform(lanes, a.row)
		kernel.Dots(a.row, of, a.sums[:])
	}
}
