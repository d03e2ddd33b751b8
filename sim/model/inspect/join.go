package inspect

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Summarise joins the parts of texts and heads: all heads of the first text, then of the next.
//
// The variance of a head is that over all pairs of its texts: of several texts the mean square
// about the mean of all, so that what a text adds to all its scores counts. The errors of several
// texts are Student's, by the scatter between texts; those of one are by what its rows add, which
// may depend on their neighbours. Heads are fixed: the error over all heads is that of other
// tokens.
func Summarise(parts []Part, heads int, o Options) Summary {
	count, first := len(parts)/heads, parts[0]
	s := Summary{Dimension: first.Dimension, Queries: first.Queries, Keys: first.Keys, Texts: count, HeadCount: heads,
		Paired: o.Paired, Scale: result.Number(o.Scale), length: o.Length}
	byHead, values, all := make([][]Part, heads), make([][][]float64, heads), make([][]terms, heads)
	for i, p := range parts {
		byHead[i%heads] = append(byHead[i%heads], p)
	}
	for h, texts := range byHead {
		values[h], all[h] = columns(texts)
	}
	var w worth
	if count == 1 {
		s.alike, w = alike(parts)
	}
	means := make([][]mean, heads+1) // columns of each head, and of all
	for c := range values[0] {
		var joined []mean
		if count > 1 {
			joined = betweenTexts(column(values, c), o.Blocks)
		} else {
			joined = withinText(column(values, c), column(all, c), w)
		}
		for h, m := range joined {
			means[h] = append(means[h], m)
		}
	}
	for _, m := range means {
		// p is a logarithm whose skewness its own numbers do not show; half of the variance's counts, by
		// simulation.
		m[columnExponent].se *= skewed(m[columnVariance].se / m[columnVariance].value / math.Sqrt2)
	}
	for h, texts := range byHead {
		s.Heads = append(s.Heads, Head{Head: h, Numbers: numbersOf(texts, means[h], o)})
	}
	s.All = numbersOf(parts, means[heads], o)
	switch {
	case count > 1:
		s.Blocks = int(means[heads][columnVariance].freedom) + 1
	case s.alike > 0:
		s.Worth, s.Blocks = result.Number(w.independent), w.pace(len(all[0][columnVariance].queries)).batches
	}
	s.scatterHeads()
	s.Dependence = s.dependence()
	s.same = !slices.ContainsFunc(parts, func(p Part) bool { return !p.Same })
	return s
}

// column returns column c of each head.
func column[T any](heads [][]T, c int) (all []T) {
	for _, columns := range heads {
		all = append(all, columns[c])
	}
	return all
}

// scatterHeads sets how much heads differ.
func (s *Summary) scatterHeads() {
	s.HeadsSD, s.HeadsError = result.Absent(), result.Absent()
	if len(s.Heads) < 2 {
		return
	}
	var scaled []float64
	square := 0.0
	for _, h := range s.Heads {
		scaled = append(scaled, float64(h.Scaled.Value))
		square += float64(h.Scaled.SE*h.Scaled.SE) / float64(len(s.Heads))
	}
	s.HeadsSD, s.HeadsError = result.Number(math.Sqrt(variance(scaled))), result.Number(math.Sqrt(square))
}

// falseAlarm bounds the chance that independent rows are called alike.
const falseAlarm = 1e-4

// alike returns by how many standard errors neighbouring rows of a text are alike in one of its
// heads, and what the rows are worth; 0 and all if independent rows may be so in one of as many
// places.
func alike(heads []Part) (most float64, w worth) {
	near := 0.0
	for _, p := range heads {
		near += p.near / float64(len(heads))
		if p.alike > most && p.alike > theory.StudentQuantile(falseAlarm/float64(places*len(heads)), p.alikeFreedom) {
			most = p.alike
		}
	}
	rows := float64(max(heads[0].Queries, heads[0].Keys))
	if most == 0 {
		return 0, worth{rows, rows}
	}
	return most, worth{rows, rows * (1 - near) / (1 + near)}
}

// total returns what each text adds to the variance of one head over all its texts: the mean square
// about its own mean, and, for the variance of these means, the jackknife's pseudo-value, of which
// the mean is that variance, unbiased.
func total(texts []Part) (each []float64) {
	if len(texts) == 1 {
		return []float64{texts[0].Variance}
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
	return each
}

// exponents returns what each text adds to p of E (q·k)² = v_q·v_k·d_k^{2p}, v being mean squares
// of components over all texts: the jackknife's pseudo-values. p is 1/2 where components are
// independent and of mean 0, and 1 where all vectors have one direction.
func exponents(texts []Part) (each []float64) {
	n := len(texts)
	without := func(omitted int) float64 {
		var scores, queries, keys float64
		for t, p := range texts {
			if t != omitted || n == 1 {
				scores += float64(p.Square * p.QuerySquare * p.KeySquare)
				queries += p.QuerySquare
				keys += p.KeySquare
			}
		}
		count := float64(max(1, n-1))
		if omitted < 0 {
			count = float64(n)
		}
		return elementary.Log(scores*count/float64(queries*keys)) / exponentBase(texts[0].Dimension)
	}
	whole := without(-1)
	for t := range texts {
		each = append(each, float64(float64(n)*whole)-float64(float64(n-1)*without(t)))
	}
	return each
}
