package inspect

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// maxCells bounds the numbers that are kept of what rows add to a mean.
const maxCells = 256

// terms are what the queries of a text, and its keys, add to a mean over pairs, in cells of
// consecutive rows.
type terms struct {
	queries, keys              []float64 // keys are empty if the mean is over queries only
	queryVariance, keyVariance float64   // of the mean if rows are independent
	pairVariance               float64   // the same of what pairs add beyond their query and their key
	factor                     float64   // of the variance, if keys are empty
	minVariance                float64   // of the mean
}

// newTerms returns the terms of what each query and each key adds, and of the mean square that pairs
// add.
func newTerms(queries, keys []float64, pairs float64) terms {
	few := len(queries)
	if len(keys) > 0 {
		few = min(few, len(keys))
	}
	cells := few / max(1, (few+maxCells-1)/maxCells)
	t := terms{queries: batchMeans(queries, cells), queryVariance: variance(queries) / float64(len(queries)), factor: 1}
	if len(keys) > 0 {
		t.keys, t.keyVariance = batchMeans(keys, cells), variance(keys)/float64(len(keys))
		t.pairVariance = pairs / float64(len(queries)*len(keys))
	}
	return t
}

// batchMeans returns the means of count batches of consecutive numbers.
func batchMeans(xs []float64, count int) []float64 {
	means := make([]float64, count)
	for b := range means {
		batch := xs[b*len(xs)/count : (b+1)*len(xs)/count]
		means[b] = elementary.Sum(batch) / float64(len(batch))
	}
	return means
}

// minBatches bounds the batches that an error rests on, and batchTimes their length in correlation
// times.
const (
	minBatches = 8
	batchTimes = 2
)

// sampleSize is the number of rows of a text, and how many independent ones they are worth: the
// effective sample size.
type sampleSize struct{ rows, effective float64 }

// batching is how the variance of a mean follows from that of batch means.
type batching struct {
	count  int     // of batches whose means are nearly independent
	factor float64 // variance of the mean, over that of independent batches; NaN if batches are too few
}

// batching returns the batches of some cells. Batches of some correlation times depend on each other
// a little; the factor allows for that by the batch means of an autoregressive series, whose
// correlation falls as ρ^lag, with the correlation time (1+ρ)/(1−ρ).
func (s sampleSize) batching(cells int) batching {
	tau := s.rows / s.effective
	if tau == 1 {
		return batching{cells, 1}
	}
	rho := (tau - 1) / (tau + 1)
	ofMean := func(rows float64) float64 { // variance of a mean over that of one row
		end := 2 * rho * (1 - elementary.Pow(rho, rows)) / float64(rows*(1-rho)*(1-rho))
		return (tau - end) / rows
	}
	b := min(float64(cells), math.Floor(s.rows/math.Ceil(batchTimes*tau)))
	if b < minBatches {
		return batching{minBatches, math.NaN()}
	}
	return batching{int(b), (b - 1) * ofMean(s.rows) / (ofMean(s.rows/b) - ofMean(s.rows))}
}

// varianceOfMean returns the variance of the mean of cells.
func (b batching) varianceOfMean(cells []float64) float64 {
	return variance(batchMeans(cells, b.count)) / float64(b.count) * b.factor
}

// standardError returns the standard error of the mean in a two-way layout with random rows and
// columns: the numbers of queries and those of keys contain the pairs' variance, which is at most half
// of them. Query and key of a row may be of one token, and are taken together.
func (t terms) standardError(size sampleSize, pairVariance float64) float64 {
	b := size.batching(len(t.queries))
	queries := b.varianceOfMean(t.queries)
	if len(t.keys) == 0 {
		return math.Sqrt(max(queries*t.factor, t.minVariance))
	}
	keys, tokens := b.varianceOfMean(t.keys), make([]float64, len(t.keys))
	for i, x := range t.queries {
		tokens[i] = x + t.keys[i]
	}
	return math.Sqrt(max(b.varianceOfMean(tokens)-pairVariance, (queries+keys)/2))
}

