// Package inspect says what queries and keys that someone gives come to, such as those of one
// layer of a model: how large q·k is against d_k, what softmax makes of it under a scale, and
// whether that is within a tolerance. Every number of a variance has a standard error that
// respects that rows are shared: each query meets every key.
package inspect

import (
	"fmt"
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/statistics/theory"
)

// Vectors are the queries or the keys of one head: rows of so many components.
type Vectors struct {
	Rows, Dimension int
	Data            []float64 // row by row
}

// Row is a vector.
func (v Vectors) Row(i int) []float64 { return v.Data[i*v.Dimension : (i+1)*v.Dimension] }

// Moments are what q·k of one head of one text shows, without a scale.
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

	// OfMeans is the variance over d_k of independent components with the means of these: what one
	// side varies along the mean of the other counts.
	OfMeans float64

	alongMean               float64 // part of Within that the mean query gives, without what chance gives
	score, exponent, within terms   // of Variance, of the exponent p (see exponents), and of Within

	likeness // of neighbouring rows
}

// side is one of the two: queries or keys, about their mean vector.
type side struct {
	Vectors
	mean           []float64 // the mean vector
	gram           []float64 // Σ x'x'ᵀ
	about          packed    // x'
	component      float64   // the mean of all components
	variance       float64   // of all components
	squares, cross []float64 // of a row: |x'|², and x'·(the other side's mean)
}

// sideOf takes the mean off the vectors.
func sideOf(v Vectors) *side {
	d := v.Dimension
	s := &side{Vectors: Vectors{v.Rows, d, slices.Clone(v.Data)}, mean: make([]float64, d), squares: make([]float64, v.Rows)}
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
		row, square := s.Row(i), 0.0
		for c, m := range s.mean[:len(row)] {
			x := row[c] - m
			row[c] = x
			square += float64(x * x)
		}
		s.squares[i] = square
		s.variance += square / float64(v.Rows*d)
	}
	return s
}

// against adds what a row has along the other side's mean.
func (s *side) against(mean []float64) {
	s.cross = make([]float64, s.Rows)
	for i := range s.cross {
		s.cross[i] = Dot(s.Row(i), mean)
	}
}

// every are the means over the other side of t², t = (q−q̄)·(k−k̄) + (q−q̄)·k̄ + q̄·(k−k̄), for
// each row of this side: of a query t = q·(k−k̄) + (q−q̄)·k̄. What its mean vector gives is in
// float64, so that a large one takes no digits away.
// Apart is without what is the same for all rows of this side.
func (s *side) every(other *side) (all, apart []float64) {
	along, whole := make([]float64, s.Dimension), SumOfSquares(other.cross)
	for j, b := range other.cross {
		for c, x := range other.Row(j) {
			along[c] += float64(b * x)
		}
	}
	all = s.about.forms(other.gram)
	apart = make([]float64, len(all))
	for i, x := range all {
		square := float64(s.cross[i] * s.cross[i])
		apart[i] = x/float64(other.Rows) + square
		all[i] = (x+float64(2*Dot(s.Row(i), along))+whole)/float64(other.Rows) + square
	}
	return all, apart
}

// joint is both sides, with the mean squares of their rows.
type joint struct {
	q, k       *side
	rows, cols []float64 // means over keys of t² of a query, and over queries of a key
	apart      []float64 // means over queries of (t − its mean over keys)² of a key
	mean       float64   // of t² over all pairs
}

// jointOf puts queries and keys together.
func jointOf(q, k Vectors) *joint {
	j := &joint{q: sideOf(q), k: sideOf(k)}
	for _, s := range []*side{j.q, j.k} {
		s.gram, s.about = gramOf(s.Vectors), pack(s.Rows, s.Dimension, s.Row)
	}
	j.q.against(j.k.mean)
	j.k.against(j.q.mean)
	j.rows, _ = j.q.every(j.k)
	j.cols, j.apart = j.k.every(j.q)
	for _, x := range j.rows {
		j.mean += x / float64(len(j.rows))
	}
	return j
}

