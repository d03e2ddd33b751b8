// Package inspect measures given queries and keys, such as those of one layer of a model: the
// variance of q·k relative to d_k, the attention weights under a scale, and whether they are
// within a tolerance. Standard errors account for pairs that share a query or a key.
//
//   - measure.go measures one head of one text. variance.go computes the moments of q·k, and
//     softmax.go the statistics of weights; both use the products of pack.go. autocorrelation.go
//     tests whether rows depend on their neighbours.
//   - format.go measures rows in a number format.
//   - summary.go joins heads and texts; estimate.go has the results, and batchmeans.go the errors.
//     judge.go compares estimates with a band, and mistakes.go names the likeliest mistake.
//   - logsum.go estimates heads of which only log-sum-exps of rows are known.
package inspect

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
)

// Vectors holds the queries or the keys of one head.
type Vectors struct {
	Rows, Dimension int
	Data            []float64 // row by row
}

// Row returns row i, which shares its memory with Data.
func (v Vectors) Row(i int) []float64 { return v.Data[i*v.Dimension : (i+1)*v.Dimension] }

// length returns |x| of row i.
func (v Vectors) length(i int) float64 { return math.Sqrt(elementary.SumOfSquares(v.Row(i))) }

// Moments holds the moments of q·k in one head of one text, without a scale.
type Moments struct {
	Queries, Keys, Dimension   int
	Mean, Variance             float64 // mean and variance of q·k
	CentralSquare              float64 // mean square of q·k about its mean
	RowVariance                float64 // mean over queries of the variance of q·k over keys, with divisor n
	QueryVariance, KeyVariance float64 // variances over all vectors and components
	QuerySquare, KeySquare     float64 // mean squares of components
	RelativeSquare             float64 // E (q·k)² over the product of the mean squares of components
	MeanCosine                 float64 // q̄·k̄ over the product of the root mean square lengths
	SameVectors                bool    // queries and keys are equal

	// IndependentVariance is Var(q·k)/d_k for independent components with the same means and
	// variances.
	IndependentVariance float64

	// meanQueryProportion is the proportion of RowVariance due to the keys' components along the
	// mean query, in excess of the proportion that chance explains.
	meanQueryProportion                         float64
	scoreTerms, exponentTerms, rowVarianceTerms terms // terms of Variance, of the exponent p, and of RowVariance
	autocorrelation
}

// newMoments returns moments with only the fields that do not depend on products q·k.
func newMoments(q, k *side) Moments {
	return Moments{Queries: q.Rows, Keys: k.Rows, Dimension: q.Dimension,
		QueryVariance: q.variance, KeyVariance: k.variance,
		QuerySquare: q.meanSquare(), KeySquare: k.meanSquare(), SameVectors: haveSameVectors(q, k)}
}

// side holds the queries or the keys. Its Vectors are the centred rows x': rows minus their mean
// vector.
type side struct {
	Vectors
	mean                       []float64 // mean vector
	gram                       []float64 // Σ x'x'ᵀ, a matrix of d_k × d_k
	packed                     Packed    // the centred rows
	grandMean                  float64   // mean of all components
	variance                   float64   // of all components
	squaredLengths, crossTerms []float64 // for each row: |x'|², and x'·(the other side's mean)
}

// newSide centres vectors. It does not set the fields gram, packed and crossTerms.
func newSide(v Vectors) *side {
	d := v.Dimension
	s := &side{Vectors: Vectors{v.Rows, d, slices.Clone(v.Data)},
		mean: make([]float64, d), squaredLengths: make([]float64, v.Rows)}
	for i := range v.Rows {
		for c, x := range v.Row(i) {
			s.mean[c] += x
		}
	}
	for c := range s.mean {
		s.mean[c] /= float64(v.Rows)
		s.grandMean += s.mean[c] / float64(d)
	}
	for _, x := range s.mean {
		s.variance += float64((x - s.grandMean) * (x - s.grandMean))
	}
	s.variance /= float64(d)
	for i := range v.Rows {
		row := s.Row(i)
		for c, m := range s.mean {
			row[c] -= m
		}
		s.squaredLengths[i] = elementary.SumOfSquares(row)
		s.variance += s.squaredLengths[i] / float64(v.Rows*d)
	}
	return s
}

// setCrossTerms sets x'·(the other side's mean) for each row x'.
func (s *side) setCrossTerms(otherMean []float64) {
	s.crossTerms = make([]float64, s.Rows)
	for i := range s.crossTerms {
		s.crossTerms[i] = elementary.Dot(s.Row(i), otherMean)
	}
}

