package inits

import (
	"math"

	"mcsim/sim/attention"
	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// perStack is one number of each of sixteen stacks.
type perStack = [kernel.Width]float32

// stacks is sixteen stacks side by side, one in each lane, and the scratch of
// one worker. Token i of the stream is x[i·d : (i+1)·d], and so with y, q and k;
// v holds component c of all tokens in v[c·n : (c+1)·n].
//
// The weights are drawn column by column and with entries of variance 1. What
// that leaves out, 1/√d for each of the four matrices, is put back where it
// costs nothing: 1/d into the factor of the scores, 1/d into the weights of
// the softmax.
type stacks struct {
	architecture
	factor           float64 // a logit over the product of a drawn query and key
	normal           func(*stream.Lanes, [][kernel.Width]float32)
	x, y, q, k, v    []perStack
	column           []perStack // of a weight matrix
	products         []perStack // of a column with all tokens
	scores           []perStack // of a query with all tokens
	alpha, unused    []perStack // the weights of the scores
	ones             []perStack // as long as a token, and so are base and deviations
	base, deviations []perStack
	seen             []layerMeans
}

// layerMeans is what a layer saw: the mean over each stack of each quantity.
type layerMeans [len(depthQuantities)][kernel.Width]float64

// newStacks returns the scratch of a worker for stacks of that architecture.
func newStacks(w architecture) *stacks {
	n, d := w.tokens, w.width
	vectors := func() []perStack { return make([]perStack, n*d) }
	s := &stacks{architecture: w, factor: w.scale() / float64(d), normal: kernel.Vectors(distribution.Normal),
		x: vectors(), q: vectors(), k: vectors(), v: vectors(),
		column: make([]perStack, d), products: make([]perStack, n), scores: make([]perStack, n),
		alpha: make([]perStack, n), unused: make([]perStack, n),
		ones: kernel.Ones(d), base: make([]perStack, d), deviations: make([]perStack, d),
		seen: make([]layerMeans, w.layers)}
	s.y = s.x
	if w.norm {
		s.y = vectors()
	}
	return s
}

// draw draws sixteen stacks and writes what their layers saw: tokens first,
// then for each layer W_Q, W_K, W_V and W_O. What the last layer puts out is
// not looked at, so that its W_V and W_O are not drawn.
func (s *stacks) draw(lanes *stream.Lanes) {
	for i := range s.tokens {
		s.normal(lanes, s.x[i*s.width:(i+1)*s.width])
	}
	for layer := range s.seen {
		seen, last := &s.seen[layer], layer == s.layers-1
		*seen = layerMeans{}
		s.measureStream(seen)
		s.normalise()
		s.project(lanes, s.y, func(c int) { s.scatter(c, s.q) })
		s.project(lanes, s.y, func(c int) { s.scatter(c, s.k) })
		if !last {
			s.project(lanes, s.y, func(c int) { copy(s.v[c*s.tokens:], s.products) })
		}
		s.attend(seen, !last)
		if !last {
			s.project(lanes, s.q, s.output)
		}
	}
}

// project draws a weight matrix and takes its columns with all tokens of in;
// after each column it calls put, with the results in products.
func (s *stacks) project(lanes *stream.Lanes, in []perStack, put func(column int)) {
	for c := range s.width {
		s.normal(lanes, s.column)
		clear(s.products)
		kernel.Dots(s.column, in, s.products)
		put(c)
	}
}

// scatter makes products component c of the tokens of to.
func (s *stacks) scatter(c int, vectors []perStack) {
	for i := range s.products {
		vectors[i*s.width+c] = s.products[i]
	}
}

// output makes products component c of what a layer puts out.
func (s *stacks) output(c int) {
	if !s.residual {
		s.scatter(c, s.x)
		return
	}
	for i := range s.products {
		component := &s.x[i*s.width+c]
		for lane, p := range s.products[i] {
			component[lane] += p
		}
	}
}

// measureStream measures the stream: the mean square of its components, and the mean
// cosine of two different tokens, of which the sum u of all tokens scaled to
// length 1 tells the sum: |u|² = n + Σ cos. A token of length 0 has no angle
// and counts as at right angles to all.
func (s *stacks) measureStream(seen *layerMeans) {
	sum := s.base
	clear(sum)
	for i := range s.tokens {
		token := s.x[i*s.width : (i+1)*s.width]
		var square, inverse [1]perStack
		kernel.Dots(token, token, square[:])
		for lane, x := range square[0] {
			seen[tokenVariance][lane] += float64(x) / float64(s.tokens*s.width)
			inverse[0][lane] = inverseRoot(float64(x))
		}
		kernel.Blend(token, inverse[:], sum)
	}
	var square [1]perStack
	kernel.Dots(sum, sum, square[:])
	n := float64(s.tokens)
	for lane, x := range square[0] {
		seen[tokenCosine][lane] = (float64(x) - n) / float64(n*(n-1))
	}
}

// inverseRoot is 1/√x, and 0 for 0.
func inverseRoot(x float64) float32 {
	if x == 0 {
		return 0
	}
	return float32(1 / math.Sqrt(x))
}

// normalise writes the tokens, each of mean 0 and mean square 1, to y. One
// whose components are all equal becomes 0.
func (s *stacks) normalise() {
	if !s.norm {
		return
	}
	for i := range s.tokens {
		token, normalised := s.x[i*s.width:(i+1)*s.width], s.y[i*s.width:(i+1)*s.width]
		var mean, square, inverse [1]perStack
		kernel.Dots(s.ones, token, mean[:])
		for lane := range mean[0] {
			mean[0][lane] /= float32(s.width)
		}
		for t := range s.base {
			s.base[t] = mean[0]
		}
		kernel.Differences(token, s.base, s.deviations, square[:])
		for lane, x := range square[0] {
			inverse[0][lane] = inverseRoot(float64(x) / float64(s.width))
		}
		clear(normalised)
		kernel.Blend(s.deviations, inverse[:], normalised)
	}
}

// attend takes each query with all keys, measures the row of scores, and if
// something is put out writes the sum of values by the weights over the query.
func (s *stacks) attend(seen *layerMeans, mixes bool) {
	var peaks kernel.Peaks
	var sums kernel.RowSums
	var rows [kernel.Width]attention.Row
	for i := range s.tokens {
		query := s.q[i*s.width : (i+1)*s.width]
		clear(s.scores)
		kernel.Dots(query, s.k, s.scores)
		s.addScoreVariance(seen)
		kernel.FindPeaks(s.scores, &peaks)
		kernel.SumRows(s.scores, &peaks, s.factor, &sums)
		attention.FillRows(&sums, s.tokens, &rows)
		for lane := range rows {
			seen[relativeTrace][lane] += rows[lane].RelativeTrace() / float64(s.tokens)
			seen[maxWeight][lane] += rows[lane].MaxWeight / float64(s.tokens)
		}
		if !mixes {
			continue
		}
		s.weights(&peaks, &sums, &rows)
		clear(query)
		kernel.Dots(s.alpha, s.v, query)
	}
}

// addScoreVariance adds the variance of a row of scores to what a layer saw: the unbiased
// one over all keys, the token itself among them. Where scores have left the
// range of float32 nothing is known of the layer, and they become 0.
func (s *stacks) addScoreVariance(seen *layerMeans) {
	var mean, squares [kernel.Width]float64
	for j := range s.scores {
		for lane, x := range s.scores[j] {
			mean[lane] += float64(x) / float64(s.tokens)
		}
	}
	for j := range s.scores {
		for lane, x := range s.scores[j] {
			deviation := float64(x) - mean[lane]
			squares[lane] += float64(deviation * deviation)
		}
	}
	rows := float64(s.tokens)
	scale := float64(s.factor*s.factor) / float64(rows*(rows-1))
	for lane := range squares {
		seen[scoreVariance][lane] += float64(squares[lane] * scale)
		if math.IsNaN(squares[lane]) {
			s.discard(seen, lane)
		}
	}
}

// discard gives up what a layer saw of a stack.
func (s *stacks) discard(seen *layerMeans, lane int) {
	for q := range seen {
		seen[q][lane] = math.NaN()
	}
	for j := range s.scores {
		s.scores[j][lane] = 0
	}
}

// weights writes the softmax weights of the scores to alpha, over the width: 1/Z
// for the greatest, and for the others what kernel.Weights gives in relation to
// the runner-up, times Runner/Z (see package attention).
func (s *stacks) weights(peaks *kernel.Peaks, sums *kernel.RowSums, rows *[kernel.Width]attention.Row) {
	kernel.Weights(s.scores, peaks, s.factor, s.alpha, s.unused)
	var others perStack
	for lane := range others {
		others[lane] = float32(float64(sums.Runner[lane]*rows[lane].MaxWeight) / float64(s.width))
	}
	for j := range s.alpha {
		a := &s.alpha[j]
		for lane := range a {
			a[lane] = float32(a[lane] * others[lane])
		}
	}
	for lane := range rows {
		s.alpha[peaks.Index[lane]][lane] = float32(rows[lane].MaxWeight / float64(s.width))
	}
}