// pairs returns the variance that pairs add. It depends on neighbours as queries and keys do.
func (t terms) pairs(size sampleSize) float64 {
	if size.effective == size.rows || t.pairVariance == 0 {
		return t.pairVariance
	}
	b := size.batching(len(t.queries))
	return t.pairVariance * b.varianceOfMean(t.queries) / t.queryVariance * b.varianceOfMean(t.keys) / t.keyVariance
}

// errorOfMean returns the standard error of the mean over heads, whose rows are the same tokens.
// What pairs add is taken to be independent between heads.
func errorOfMean(heads []terms, size sampleSize) float64 {
	n := float64(len(heads))
	mean, pairVariance := heads[0], 0.0
	mean.queries, mean.keys = make([]float64, len(mean.queries)), make([]float64, len(mean.keys))
	mean.minVariance = 0
	for _, t := range heads {
		for i, x := range t.queries {
			mean.queries[i] += x / n
		}
		for i, x := range t.keys {
			mean.keys[i] += x / n
		}
		pairVariance += t.pairs(size) / float64(n*n)
		mean.minVariance += t.minVariance / float64(n*n)
	}
	return mean.standardError(size, pairVariance)
}

// mean is a mean with its standard error, and that of its logarithm.
type mean struct{ value, se, relative, dof float64 }

// newMean returns a mean with a standard error from count numbers.
func newMean(value, se float64, count int) mean {
	return mean{value, se, se / value * skewnessFactor(se/value), float64(max(1, count-1))}
}

// signed returns the estimate of a number of any sign.
func (m mean) signed() Estimate {
	half := float64(theory.StudentQuantile((1-level)/2, m.dof) * m.se)
	return Estimate{result.Number(m.value), result.Number(m.se), result.Number(m.value - half),
		result.Number(m.value + half), m.relative, m.dof}
}

// meansInText returns the means of heads of one text, and of all, by its effective sample size.
func meansInText(values [][]float64, heads []terms, size sampleSize) (all []mean) {
	whole, worst, aligned := 0.0, 0.0, true
	for h, t := range heads {
		se := t.standardError(size, t.pairs(size))
		all = append(all, newMean(values[h][0], se, size.batching(len(t.queries)).count))
		whole += values[h][0] / float64(len(heads))
		worst = max(worst, se)
		aligned = aligned && len(t.queries) == len(heads[0].queries) && len(t.keys) == len(heads[0].keys)
	}
	if aligned { // else some heads lack rows of zeros: as if they had all their errors in common
		worst = errorOfMean(heads, size)
	}
	return append(all, newMean(whole, worst, int(all[0].dof)+1))
}

// meansOverTexts returns the means of heads over texts, and of all, from the numbers of each block of
// rows of each text.
func meansOverTexts(heads [][]float64, blocks int) (all []mean) {
	texts := len(heads[0]) / max(1, blocks)
	if texts < 2 {
		texts = len(heads[0])
	}
	whole := make([]float64, texts)
	for _, each := range heads {
		each = batchMeans(each, texts)
		all = append(all, meanOver(each))
		for t, x := range each {
			whole[t] += x / float64(len(heads))
		}
	}
	return append(all, meanOver(whole))
}

// skewnessFactor returns by how much a relative error is larger than it seems if what the mean is over
// is skewed, as squares are: the factor with which 95 % intervals of lognormal and χ² numbers cover
// 94 % or more, up to a standard deviation as large as the mean, by simulation.
func skewnessFactor(relative float64) float64 { return 1 + float64(3*relative*relative) }

// meanOver returns the mean of numbers with Student's error. That of the logarithm is the
// jackknife's, which skewed numbers need: Student's own is too small there.
func meanOver(each []float64) mean {
	n, sum := float64(len(each)), elementary.Sum(each)
	m := newMean(sum/n, math.Sqrt(variance(each)/n), len(each))
	if m.se == 0 && sum != 0 { // texts that are the same
		m.se = math.NaN()
		return m
	}
	logs := make([]float64, len(each))
	for i, x := range each {
		if !(sum > x) {
			return m
		}
		logs[i] = elementary.Log(sum - x)
	}
	m.relative = math.Sqrt(variance(logs)/n) * (n - 1) * skewnessFactor(m.se/m.value)
	return m
}
