// Package inspect says what queries and keys that someone gives come to, such as those of one
// layer of a model: how large q·k is against d_k, what softmax makes of it under a scale, and
// whether that is within a tolerance. Every number of a variance has a standard error that
// respects that rows are shared: each query meets every key.
//
//   - measure.go measures one head of one text: variance.go its q·k, softmax.go the weights, by the
//     products of pack.go; autocorrelation.go says whether rows depend on their neighbours.
//   - summary.go joins heads and texts, with the errors of batchmeans.go. judge.go compares estimates
//     with a band, and mistakes.go says what a wrong variance looks like.
package inspect

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
)

// Vectors are the queries or the keys of one head.
type Vectors struct {
	Rows, Dimension int
	Data            []float64 // row by row
}

// Row returns a vector.
func (v Vectors) Row(i int) []float64 { return v.Data[i*v.Dimension : (i+1)*v.Dimension] }

// length returns |x| of a row.
func (v Vectors) length(i int) float64 { return math.Sqrt(elementary.SumOfSquares(v.Row(i))) }

// Moments are the moments of q·k in one head of one text, without a scale.
type Moments struct {
	Queries, Keys, Dimension int
	Mean, Variance           float64 // of q·k
	Spread                   float64 // the mean square about the mean
	Within                   float64 // the mean over queries of the variance within a row, over n
	QueryVariance            float64 // of components, over all vectors and components
	KeyVariance              float64
	QuerySquare, KeySquare   float64 // mean squares of components
	Square                   float64 // E (q·k)², over the mean squares of components
	Cosine                   float64 // of the mean query with the mean key, by mean lengths
	Same                     bool    // queries and keys are the same vectors

	// OfMeans is the variance over d_k of independent components with the means of these: only what one
	// side varies along the mean of the other counts.
	OfMeans float64

	alongMean               float64 // part of Within that the mean query gives, without what chance gives
	score, exponent, within terms   // of Variance, of the exponent p (see exponents), and of Within
	autocorrelation
}

// newMoments returns what each side shows by itself.
func newMoments(q, k *side) Moments {
	return Moments{Queries: q.Rows, Keys: k.Rows, Dimension: q.Dimension,
		QueryVariance: q.variance, KeyVariance: k.variance,
		QuerySquare: q.meanSquare(), KeySquare: k.meanSquare(), Same: isSame(q, k)}
}

// side is the queries or the keys, about their mean vector.
type side struct {
	Vectors
	mean           []float64 // the mean vector
	gram           []float64 // Σ x'x'ᵀ
	packed         Packed    // x'
	component      float64   // the mean of all components
	variance       float64   // of all components
	squares, cross []float64 // of a row: |x'|², and x'·(the other side's mean)
}

// newSide subtracts the mean vector.
func newSide(v Vectors) *side {
	d := v.Dimension
	s := &side{Vectors: Vectors{v.Rows, d, slices.Clone(v.Data)},
		mean: make([]float64, d), squares: make([]float64, v.Rows)}
	for i := range v.Rows {
		for c, x := range v.Row(i) {
			s.mean[c] += x
		}
	}
	for c := range s.mean {
		s.mean[c] /= float64(v.Rows)
		s.component += s.mean[c] / float64(d)
	}
	for _, x := range s.mean {
		s.variance += float64((x - s.component) * (x - s.component))
	}
	s.variance /= float64(d)
	for i := range v.Rows {
		row := s.Row(i)
		for c, m := range s.mean {
			row[c] -= m
		}
		s.squares[i] = elementary.SumOfSquares(row)
		s.variance += s.squares[i] / float64(v.Rows*d)
	}
	return s
}

// setCross sets what each row has along the other side's mean.
func (s *side) setCross(mean []float64) {
	s.cross = make([]float64, s.Rows)
	for i := range s.cross {
		s.cross[i] = elementary.Dot(s.Row(i), mean)
	}
}

