package inits

import (
	"math"

	"mcsim/sim/attention"
	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// stackLanes is one number for each of sixteen stacks.
type stackLanes = [kernel.Width]float32

// stacks is sixteen stacks, one in each lane, and the scratch of one worker. Token i of the stream
// is x[i·d : (i+1)·d], and the same holds for y, q and k. v[c·n : (c+1)·n] is component c of all
// tokens.
//
// The weights are sampled column by column, with entries of variance 1. The missing factors 1/√d
// of the four matrices are applied where they cost nothing: 1/d to the factor of the scores, 1/d
// to the softmax weights.
type stacks struct {
	architecture
	factor           float64 // ratio of a logit to the product of a sampled query and key
	sampleNormal     func(*stream.Lanes, [][kernel.Width]float32)
	x, y, q, k, v    []stackLanes
	column           []stackLanes // one column of a weight matrix
	products         []stackLanes // products of a column with all tokens
	scores           []stackLanes // scores of a query with all tokens
	alpha, unused    []stackLanes // weights of the scores
	ones             []stackLanes // width ones
	base, deviations []stackLanes // scratch of width components
	means            []layerMeans
}

// layerMeans has the mean over each stack of each quantity of a layer.
type layerMeans [len(depthQuantities)][kernel.Width]float64

// newStacks returns the scratch of a worker for stacks with the architecture.
func newStacks(a architecture) *stacks {
	n, d := a.tokens, a.width
	newVectors := func() []stackLanes { return make([]stackLanes, n*d) }
	s := &stacks{architecture: a, factor: a.scale() / float64(d), sampleNormal: kernel.Vectors(distribution.Normal),
		x: newVectors(), q: newVectors(), k: newVectors(), v: newVectors(),
		column: make([]stackLanes, d), products: make([]stackLanes, n), scores: make([]stackLanes, n),
		alpha: make([]stackLanes, n), unused: make([]stackLanes, n),
		ones: kernel.Ones(d), base: make([]stackLanes, d), deviations: make([]stackLanes, d),
		means: make([]layerMeans, a.layers)}
	s.y = s.x
	if a.norm {
		s.y = newVectors()
	}
	return s
}

// sample samples sixteen stacks and measures their layers: first the tokens, then for each layer
// W_Q, W_K, W_V and W_O. The output of the last layer is not measured, so its W_V and W_O are not
// sampled.
func (s *stacks) sample(lanes *stream.Lanes) {
	for i := range s.tokens {
		s.sampleNormal(lanes, s.x[i*s.width:(i+1)*s.width])
	}
	for layer := range s.means {
		means, last := &s.means[layer], layer == s.layers-1
		*means = layerMeans{}
		s.measureStream(means)
		s.normalise()
		s.projectColumns(lanes, s.y, func(c int) { s.storeComponent(c, s.q) })
		s.projectColumns(lanes, s.y, func(c int) { s.storeComponent(c, s.k) })
		if !last {
			s.projectColumns(lanes, s.y, func(c int) { copy(s.v[c*s.tokens:], s.products) })
		}
		s.attend(means, !last)
		if !last {
			s.projectColumns(lanes, s.q, s.storeOutput)
		}
	}
}

// projectColumns samples a weight matrix column by column, and multiplies each column with all
// tokens. After each column it calls useColumn, with the products in s.products.
func (s *stacks) projectColumns(lanes *stream.Lanes, tokens []stackLanes, useColumn func(column int)) {
	for c := range s.width {
		s.sampleNormal(lanes, s.column)
		clear(s.products)
		kernel.Dots(s.column, tokens, s.products)
		useColumn(c)
	}
}

// storeComponent stores the products as component c of the vectors of all tokens.
func (s *stacks) storeComponent(c int, vectors []stackLanes) {
	for i := range s.products {
		vectors[i*s.width+c] = s.products[i]
	}
}

// storeOutput stores the products as component c of the layer's output.
func (s *stacks) storeOutput(c int) {
	if !s.residual {
		s.storeComponent(c, s.x)
		return
	}
	for i := range s.products {
		component := &s.x[i*s.width+c]
		for lane, p := range s.products[i] {
			component[lane] += p
		}
	}
}

// measureStream measures the mean square of the stream's components, and the mean cosine of two
// different tokens. The cosines follow from the sum u of all tokens scaled to length 1: |u|² = n +
// Σ cos. A token of length 0 counts as orthogonal to all others.
func (s *stacks) measureStream(means *layerMeans) {
	sum := s.base
	clear(sum)
	for i := range s.tokens {
		token := s.x[i*s.width : (i+1)*s.width]
		var square, inverse [1]stackLanes
		kernel.Dots(token, token, square[:])
		for lane, x := range square[0] {
			means[tokenVariance][lane] += float64(x) / float64(s.tokens*s.width)
			inverse[0][lane] = inverseRoot(float64(x))
		}
		kernel.Blend(token, inverse[:], sum)
	}
	var square [1]stackLanes
	kernel.Dots(sum, sum, square[:])
	n := float64(s.tokens)
	for lane, x := range square[0] {
		means[tokenCosine][lane] = (float64(x) - n) / float64(n*(n-1))
	}
}

// inverseRoot returns 1/√x, and 0 for x = 0.
func inverseRoot(x float64) float32 {
	if x == 0 {
		return 0
	}
	return float32(1 / math.Sqrt(x))
}

// normalise writes the tokens to y, each with mean 0 and mean square 1. A token with equal
// components becomes 0.
func (s *stacks) normalise() {
	if !s.norm {
		return
	}
	for i := range s.tokens {
		token, normalised := s.x[i*s.width:(i+1)*s.width], s.y[i*s.width:(i+1)*s.width]
		var mean, square, inverse [1]stackLanes
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

// attend multiplies each query with all keys and measures the row of scores. If the layer has an
// output, it replaces the query with the sum of the values, weighted by softmax.
func (s *stacks) attend(means *layerMeans, hasOutput bool) {
	var peaks kernel.Peaks
	var sums kernel.RowSums
	var rows [kernel.Width]attention.Row
	for i := range s.tokens {
		query := s.q[i*s.width : (i+1)*s.width]
		clear(s.scores)
		kernel.Dots(query, s.k, s.scores)
		s.addScoreVariance(means)
		kernel.FindPeaks(s.scores, &peaks)
		kernel.SumRows(s.scores, &peaks, s.factor, &sums)
		attention.FillRows(&sums, s.tokens, &rows)
		for lane := range rows {
			means[relativeTrace][lane] += rows[lane].RelativeTrace() / float64(s.tokens)
			means[maxWeight][lane] += rows[lane].MaxWeight / float64(s.tokens)
		}
		if !hasOutput {
			continue
		}
		s.computeWeights(&peaks, &sums, &rows)
		clear(query)
		kernel.Dots(s.alpha, s.v, query)
	}
}

// addScoreVariance adds the unbiased variance of a row of scores over all keys, including the
// token itself, to the means. If scores have overflowed float32, it discards the layer of that
// stack.
func (s *stacks) addScoreVariance(means *layerMeans) {
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
	n := float64(s.tokens)
	scale := float64(s.factor*s.factor) / float64(n*(n-1))
	for lane := range squares {
		means[scoreVariance][lane] += float64(squares[lane] * scale)
		if math.IsNaN(squares[lane]) {
			s.discardLayer(means, lane)
		}
	}
}

// discardLayer sets all means of a layer of one stack to NaN, and its scores to 0.
func (s *stacks) discardLayer(seen *layerMeans, lane int) {
	for q := range seen {
		seen[q][lane] = math.NaN()
	}
	for j := range s.scores {
		s.scores[j][lane] = 0
	}
}

// computeWeights writes the softmax weights of the scores, divided by the width, to alpha: 1/Z for
// the largest score, and for the others the result of kernel.Weights, which is relative to the
// second largest, times Runner/Z (see package attention).
func (s *stacks) computeWeights(peaks *kernel.Peaks, sums *kernel.RowSums, rows *[kernel.Width]attention.Row) {
	kernel.Weights(s.scores, peaks, s.factor, s.alpha, s.unused)
	var others stackLanes
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
