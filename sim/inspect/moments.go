// Package inspect says what queries and keys that someone gives come to, such as those of one
// layer of a model: how large q·k is against d_k, what softmax makes of it under a scale, and
// whether that is within a tolerance. Every number of a variance has a standard error that
// respects that rows are shared: each query meets every key.
package inspect

import (
	"math"
	"slices"

	"mcsim/sim/elementary"
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
	Error                    float64 // the standard error of the variance
	Freedom                  float64 // its degrees of freedom, after Satterthwaite
	Within                   float64 // the mean over queries of the variance within a row, over n
	QueryVariance            float64 // of components, over all vectors and components
	KeyVariance              float64
	Square                   float64 // E (q·k)², over the mean squares of components
	Relative                 float64 // the standard error of its logarithm
	Cosine                   float64 // of the mean query with the mean key, by mean lengths
	Same                     bool    // queries and keys are the same vectors

	// OfMeans is the variance over d_k of independent components with the means of these: what one
	// side varies along the mean of the other counts.
	OfMeans float64

	rows, cols []float64    // what each query, and each key, adds to the variance; of pairs rows alone
	near       []neighbours // rows of queries, and of keys, with those after them
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
func (s *side) every(other *side) []float64 {
	along, whole := make([]float64, s.Dimension), SumOfSquares(other.cross)
	for j, b := range other.cross {
		for c, x := range other.Row(j) {
			along[c] += float64(b * x)
		}
	}
	all := s.about.forms(other.gram)
	for i := range all {
		all[i] = (all[i]+float64(2*Dot(s.Row(i), along))+whole)/float64(other.Rows) + float64(s.cross[i]*s.cross[i])
	}
	return all
}

// joint is both sides, with the mean squares of their rows.
type joint struct {
	q, k       *side
	rows, cols []float64 // means over keys of t² of a query, and over queries of a key
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
	j.rows, j.cols = j.q.every(j.k), j.k.every(j.q)
	for _, x := range j.rows {
		j.mean += x / float64(len(j.rows))
	}
	return j
}

// moments are those of every query with every key. Let t be q·k less its mean over all pairs.
// The estimate is the U-statistic of degree (1, 1): the mean of t² less an unbiased estimate of
// (E t)², from pairs that share neither query nor key. Its variance is that of a mean over a
// two-way layout with random rows and columns: (MS_q + MS_k − MS_qk)/(mn), with MS_qk from the
// pairs of some queries; the expectation of the last is the least, so that the sum is no less
// than the greater of the first two.
func (j *joint) moments(interaction float64) Moments {
	m, n, d := float64(j.q.Rows), float64(j.k.Rows), float64(j.q.Dimension)
	out := Moments{Queries: j.q.Rows, Keys: j.k.Rows, Dimension: j.q.Dimension, Mean: Dot(j.q.mean, j.k.mean),
		QueryVariance: j.q.variance, KeyVariance: j.k.variance}
	out.Spread, out.rows, out.cols = j.mean, j.rows, j.cols
	all := float64(j.mean * float64(m*n))
	apart := float64(n*n*SumOfSquares(j.q.cross)) + float64(m*m*SumOfSquares(j.k.cross)) - all // of (Σt)², which is 0
	out.Variance = max(0, j.mean+apart/float64(float64(m*(m-1))*float64(n*(n-1))))
	if size := float64(d * d * j.q.meanSquare() * j.k.meanSquare()); j.mean < rounding*size { // constant
		return Moments{Queries: j.q.Rows, Keys: j.k.Rows, Dimension: j.q.Dimension, Mean: out.Mean,
			QueryVariance: out.QueryVariance, KeyVariance: out.KeyVariance, Freedom: 1, Same: same(j.q, j.k),
			rows: make([]float64, j.q.Rows), cols: make([]float64, j.k.Rows)}
	}
	queries, keys := float64(n*variance(j.rows)), float64(m*variance(j.cols))
	sum := layout(queries, keys, interaction)
	out.Error = math.Sqrt(sum / float64(m*n))
	out.Freedom = float64(sum*sum) / (float64(queries*queries)/(m-1) + float64(keys*keys)/(n-1))
	out.Within = j.mean - SumOfSquares(j.q.cross)/m
	square := out.Variance + float64(out.Mean*out.Mean)
	out.Square = square / float64(j.q.meanSquare()*j.k.meanSquare())
	out.Relative = math.Sqrt(
		layout(n*relative(j.rows, j.q, out.Mean, square), m*relative(j.cols, j.k, out.Mean, square),
			interaction/float64(square*square)) / float64(m*n),
	)
	out.Cosine = out.Mean / (d * math.Sqrt(j.q.meanSquare()*j.k.meanSquare()))
	out.Same, out.near = same(j.q, j.k), append(j.q.neighbours(), j.k.neighbours()...)
	out.OfMeans = float64(j.q.meanSquare()*j.k.meanSquare()) - float64(SumOfSquares(j.q.mean)/d*SumOfSquares(j.k.mean)/d)
	if d == 1 {
		out.Relative = math.NaN()
	}
	return out
}

// rounding is what is left of a mean square of q·k, over the largest that it can be, where nothing
// varies but the last digits.
const rounding = 1e-24

// layout is the sum of mean squares that the variance of a mean over a two-way layout has.
func layout(queries, keys, interaction float64) float64 {
	return max(float64(queries)+float64(keys)-float64(interaction), queries, keys)
}

// relative is the variance over rows of what one adds to the logarithm of Square: a long row
// raises (q·k)² and components, so that only what is left counts. Over the other side the mean of
// (q·k)² is that of t², and what the mean of all adds to it.
func relative(squares []float64, s *side, mean, square float64) float64 {
	rest := make([]float64, len(squares))
	for i, x := range squares {
		whole := x + float64(2*mean*s.cross[i])
		rest[i] = whole/square - s.length(i)/float64(s.meanSquare()*float64(s.Dimension))
	}
	return variance(rest)
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
		QueryVariance: a.variance, KeyVariance: b.variance, Freedom: n - 1, Within: math.NaN(),
		Same: same(a, b), near: append(a.neighbours(), b.neighbours()...)}
	scores := make([]float64, q.Rows)
	for i := range scores {
		scores[i] = Dot(q.Row(i), k.Row(i))
		out.Mean += scores[i] / n
	}
	squares, lengths := make([]float64, q.Rows), make([]float64, q.Rows)
	out.Variance = variance(scores)
	square, d := SumOfSquares(scores)/n, float64(q.Dimension)
	for i, s := range scores {
		squares[i] = float64((s - out.Mean) * (s - out.Mean))
		lengths[i] = float64(s*s)/square - a.length(i)/float64(a.meanSquare()*d) - b.length(i)/float64(b.meanSquare()*d)
	}
	// Scores are no narrower than normal numbers: of a few pairs their own fourth moment says less.
	least := float64(out.Variance*out.Variance) * 2 / (n - 1)
	out.Error = math.Sqrt(max(variance(squares)/n, least))
	out.Spread, out.rows = Sum(squares)/n, squares
	out.Square = square / float64(a.meanSquare()*b.meanSquare())
	out.Relative = math.Sqrt(variance(lengths) / n)
	out.Cosine = out.Mean / (d * math.Sqrt(a.meanSquare()*b.meanSquare()))
	return out
}

