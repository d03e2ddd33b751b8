// Package inspect measures given queries and keys, such as those of one layer of a model: the
// variance of q·k relative to d_k, the attention weights under a scale, and whether they are
// within a tolerance. Standard errors account for pairs that share a query or a key.
//
//   - measure.go measures one head of one text: variance.go q·k, softmax.go the weights, both with
//     the products of pack.go; autocorrelation.go tests whether rows depend on their neighbours.
//   - summary.go joins heads and texts, with the errors of batchmeans.go. judge.go compares estimates
//     with a band, and mistakes.go names the likeliest mistake.
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

// length returns |x| of a row.
func (v Vectors) length(i int) float64 { return math.Sqrt(elementary.SumOfSquares(v.Row(i))) }

// Moments holds the moments of q·k in one head of one text, without a scale.
type Moments struct {
	Queries, Keys, Dimension int
	Mean, Variance           float64 // of q·k
	CentralSquare            float64 // mean square about the mean
	RowVariance              float64 // mean over queries of the variance of a row, with divisor n
	QueryVariance            float64 // variance over all vectors and components
	KeyVariance              float64
	QuerySquare, KeySquare   float64 // mean squares of components
	RelativeSquare           float64 // E (q·k)² over the mean squares of components
	MeanCosine               float64 // q̄·k̄ over root mean square lengths
	SameVectors              bool    // queries and keys are equal

	// IndependentVariance is Var(q·k)/d_k for independent components with the same means and
	// variances.
	IndependentVariance float64

	meanQueryProportion                         float64 // of RowVariance, in excess of chance
	scoreTerms, exponentTerms, rowVarianceTerms terms   // of Variance, of the exponent p, and of RowVariance
	autocorrelation
}

// newMoments returns the moments of each side alone.
func newMoments(q, k *side) Moments {
	return Moments{Queries: q.Rows, Keys: k.Rows, Dimension: q.Dimension,
		QueryVariance: q.variance, KeyVariance: k.variance,
		QuerySquare: q.meanSquare(), KeySquare: k.meanSquare(), SameVectors: haveSameVectors(q, k)}
}

// side holds the queries or the keys, centred about their mean vector.
type side struct {
	Vectors
	mean                       []float64 // mean vector
	gram                       []float64 // Σ x'x'ᵀ
	packed                     Packed    // x'
	grandMean                  float64   // mean of all components
	variance                   float64   // of all components
	squaredLengths, crossTerms []float64 // for each row: |x'|², and x'·(the other side's mean)
}

// newSide subtracts the mean vector.
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

// computeRowSquares returns, for each row of this side, the mean over the other side of t² with t
// = (q−q̄)·(k−k̄) + (q−q̄)·k̄ + q̄·(k−k̄), and the same without the last term, which is equal for
// all rows of this side. The terms with mean vectors are in float64, so that a large mean does not
// reduce the precision.
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

// squaredLength returns |x|² of a row, including the mean vector.
func (s *side) squaredLength(i int) float64 {
	return s.squaredLengths[i] + float64(2*elementary.Dot(s.Row(i), s.mean)) + elementary.SumOfSquares(s.mean)
}

// meanSquare returns the mean square of components.
func (s *side) meanSquare() float64 { return s.variance + float64(s.grandMean*s.grandMean) }

// relativeLength returns |x|² of a row divided by its mean.
func (s *side) relativeLength(i int) float64 {
	return s.squaredLength(i) / float64(s.meanSquare()*float64(s.Dimension))
}

// joint holds both sides and mean squares of t = q·k minus its mean over all pairs.
type joint struct {
	q, k                     *side
	querySquares, keySquares []float64 // mean of t² over keys for each query, and over queries for each key
	ownKeySquares            []float64 // mean over queries of (t − its mean over keys)² for each key
	meanSquare               float64   // mean of t² over all pairs
}

// newJoint computes the mean squares.
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

// newMoments returns the moments of every query with every key. The variance is the U-statistic of
// degree (1, 1): the mean of t² minus an unbiased estimate of (E t)² from pairs that share neither
// query nor key. interaction is the mean square of what pairs contribute in addition to their
// query and their key. Without withTerms, errors come from several texts, and no terms are
// computed.
func (j *joint) newMoments(interaction float64, withTerms bool) Moments {
	m, n, d := float64(j.q.Rows), float64(j.k.Rows), float64(j.q.Dimension)
	moments := newMoments(j.q, j.k)
	moments.Mean, moments.CentralSquare = elementary.Dot(j.q.mean, j.k.mean), j.meanSquare
	total := float64(j.meanSquare * float64(m*n))
	queries, keys := elementary.SumOfSquares(j.q.crossTerms), elementary.SumOfSquares(j.k.crossTerms)
	// correction is minus the sum of t·t' over pairs that share neither query nor key, since Σt is 0.
	correction := float64(n*n*queries) + float64(m*m*keys) - total
	moments.Variance = max(0, j.meanSquare+correction/float64(float64(m*(m-1))*float64(n*(n-1))))
	// q·k is constant except for rounding errors.
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

// maxRounding bounds the mean square of q·k, relative to its largest possible value, if only
// rounding errors vary.
const maxRounding = 1e-24

// exponentBase returns the divisor that converts the logarithm of a mean square of q·k to the
// exponent p.
func exponentBase(dimension int) float64 { return 2 * elementary.Log(float64(dimension)) }

// computeExponentTerms returns the contribution of each row to p. A long row increases both (q·k)²
// and the mean square of components, so only the difference counts.
func (s *side) computeExponentTerms(squares []float64, mean, square float64) []float64 {
	contributions := make([]float64, len(squares))
	for i, x := range squares {
		scoreSquare := x + float64(2*mean*s.crossTerms[i])
		contributions[i] = (scoreSquare/square - s.relativeLength(i)) / exponentBase(s.Dimension)
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
		exponents[i] = (float64(s*s)/square - a.relativeLength(i) - b.relativeLength(i)) / exponentBase(q.Dimension)
	}
	// Scores have at least the kurtosis of normal numbers; the fourth moment of a few pairs is less
	// reliable.
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
