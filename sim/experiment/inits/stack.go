package inits

import (
	"math"

	"mcsim/sim/attention"
	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// stackLanes has one number of each of sixteen stacks.
type stackLanes = [kernel.Width]float32

// stacks has sixteen stacks of n tokens of width d, one in each lane, and the scratch of a worker.
// Token i of the stream is x[i·d : (i+1)·d]; y, q and k have the same layout. Component c of the
// values of all tokens is v[c·n : (c+1)·n].
//
// The weights are sampled column by column, with entries of variance 1 in place of 1/d. The missing
// factors 1/√d of the four matrices are applied where they cost nothing: the factor of the scores
// is divided by d (for W_Q and W_K), and the softmax weights are divided by d (for W_V and W_O).
type stacks struct {
	architecture
	factor           float64 // logit/product of a sampled query and key
	sampleNormal     func(*stream.Lanes, [][kernel.Width]float32)
	x, y, q, k, v    []stackLanes
	column           []stackLanes // one column of a weight matrix
	products         []stackLanes // products of a column with all tokens
	scores           []stackLanes // scores of a query with all tokens
	alpha, unused    []stackLanes // softmax weights of the scores; results of kernel.Weights that are not used
	ones             []stackLanes // d numbers 1
	base, deviations []stackLanes // scratch of d components
	means            []layerMeans // of each layer
}

// layerMeans has the mean over each stack of each quantity of a layer.
type layerMeans [len(depthQuantities)][kernel.Width]float64

// newStacks returns the scratch of a worker for stacks with the architecture.
func newStacks(a architecture) *stacks {
	n, d := a.tokens, a.width
	newVectors := func() []stackLanes { return make([]stackLanes, n*d) }
	s := &stacks{
		architecture: a,
		factor:       a.scale() / float64(d),
		sampleNormal: kernel.Vectors(distribution.Normal),
		x:            newVectors(),
		q:            newVectors(),
		k:            newVectors(),
		v:            newVectors(),
		column:       make([]stackLanes, d),
		products:     make([]stackLanes, n),
		scores:       make([]stackLanes, n),
		alpha:        make([]stackLanes, n),
		unused:       make([]stackLanes, n),
		ones:         kernel.Ones(d),
		base:         make([]stackLanes, d),
		deviations:   make([]stackLanes, d),
		means:        make([]layerMeans, a.layers),
	}
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
		means, isLast := &s.means[layer], layer == s.layers-1
		*means = layerMeans{}
		s.measureStream(means)
		s.normalise()
		s.projectColumns(lanes, s.y, func(c int) { s.storeComponent(c, s.q) })
		s.projectColumns(lanes, s.y, func(c int) { s.storeComponent(c, s.k) })
		if !isLast {
			s.projectColumns(lanes, s.y, func(c int) { copy(s.v[c*s.tokens:], s.products) })
		}
		s.attend(means, !isLast)
		if !isLast {
			s.projectColumns(lanes, s.q, s.storeOutput)
		}
	}
}

// projectColumns samples a weight matrix column by column, and multiplies each column by all
// tokens. After each column it calls useColumn, which finds the products in s.products.
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

// storeOutput stores the products as component c of the output of the layer, or adds them to the
// stream if there is a residual.
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

// measureStream measures the mean square of the components of the stream, and the mean cosine of
// two different tokens. The cosines follow from the sum u of all n tokens scaled to length 1:
// |u|² = n + Σ cos. A token of length 0 is treated as orthogonal to all others.
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

// inverseRoot returns 1/√x, or 0 if x is 0.
func inverseRoot(x float64) float32 {
	if x == 0 {
		return 0
	}
	return float32(1 / math.Sqrt(x))
}

// normalise writes the tokens to y, each shifted and scaled to mean 0 and mean square 1. A token
// with equal components becomes 0. Without a norm, y is x and nothing changes.
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

// attend multiplies each query by all keys and measures the row of scores. If hasOutput is true, it
// replaces the query by the sum of the values, weighted by softmax.
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

// addScoreVariance adds the unbiased variance of a row of scores over all keys, including the token
// itself, to the means. If the scores of a stack have overflowed float32, it discards the layer of
// this stack.
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

// discardLayer sets all means of a layer of the stack in a lane to NaN, and its scores to 0.
func (s *stacks) discardLayer(means *layerMeans, lane int) {
	for q := range means {
		means[q][lane] = math.NaN()
	}
	for j := range s.scores {
		s.scores[j][lane] = 0
	}
}

// computeWeights writes the softmax weights of the scores, divided by the width, to alpha. The
// weight of the largest score is 1/Z. The other weights are the results of kernel.Weights, which
// are relative to the second largest, times Runner/Z (see package attention).
func (s *stacks) computeWeights(peaks *kernel.Peaks, sums *kernel.RowSums, rows *[kernel.Width]attention.Row) {
	kernel.Weights(s.scores, peaks, s.factor, s.alpha, s.unused)
	var runnerWeight stackLanes
	for lane := range runnerWeight {
		runnerWeight[lane] = float32(float64(sums.Runner[lane]*rows[lane].MaxWeight) / float64(s.width))
	}
	for j := range s.alpha {
		a := &s.alpha[j]
		for lane := range a {
			a[lane] = float32(a[lane] * runnerWeight[lane])
		}
	}
	for lane := range rows {
		s.alpha[peaks.Index[lane]][lane] = float32(rows[lane].MaxWeight / float64(s.width))
	}
}