// neighbours are cosines of rows, about the mean vector, with those some rows after them, less the
// mean cosine of all pairs.
type neighbours []float64

// maxDistance is up to how many rows apart neighbours are.
const maxDistance = 4

// neighbours are those of about 1024 rows at every distance; too few rows have none.
func (s *side) neighbours() []neighbours {
	all := make([]neighbours, maxDistance)
	if s.Rows < 3*maxDistance {
		return all
	}
	directions, whole, count := slices.Clone(s.Data), make([]float64, s.Dimension), 0.0
	for i := range s.Rows {
		row := directions[i*s.Dimension : (i+1)*s.Dimension]
		if s.squares[i] > 0 {
			count++
			for c := range row {
				row[c] /= math.Sqrt(s.squares[i])
				whole[c] += row[c]
			}
		}
	}
	mean := (SumOfSquares(whole) - count) / max(1, float64(count*(count-1)))
	v := Vectors{s.Rows, s.Dimension, directions}
	for distance := range maxDistance {
		for i := 0; i+distance+1 < s.Rows; i += 1 + s.Rows/1024 {
			all[distance] = append(all[distance], Dot(v.Row(i), v.Row(i+distance+1))-mean)
		}
	}
	return all
}

// alike is how many standard errors the mean of cosines is above 0.
func (n neighbours) alike() float64 {
	if len(n) < 2 {
		return 0
	}
	return Sum(n) / math.Sqrt(float64(len(n))) / max(math.Sqrt(variance(n)), tiny)
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

// exponent is p of E (q·k)² = v_q·v_k·d_k^{2p}, v being mean squares of components, with its
// standard error: 1/2 where components are independent and of mean 0, 1 where all vectors have
// one direction.
func (m Moments) exponent() (p, se float64) {
	base := 2 * elementary.Log(float64(m.Dimension))
	return elementary.Log(m.Square) / base, m.Relative / base
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
func variance(xs []float64) float64 { return covariance(xs, xs) }

// covariance is that of two numbers each.
func covariance(xs, ys []float64) (sum float64) {
	if len(xs) < 2 {
		return 0
	}
	n := float64(len(xs))
	x, y := Sum(xs)/n, Sum(ys)/n
	for i := range xs {
		sum += float64((xs[i] - x) * (ys[i] - y))
	}
	return sum / (n - 1)
}