// moments are those of every query with every key. Let t be q·k less its mean over all pairs.
// The estimate is the U-statistic of degree (1, 1): the mean of t² less an unbiased estimate of
// (E t)², from pairs that share neither query nor key. What pairs add beyond their query and their
// key is the mean square of those of some queries. A part of several texts has no terms.
func (j *joint) moments(interaction float64, alone bool) Moments {
	m, n, d := float64(j.q.Rows), float64(j.k.Rows), float64(j.q.Dimension)
	out := Moments{Queries: j.q.Rows, Keys: j.k.Rows, Dimension: j.q.Dimension, Mean: Dot(j.q.mean, j.k.mean),
		QueryVariance: j.q.variance, KeyVariance: j.k.variance, Spread: j.mean, Same: same(j.q, j.k),
		QuerySquare: j.q.meanSquare(), KeySquare: j.k.meanSquare()}
	all := float64(j.mean * float64(m*n))
	apart := float64(n*n*SumOfSquares(j.q.cross)) + float64(m*m*SumOfSquares(j.k.cross)) - all // of (Σt)², which is 0
	out.Variance = max(0, j.mean+apart/float64(float64(m*(m-1))*float64(n*(n-1))))
	if size := float64(d * d * j.q.meanSquare() * j.k.meanSquare()); j.mean < rounding*size { // constant
		out.Variance, out.Spread = 0, 0
		constant := termsOf(make([]float64, j.q.Rows), make([]float64, j.k.Rows), 0)
		out.score, out.exponent, out.within = constant, constant, constant
		return out
	}
	out.Within = j.mean - SumOfSquares(j.q.cross)/m
	out.alongMean = SumOfSquares(j.k.cross)/float64(n*out.Within) - 3/m
	square := out.Variance + float64(out.Mean*out.Mean)
	out.Square = square / float64(j.q.meanSquare()*j.k.meanSquare())
	out.Cosine = out.Mean / (d * math.Sqrt(j.q.meanSquare()*j.k.meanSquare()))
	out.OfMeans = float64(j.q.meanSquare()*j.k.meanSquare()) - float64(SumOfSquares(j.q.mean)/d*SumOfSquares(j.k.mean)/d)
	if !alone {
		return out
	}
	inside := make([]float64, j.q.Rows)
	for i, x := range j.rows {
		inside[i] = x - float64(j.q.cross[i]*j.q.cross[i])
	}
	out.score = termsOf(j.rows, j.cols, interaction)
	out.within = termsOf(inside, j.apart, interaction)
	base := square * exponentBase(j.q.Dimension)
	out.exponent = termsOf(j.q.toExponent(j.rows, out.Mean, square), j.k.toExponent(j.cols, out.Mean, square),
		interaction/float64(base*base))
	out.likeness = j.q.neighbours(j.rows).or(j.k.neighbours(j.cols))
	return out
}

// rounding is what is left of a mean square of q·k, over the largest that it can be, where nothing
// varies but the last digits.
const rounding = 1e-24

// exponentBase is what the logarithm of a mean square of q·k is divided by for the exponent p.
func exponentBase(dimension int) float64 { return 2 * elementary.Log(float64(dimension)) }

// toExponent returns what rows add to p: a long row raises (q·k)² and components, so that only what
// is left counts. Over the other side the mean of (q·k)² is that of t², and what the mean of all
// adds to it.
func (s *side) toExponent(squares []float64, mean, square float64) []float64 {
	rest := make([]float64, len(squares))
	for i, x := range squares {
		whole := x + float64(2*mean*s.cross[i])
		left := whole/square - s.length(i)/float64(s.meanSquare()*float64(s.Dimension))
		rest[i] = left / exponentBase(s.Dimension)
	}
	return rest
}

// length is |x|² of a row, its mean vector included.
func (s *side) length(i int) float64 {
	return s.squares[i] + float64(2*Dot(s.Row(i), s.mean)) + SumOfSquares(s.mean)
}

// meanSquare is that of components.
func (s *side) meanSquare() float64 { return s.variance + float64(s.component*s.component) }

// pairedMoments are those of each query with the key of its own row.
func pairedMoments(q, k Vectors) Moments {
	a, b := sideOf(q), sideOf(k)
	n := float64(q.Rows)
	out := Moments{Queries: q.Rows, Keys: k.Rows, Dimension: q.Dimension,
		QueryVariance: a.variance, KeyVariance: b.variance, Within: math.NaN(), Same: same(a, b),
		QuerySquare: a.meanSquare(), KeySquare: b.meanSquare()}
	scores := make([]float64, q.Rows)
	for i := range scores {
		scores[i] = Dot(q.Row(i), k.Row(i))
		out.Mean += scores[i] / n
	}
	squares, exponents := make([]float64, q.Rows), make([]float64, q.Rows)
	out.Variance = variance(scores)
	square, d := SumOfSquares(scores)/n, float64(q.Dimension)
	for i, s := range scores {
		squares[i] = float64((s - out.Mean) * (s - out.Mean))
		left := float64(s*s)/square - a.length(i)/float64(a.meanSquare()*d) - b.length(i)/float64(b.meanSquare()*d)
		exponents[i] = left / exponentBase(q.Dimension)
	}
	// Scores are no narrower than normal numbers: of a few pairs their own fourth moment says less.
	out.score = termsOf(squares, nil, 0)
	out.score.least = float64(out.Variance*out.Variance) * 2 / (n - 1)
	out.Spread = Sum(squares) / n
	out.Square = square / float64(a.meanSquare()*b.meanSquare())
	out.exponent = termsOf(exponents, nil, 0)
	out.likeness = a.neighbours(squares).or(b.neighbours(squares))
	out.Cosine = out.Mean / (d * math.Sqrt(a.meanSquare()*b.meanSquare()))
	return out
}

// maxDistance is up to how many rows apart neighbours are, and places how many means of neighbours
// are compared with 0: of queries and of keys, of directions and of what rows add.
const (
	maxDistance = 4
	places      = 4 * 7 // of distances
)