// computeRowSquares returns two mean squares for each row x of this side, over the rows y of the
// other side. squares has the mean of t² for t = (x−x̄)·(y−ȳ) + (x−x̄)·ȳ + x̄·(y−ȳ), which is x·y
// minus its mean. ownSquares has the mean square without the last term of t, which does not depend
// on x. The terms with mean vectors are in float64, so that a large mean does not reduce the
// precision.
func (s *side) computeRowSquares(other *side) (squares, ownSquares []float64) {
	crossSum, crossSquares := make([]float64, s.Dimension), elementary.SumOfSquares(other.crossTerms)
	for j, b := range other.crossTerms {
		for c, x := range other.Row(j) {
			crossSum[c] += float64(b * x)
		}
	}
	squares = s.packed.quadraticForms(other.gram)
	ownSquares = make([]float64, len(squares))
	for i, x := range squares {
		square := float64(s.crossTerms[i] * s.crossTerms[i])
		ownSquares[i] = x/float64(other.Rows) + square
		squares[i] = (x+float64(2*elementary.Dot(s.Row(i), crossSum))+crossSquares)/float64(other.Rows) + square
	}
	return squares, ownSquares
}

// squaredLength returns |x|² of row i before it was centred.
func (s *side) squaredLength(i int) float64 {
	return s.squaredLengths[i] + float64(2*elementary.Dot(s.Row(i), s.mean)) + elementary.SumOfSquares(s.mean)
}

// meanSquare returns the mean square of components.
func (s *side) meanSquare() float64 { return s.variance + float64(s.grandMean*s.grandMean) }

// relativeSquaredLength returns |x|² of row i divided by the mean of |x|² over all rows.
func (s *side) relativeSquaredLength(i int) float64 {
	return s.squaredLength(i) / float64(s.meanSquare()*float64(s.Dimension))
}

// joint holds both sides and mean squares of t = q·k minus its mean over all pairs.
type joint struct {
	q, k                     *side
	querySquares, keySquares []float64 // mean of t² over keys for each query, and over queries for each key
	ownKeySquares            []float64 // for each key: mean over queries of (t minus the query's mean of t)²
	meanSquare               float64   // mean of t² over all pairs
}

// newJoint centres queries and keys and computes the mean squares of t.
func newJoint(q, k Vectors) *joint {
	j := &joint{q: newSide(q), k: newSide(k)}
	for _, s := range []*side{j.q, j.k} {
		s.gram, s.packed = newGram(s.Vectors), s.Pack()
	}
	j.q.setCrossTerms(j.k.mean)
	j.k.setCrossTerms(j.q.mean)
	j.querySquares, _ = j.q.computeRowSquares(j.k)
	j.keySquares, j.ownKeySquares = j.k.computeRowSquares(j.q)
	for _, x := range j.querySquares {
		j.meanSquare += x / float64(len(j.querySquares))
	}
	return j
}

// newMoments returns the moments of q·k over all pairs of a query and a key. The variance is the
// U-statistic of degree (1, 1): the mean of t² minus an unbiased estimate of (E t)², the mean of
// t·t' over two pairs without a common query or key. interaction is the mean square of the
// interaction of pairs (see squaredInteraction). Terms are needed, and computed, only if withTerms
// is set: if errors do not come from the scatter between several texts.
func (j *joint) newMoments(interaction float64, withTerms bool) Moments {
	m, n, d := float64(j.q.Rows), float64(j.k.Rows), float64(j.q.Dimension)
	moments := newMoments(j.q, j.k)
	moments.Mean, moments.CentralSquare = elementary.Dot(j.q.mean, j.k.mean), j.meanSquare
	total := float64(j.meanSquare * float64(m*n))
	queries, keys := elementary.SumOfSquares(j.q.crossTerms), elementary.SumOfSquares(j.k.crossTerms)
	// The sum of t·t' over all two pairs is 0, since Σt is 0. correction is minus its part from two
	// pairs without a common query or key, and so the sum from two pairs with one.
	correction := float64(n*n*queries) + float64(m*m*keys) - total
	moments.Variance = max(0, j.meanSquare+correction/float64(float64(m*(m-1))*float64(n*(n-1))))
	// If q·k is constant except for rounding errors, all terms are 0.
	if size := float64(d * d * moments.QuerySquare * moments.KeySquare); j.meanSquare < maxRounding*size {
		moments.Variance, moments.CentralSquare = 0, 0
		constant := newTerms(make([]float64, j.q.Rows), make([]float64, j.k.Rows), 0)
		moments.scoreTerms, moments.exponentTerms, moments.rowVarianceTerms = constant, constant, constant
		return moments
	}
	moments.RowVariance = j.meanSquare - queries/m
	moments.meanQueryProportion = keys/float64(n*moments.RowVariance) - 3/m
	squares := float64(moments.QuerySquare * moments.KeySquare)
	square := moments.Variance + float64(moments.Mean*moments.Mean)
	moments.RelativeSquare = square / squares
	moments.MeanCosine = moments.Mean / (d * math.Sqrt(squares))
	queryMeans, keyMeans := elementary.SumOfSquares(j.q.mean), elementary.SumOfSquares(j.k.mean)
	moments.IndependentVariance = squares - float64(queryMeans/d*keyMeans/d)
	if !withTerms {
		return moments
	}
	rowVariances := make([]float64, j.q.Rows)
	for i, x := range j.querySquares {
		rowVariances[i] = x - float64(j.q.crossTerms[i]*j.q.crossTerms[i])
	}
	moments.scoreTerms = newTerms(j.querySquares, j.keySquares, interaction)
	moments.rowVarianceTerms = newTerms(rowVariances, j.ownKeySquares, interaction)
	base := square * exponentBase(j.q.Dimension)
	moments.exponentTerms = newTerms(j.q.computeExponentTerms(j.querySquares, moments.Mean, square),
		j.k.computeExponentTerms(j.keySquares, moments.Mean, square),
		interaction/float64(base*base))
	moments.autocorrelation = j.q.measureAutocorrelation(j.querySquares).
		combine(j.k.measureAutocorrelation(j.keySquares))
	return moments
}

