package inspect

import (
	"math"
	"slices"

	"mcsim/sim/result"
)

// minBlocks is how many blocks an error between blocks rests on at least.
const minBlocks = 8

// Summarise joins the parts of texts and heads: all heads of the first text, then of the next.
//
// The variance of a head is that over all pairs of its texts: of several texts the mean square
// about the mean of all, so that what a text adds to all its scores counts. From eight texts on
// its standard error is that of the block bootstrap over texts, without the noise of resampling:
// of a mean it is the scatter between blocks over the root of their number. Fewer texts have too
// little to scatter; there the errors within the parts are joined.
//
// Of one text, heads are the blocks. They see the same tokens, so that what these have in common
// is added to the scatter between heads (see shared).
func Summarise(parts []Part, heads int, o Options) Summary {
	texts := len(parts) / heads
	first := parts[0]
	s := Summary{Dimension: first.Dimension, Queries: first.Queries, Keys: first.Keys, Texts: texts, HeadCount: heads,
		Paired: o.Paired, Scale: result.Number(o.Scale), length: o.Length}
	whole, blocks := 0.0, make([]float64, texts)
	for h := range heads {
		var of []Part
		for t := range texts {
			of = append(of, parts[t*heads+h])
		}
		value, each := total(of)
		s.Heads = append(s.Heads, Head{Head: h, Numbers: numbersOf(of, withError(value, each, of, 1), o)})
		whole += value / float64(heads)
		for t, x := range each {
			blocks[t] += x / float64(heads)
		}
	}
	if texts == 1 {
		s.All, s.Blocks = numbersOf(parts, overHeads(whole, parts), o), heads
	} else {
		s.All, s.Blocks = numbersOf(parts, withError(whole, blocks, parts, heads), o), texts
	}
	if s.Blocks < minBlocks {
		s.Blocks = 0
	}
	if texts < minBlocks {
		s.alike = alike(parts, heads)
	}
	if s.Alike() {
		s.forgetErrors()
	}
	s.Dependence = s.dependence()
	s.same = !slices.ContainsFunc(parts, func(p Part) bool { return !p.Same })
	return s
}

// alike is by how many standard errors neighbouring rows are more alike than others, at the
// distance and the side where they are most. Heads of a text see the same tokens, so that a row
// counts by its mean over heads.
func alike(parts []Part, heads int) (most float64) {
	sums := make([]float64, 2*maxDistance)
	for text := range slices.Chunk(parts, heads) {
		for i := range sums {
			var mean neighbours
			for _, p := range text {
				if len(p.near) != len(sums) || mean != nil && len(p.near[i]) != len(mean) {
					continue // of other rows, or of none
				}
				if mean == nil {
					mean = make(neighbours, len(p.near[i]))
				}
				for row, x := range p.near[i] {
					mean[row] += x
				}
			}
			sums[i] += mean.alike() / math.Sqrt(float64(len(parts)/heads))
		}
	}
	return slices.Max(sums)
}

// Alike reports whether neighbouring rows depend on each other, and there are too few texts for an
// error that allows for it.
func (s Summary) Alike() bool {
	const clearly = 5 // standard errors, at the most of eight places
	return s.alike > clearly
}

// forgetErrors leaves out the errors and intervals, which rows that depend on each other make
// too small.
func (s *Summary) forgetErrors() {
	s.Blocks = 0
	all := []*Numbers{&s.All}
	for i := range s.Heads {
		all = append(all, &s.Heads[i].Numbers)
	}
	for _, n := range all {
		for _, e := range []*Estimate{&n.Variance, &n.Ratio, &n.Scaled, &n.LogitSD, &n.Unit, &n.Exponent} {
			value := e.Value
			*e = absent
			e.Value = value
		}
	}
}

// total is the variance of one head over all its texts, and what each adds to it: the mean square
// about its own mean, and, for the variance of these means, the jackknife's pseudo-value, of which
// the mean is that variance, unbiased.
func total(texts []Part) (value float64, each []float64) {
	if len(texts) == 1 {
		return texts[0].Variance, []float64{texts[0].Variance}
	}
	var means []float64
	for _, p := range texts {
		means = append(means, p.Mean)
	}
	n := float64(len(texts))
	mean, between := Sum(means)/n, variance(means)
	for _, p := range texts {
		square := float64((p.Mean - mean) * (p.Mean - mean))
		pseudo := between
		if n > 2 {
			without := (float64((n-1)*between) - float64(square*n)/(n-1)) / (n - 2)
			pseudo = float64(n*between) - float64((n-1)*without)
		}
		each = append(each, p.Spread+pseudo)
	}
	return Sum(each) / n, each
}

// withError gives a value over texts its error: between them, or, of a few, from within their
// parts, as if the heads of a text had all their error in common.
func withError(value float64, each []float64, parts []Part, heads int) Estimate {
	n := float64(len(each))
	if len(each) >= minBlocks {
		return positive(value, math.Sqrt(variance(each)/n), n-1)
	}
	square, freedom := 0.0, math.Inf(1)
	for text := range slices.Chunk(parts, heads) {
		err := 0.0
		for _, p := range text {
			err += p.Error / float64(heads)
			freedom = min(freedom, p.Freedom)
		}
		square += float64(err * err)
	}
	return positive(value, math.Sqrt(square)/n, freedom)
}

// overHeads gives the mean over the heads of one text its error: the scatter between heads, and
// what they share; of a few heads the errors within them, or what they share if that is more.
func overHeads(value float64, parts []Part) Estimate {
	n := float64(len(parts))
	var values []float64
	apart, freedom := 0.0, math.Inf(1)
	for _, p := range parts {
		values = append(values, p.Variance)
		apart += float64(p.Error*p.Error) / float64(n*n)
		freedom = min(freedom, p.Freedom)
	}
	common := shared(parts)
	if len(parts) >= minBlocks {
		return positive(value, math.Sqrt(variance(values)/n+max(0, common-apart)), n-1)
	}
	return positive(value, math.Sqrt(max(common, apart)), freedom)
}

// shared is the variance of a mean over heads whose rows are the same tokens: that of one head of
// which each row adds its mean over heads.
func shared(parts []Part) float64 {
	h := float64(len(parts))
	largest, sameRows := 0.0, true
	for _, p := range parts {
		largest = max(largest, p.Error)
		sameRows = sameRows && len(p.rows) == len(parts[0].rows) && len(p.cols) == len(parts[0].cols)
	}
	if !sameRows { // heads have rows of zeros of their own: as if they had all their error in common
		return float64(largest * largest)
	}
	rows, cols, interaction := make([]float64, len(parts[0].rows)), make([]float64, len(parts[0].cols)), 0.0
	for _, p := range parts {
		for i, x := range p.rows {
			rows[i] += x / h
		}
		for i, x := range p.cols {
			cols[i] += x / h
		}
		interaction += p.interaction / float64(h*h)
	}
	m, n := float64(len(rows)), float64(len(cols))
	if len(cols) == 0 {
		return variance(rows) / m
	}
	sum := layout(float64(n*variance(rows)), float64(m*variance(cols)), interaction)
	if m == n { // queries and keys of the same tokens go together
		sum += max(0, float64(2*n*covariance(rows, cols)))
	}
	return sum / float64(m*n)
}

// Reduced returns a part without what the errors of so many texts, or blocks of rows, do not need:
// what heads share is asked of one text alone, neighbouring rows of fewer texts than minBlocks.
func (p Part) Reduced(texts int) Part {
	if texts > 1 {
		p.rows, p.cols = nil, nil
	}
	if texts >= minBlocks {
		p.near = nil
	}
	return p
}