// distances are those at which rows are compared. The large ones see a weak memory that is long.
var distances = [...]int{1, 2, 3, maxDistance, 8, 16, 32}

// likeness is how alike rows are to those up to maxDistance after them.
type likeness struct {
	alike        float64 // the most, a Student variable if rows are independent
	alikeFreedom float64 // its degrees of freedom
	near         float64 // correlation of what a row and the next one add, 0 if it is not clear
}

// or returns the greater of both.
func (l likeness) or(o likeness) likeness {
	near := max(l.near, o.near)
	if o.alike > l.alike {
		l = o
	}
	l.near = near
	return l
}

// neighbours returns how alike rows are: by the directions of vectors about their mean, and by how
// often what two rows add is on the same side of the median. What rows add mostly has the memory of
// directions, which is known better. Too few rows are not alike.
func (s *side) neighbours(adds []float64) likeness {
	if s.Rows < 3*maxDistance {
		return likeness{}
	}
	if rows := float64(s.Rows); s.repeats() {
		return likeness{rows, rows, 1 - 1/rows}
	}
	signs := Vectors{s.Rows, 1, slices.Clone(adds)}
	middle := median(adds)
	for i, x := range adds {
		signs.Data[i] = x - middle
	}
	// Squares of products of normal numbers with the correlation c have the correlation c², and so
	// many signs of normal numbers agree.
	directions := s.likeness(0, func(c float64) float64 { return c * c })
	errors := 0.0
	if directions.near > 0 {
		errors = 2
	}
	return directions.or(signs.likeness(errors, func(c float64) float64 {
		sin, _ := elementary.Sincos(c * math.Pi / 2)
		return sin
	}))
}

// repeats reports whether there are few different rows among many.
func (s *side) repeats() bool {
	const minDistinct = 2 * minBatches
	seen := map[string]bool{}
	for i := range s.Rows {
		if seen[fmt.Sprint(s.Row(i))] = true; len(seen) == minDistinct {
			return false
		}
	}
	return s.Rows >= 2*minDistinct
}

// likeness returns that by the mean cosines of vectors with those 1 to maxDistance after them, less
// the mean cosine of all pairs, over the standard errors of about 1024 of them. What rows add at a
// distance has the correlation that a mean cosine, less some errors, stands for, and falls as a
// power with it.
func (v Vectors) likeness(errors float64, correlation func(cosine float64) float64) (l likeness) {
	directions, whole, count := Vectors{v.Rows, v.Dimension, slices.Clone(v.Data)}, make([]float64, v.Dimension), 0.0
	for i := range v.Rows {
		row := directions.Row(i)
		if length := math.Sqrt(SumOfSquares(row)); length > 0 {
			count++
			for c := range row {
				row[c] /= length
				whole[c] += row[c]
			}
		}
	}
	mean := (SumOfSquares(whole) - count) / max(1, float64(count*(count-1)))
	for _, distance := range distances {
		if v.Rows < 3*distance {
			break
		}
		var cosines []float64
		for i := 0; i+distance < v.Rows; i += 1 + v.Rows/1024 {
			cosines = append(cosines, Dot(directions.Row(i), directions.Row(i+distance))-mean)
		}
		// Of few components all cosines may be the same by chance: half of what independent ones scatter.
		n, least := float64(len(cosines)), 0.5/float64(v.Dimension)
		cosine, se := Sum(cosines)/n, math.Sqrt(max(variance(cosines), least)/n)
		of := likeness{cosine / se, n - 1, 0}
		if of.alike > theory.StudentQuantile(falseAlarm/places, n-1) && cosine > errors*se {
			of.near = elementary.Pow(min(1-1/n, correlation(cosine-float64(errors*se))), 1/float64(distance))
		}
		l = l.or(of)
	}
	return l
}

// same reports whether both sides have the same vectors.
func same(a, b *side) bool {
	if a.Rows != b.Rows {
		return false
	}
	for i, x := range a.Data {
		if x != b.Data[i] {
			return false
		}
	}
	return SumOfSquares(a.mean) == SumOfSquares(b.mean)
}

func Dot(x, y []float64) (sum float64) {
	y = y[:len(x)]
	for i, a := range x {
		sum += float64(a * y[i])
	}
	return sum
}

func Sum(xs []float64) (sum float64) {
	for _, x := range xs {
		sum += x
	}
	return sum
}

func SumOfSquares(xs []float64) (sum float64) {
	for _, x := range xs {
		sum += float64(x * x)
	}
	return sum
}

// variance is unbiased; of fewer than two numbers 0.
func variance(xs []float64) float64 {
	if len(xs) < 2 {
		return 0
	}
	return SumOfSquares(deviations(xs)) / float64(len(xs)-1)
}

// deviations returns numbers less their mean.
func deviations(xs []float64) []float64 {
	mean := Sum(xs) / float64(len(xs))
	apart := make([]float64, len(xs))
	for i, x := range xs {
		apart[i] = x - mean
	}
	return apart
}