// maxRounding bounds the mean square of q·k about its mean that rounding errors alone can cause. It
// is relative to the largest possible mean square of q·k.
const maxRounding = 1e-24

// exponentBase returns the divisor that converts the logarithm of a mean square of q·k to the
// exponent p.
func exponentBase(dimension int) float64 { return 2 * elementary.Log(float64(dimension)) }

// computeExponentTerms returns the contribution of each row of this side to the exponent p. squares
// has the row's mean of t²; mean is the mean of q·k, and square its mean square. A long row
// increases both (q·k)² and the mean square of components, so only the difference of both
// increases counts.
func (s *side) computeExponentTerms(squares []float64, mean, square float64) []float64 {
	contributions := make([]float64, len(squares))
	for i, x := range squares {
		scoreSquare := x + float64(2*mean*s.crossTerms[i])
		contributions[i] = (scoreSquare/square - s.relativeSquaredLength(i)) / exponentBase(s.Dimension)
	}
	return contributions
}

// pairedMoments returns the moments of each query with the key of the same row.
func pairedMoments(q, k Vectors) Moments {
	a, b := newSide(q), newSide(k)
	n, d := float64(q.Rows), float64(q.Dimension)
	moments := newMoments(a, b)
	moments.RowVariance = math.NaN()
	scores := make([]float64, q.Rows)
	for i := range scores {
		scores[i] = elementary.Dot(q.Row(i), k.Row(i))
		moments.Mean += scores[i] / n
	}
	moments.Variance = variance(scores)
	squares, exponents := make([]float64, q.Rows), make([]float64, q.Rows)
	square := elementary.SumOfSquares(scores) / n
	for i, s := range scores {
		squares[i] = float64((s - moments.Mean) * (s - moments.Mean))
		exponents[i] = (float64(s*s)/square - a.relativeSquaredLength(i) - b.relativeSquaredLength(i)) /
			exponentBase(q.Dimension)
	}
	// The error is at least that of normal scores: a product has a larger kurtosis than a normal
	// number, and the fourth moment of a few pairs is not reliable.
	moments.scoreTerms = newTerms(squares, nil, 0)
	moments.scoreTerms.minVariance = float64(moments.Variance*moments.Variance) * 2 / (n - 1)
	moments.exponentTerms = newTerms(exponents, nil, 0)
	moments.CentralSquare = elementary.Sum(squares) / n
	moments.RelativeSquare = square / float64(moments.QuerySquare*moments.KeySquare)
	moments.MeanCosine = moments.Mean / (d * math.Sqrt(moments.QuerySquare*moments.KeySquare))
	moments.autocorrelation = a.measureAutocorrelation(squares).combine(b.measureAutocorrelation(squares))
	return moments
}

// haveSameVectors reports whether both sides have the same vectors.
func haveSameVectors(a, b *side) bool {
	return a.Rows == b.Rows && slices.Equal(a.Data, b.Data) &&
		elementary.SumOfSquares(a.mean) == elementary.SumOfSquares(b.mean)
}

// variance returns the unbiased variance, 0 for fewer than two numbers.
func variance(xs []float64) float64 {
	if len(xs) < 2 {
		return 0
	}
	return elementary.SumOfSquares(deviations(xs)) / float64(len(xs)-1)
}

// deviations returns the numbers minus their mean.
func deviations(xs []float64) []float64 {
	mean := elementary.Sum(xs) / float64(len(xs))
	centred := make([]float64, len(xs))
	for i, x := range xs {
		centred[i] = x - mean
	}
	return centred
}