// rowMeans returns, for each row of this side, the mean over the other side of t², with
// t = (q−q̄)·(k−k̄) + (q−q̄)·k̄ + q̄·(k−k̄); and without the last term, which is the same for all rows of
// this side. The mean vectors' part is in float64, so that a large one takes no digits away.
func (s *side) rowMeans(other *side) (all, own []float64) {
	along, whole := make([]float64, s.Dimension), elementary.SumOfSquares(other.cross)
	for j, b := range other.cross {
		for c, x := range other.Row(j) {
			along[c] += float64(b * x)
		}
	}
	all = s.packed.quadraticForms(other.gram)
	own = make([]float64, len(all))
	for i, x := range all {
		square := float64(s.cross[i] * s.cross[i])
		own[i] = x/float64(other.Rows) + square
		all[i] = (x+float64(2*elementary.Dot(s.Row(i), along))+whole)/float64(other.Rows) + square
	}
	return all, own
}

// squaredLength returns |x|² of a row, its mean vector included.
func (s *side) squaredLength(i int) float64 {
	return s.squares[i] + float64(2*elementary.Dot(s.Row(i), s.mean)) + elementary.SumOfSquares(s.mean)
}

// meanSquare returns the mean square of components.
func (s *side) meanSquare() float64 { return s.variance + float64(s.component*s.component) }

// relativeLength returns |x|² of a row over the mean.
func (s *side) relativeLength(i int) float64 {
	return s.squaredLength(i) / float64(s.meanSquare()*float64(s.Dimension))
}

// joint is both sides, with the mean squares of t, q·k less its mean over all pairs.
type joint struct {
	q, k       *side
	rows, cols []float64 // means over keys of t² of a query, and over queries of a key
	apart      []float64 // means over queries of (t − its mean over keys)² of a key
	meanSquare float64   // of t² over all pairs
}

// newJoint computes the mean squares.
func newJoint(q, k Vectors) *joint {
	j := &joint{q: newSide(q), k: newSide(k)}
	for _, s := range []*side{j.q, j.k} {
		s.gram, s.packed = gramOf(s.Vectors), s.Pack()
	}
	j.q.setCross(j.k.mean)
	j.k.setCross(j.q.mean)
	j.rows, _ = j.q.rowMeans(j.k)
	j.cols, j.apart = j.k.rowMeans(j.q)
	for _, x := range j.rows {
		j.meanSquare += x / float64(len(j.rows))
	}
	return j
}

// moments returns the moments of every query with every key. The variance is the U-statistic of degree
// (1, 1): the mean of t² less an unbiased estimate of (E t)², from pairs that share neither query nor
// key. The interaction is the mean square of what pairs add beyond their query and their key. If alone
// is false, the error comes from several parts, and there are no terms.
func (j *joint) moments(interaction float64, alone bool) Moments {
	m, n, d := float64(j.q.Rows), float64(j.k.Rows), float64(j.q.Dimension)
	out := newMoments(j.q, j.k)
	out.Mean, out.Spread = elementary.Dot(j.q.mean, j.k.mean), j.meanSquare
	all := float64(j.meanSquare * float64(m*n))
	queries, keys := elementary.SumOfSquares(j.q.cross), elementary.SumOfSquares(j.k.cross)
	apart := float64(n*n*queries) + float64(m*m*keys) - all // of (Σt)², which is 0
	out.Variance = max(0, j.meanSquare+apart/float64(float64(m*(m-1))*float64(n*(n-1))))
	if size := float64(d * d * out.QuerySquare * out.KeySquare); j.meanSquare < rounding*size { // constant
		out.Variance, out.Spread = 0, 0
		constant := newTerms(make([]float64, j.q.Rows), make([]float64, j.k.Rows), 0)
		out.score, out.exponent, out.within = constant, constant, constant
		return out
	}
	out.Within = j.meanSquare - queries/m
	out.alongMean = keys/float64(n*out.Within) - 3/m
	squares := float64(out.QuerySquare * out.KeySquare)
	square := out.Variance + float64(out.Mean*out.Mean)
	out.Square = square / squares
	out.Cosine = out.Mean / (d * math.Sqrt(squares))
	out.OfMeans = squares - float64(elementary.SumOfSquares(j.q.mean)/d*elementary.SumOfSquares(j.k.mean)/d)
	if !alone {
		return out
	}
	inside := make([]float64, j.q.Rows)
	for i, x := range j.rows {
		inside[i] = x - float64(j.q.cross[i]*j.q.cross[i])
	}
	out.score = newTerms(j.rows, j.cols, interaction)
	out.within = newTerms(inside, j.apart, interaction)
	base := square * exponentBase(j.q.Dimension)
	out.exponent = newTerms(j.q.toExponent(j.rows, out.Mean, square), j.k.toExponent(j.cols, out.Mean, square),
		interaction/float64(base*base))
	out.autocorrelation = j.q.autocorrelation(j.rows).larger(j.k.autocorrelation(j.cols))
	return out
}

// rounding is what is left of a mean square of q·k, over the largest that it can be, if nothing varies
// but the last digits.
const rounding = 1e-24

// exponentBase returns what the logarithm of a mean square of q·k is divided by for the exponent p.
func exponentBase(dimension int) float64 { return 2 * elementary.Log(float64(dimension)) }

// toExponent returns what rows add to p: a long row raises (q·k)² and components, so that only what
// is left counts. Over the other side the mean of (q·k)² is that of t², plus a part of the mean of all.
func (s *side) toExponent(squares []float64, mean, square float64) []float64 {
	rest := make([]float64, len(squares))
	for i, x := range squares {
		whole := x + float64(2*mean*s.cross[i])
		rest[i] = (whole/square - s.relativeLength(i)) / exponentBase(s.Dimension)
	}
	return rest
}

// pairedMoments returns the moments of each query with the key of its own row.
func pairedMoments(q, k Vectors) Moments {
	a, b := newSide(q), newSide(k)
	n, d := float64(q.Rows), float64(q.Dimension)
	out := newMoments(a, b)
	out.Within = math.NaN()
	scores := make([]float64, q.Rows)
	for i := range scores {
		scores[i] = elementary.Dot(q.Row(i), k.Row(i))
		out.Mean += scores[i] / n
	}
	out.Variance = variance(scores)
	squares, exponents := make([]float64, q.Rows), make([]float64, q.Rows)
	square := elementary.SumOfSquares(scores) / n
	for i, s := range scores {
		squares[i] = float64((s - out.Mean) * (s - out.Mean))
		exponents[i] = (float64(s*s)/square - a.relativeLength(i) - b.relativeLength(i)) / exponentBase(q.Dimension)
	}
	// Scores are no narrower than normal numbers: of a few pairs their own fourth moment says less.
	out.score = newTerms(squares, nil, 0)
	out.score.minVariance = float64(out.Variance*out.Variance) * 2 / (n - 1)
	out.exponent = newTerms(exponents, nil, 0)
	out.Spread = elementary.Sum(squares) / n
	out.Square = square / float64(out.QuerySquare*out.KeySquare)
	out.Cosine = out.Mean / (d * math.Sqrt(out.QuerySquare*out.KeySquare))
	out.autocorrelation = a.autocorrelation(squares).larger(b.autocorrelation(squares))
	return out
}

// isSame reports whether both sides have the same vectors.
func isSame(a, b *side) bool {
	return a.Rows == b.Rows && slices.Equal(a.Data, b.Data) &&
		elementary.SumOfSquares(a.mean) == elementary.SumOfSquares(b.mean)
}

// variance returns the unbiased variance; 0 of fewer than two numbers.
func variance(xs []float64) float64 {
	if len(xs) < 2 {
		return 0
	}
	return elementary.SumOfSquares(deviations(xs)) / float64(len(xs)-1)
}

// deviations returns numbers less their mean.
func deviations(xs []float64) []float64 {
	mean := elementary.Sum(xs) / float64(len(xs))
	apart := make([]float64, len(xs))
	for i, x := range xs {
		apart[i] = x - mean
	}
	return apart
}
