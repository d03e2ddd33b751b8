package inspect

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// maxBins bounds the memory of terms.
const maxBins = 256

// terms holds the contributions of the queries of a text, and of its keys, to a mean over pairs,
// averaged over bins of consecutive rows. Three parts add up to the variance of that mean: the
// variances due to queries, to keys, and to the interaction of pairs.
type terms struct {
	queries, keys              []float64 // keys is nil for a mean over queries only
	queryVariance, keyVariance float64   // parts of the variance if rows are independent
	pairVariance               float64   // part of the variance due to the interaction of pairs
	factor                     float64   // multiplies the variance due to queries if keys is nil
	minVariance                float64   // lower bound of the variance of a mean over queries
}

// newTerms returns the terms of a mean over pairs. queries and keys hold the contribution of each
// query and each key; interaction is the mean square of the contribution of pairs.
func newTerms(queries, keys []float64, interaction float64) terms {
	rows := len(queries)
	if len(keys) > 0 {
		rows = min(rows, len(keys))
	}
	bins := rows / max(1, (rows+maxBins-1)/maxBins)
	t := terms{queries: batchMeans(queries, bins), queryVariance: variance(queries) / float64(len(queries)), factor: 1}
	if len(keys) > 0 {
		t.keys, t.keyVariance = batchMeans(keys, bins), variance(keys)/float64(len(keys))
		t.pairVariance = interaction / float64(len(queries)*len(keys))
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

const (
	minBatches            = 8 // smallest number of batches from which an error is estimated
	batchCorrelationTimes = 2 // smallest number of rows of a batch, in correlation times
)

// sampleSize is the number of rows of a text and the effective sample size: the number of
// independent rows whose mean has the same error.
type sampleSize struct{ rows, effective float64 }

// batching says how the variance of a mean follows from the variance of batch means.
type batching struct {
	count  int     // number of batches
	factor float64 // correction of the variance for the dependence of batches; NaN if there are too few
}

// newBatching divides bins into batches. Batches that are a few correlation times long still depend
// on each other a little. The factor corrects for this; it follows from the batch means of an
// autoregressive series with correlation ρ^lag and correlation time τ = (1+ρ)/(1−ρ).
func (s sampleSize) newBatching(bins int) batching {
	tau := s.rows / s.effective
	if tau == 1 {
		return batching{bins, 1}
	}
	rho := (tau - 1) / (tau + 1)
	meanVariance := func(rows float64) float64 { // variance of the mean of rows over the variance of a row
		endCorrection := 2 * rho * (1 - elementary.Pow(rho, rows)) / float64(rows*(1-rho)*(1-rho))
		return (tau - endCorrection) / rows
	}
	batches := min(float64(bins), math.Floor(s.rows/math.Ceil(batchCorrelationTimes*tau)))
	if batches < minBatches {
		return batching{minBatches, math.NaN()}
	}
	return batching{int(batches),
		(batches - 1) * meanVariance(s.rows) / (meanVariance(s.rows/batches) - meanVariance(s.rows))}
}

// varianceOfMean returns the variance of the mean of bins.
func (b batching) varianceOfMean(bins []float64) float64 {
	return variance(batchMeans(bins, b.count)) / float64(b.count) * b.factor
}

// standardError returns the standard error of the mean in a two-way layout with random rows and
// columns. The variances of queries and of keys both contain the variance of pairs, so it is
// subtracted once, but the result is at least half of the sum. Query i and key i may belong to one
// token, so their contributions are added before the variance is computed.
func (t terms) standardError(size sampleSize, pairVariance float64) float64 {
	b := size.newBatching(len(t.queries))
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

// adjustedPairVariance returns the part of the variance due to pairs. The dependence of
// neighbouring rows is assumed to increase it by the factors by which it increases the parts due to
// queries and to keys.
func (t terms) adjustedPairVariance(size sampleSize) float64 {
	if size.effective == size.rows || t.pairVariance == 0 {
		return t.pairVariance
	}
	b := size.newBatching(len(t.queries))
	return t.pairVariance * b.varianceOfMean(t.queries) / t.queryVariance * b.varianceOfMean(t.keys) / t.keyVariance
}

// standardErrorOfMean returns the standard error of the mean over heads. Row i belongs to the same
// token in all heads. Contributions of pairs are assumed to be independent between heads.
func standardErrorOfMean(heads []terms, size sampleSize) float64 {
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
		pairVariance += t.adjustedPairVariance(size) / float64(n*n)
		mean.minVariance += t.minVariance / float64(n*n)
	}
	return mean.standardError(size, pairVariance)
}

// meanEstimate is a mean with its standard error, the standard error of its logarithm, and the
// degrees of freedom of both errors.
type meanEstimate struct{ value, se, logSE, dof float64 }

// newMean returns a mean whose standard error was estimated from count numbers.
func newMean(value, se float64, count int) meanEstimate {
	return meanEstimate{value, se, se / value * skewnessFactor(se/value), float64(max(1, count-1))}
}

// signedEstimate returns the estimate of a number that may be negative.
func (m meanEstimate) signedEstimate() Estimate {
	halfWidth := float64(theory.StudentQuantile((1-coverage)/2, m.dof) * m.se)
	return Estimate{Value: result.Number(m.value), SE: result.Number(m.se), Lo: result.Number(m.value - halfWidth),
		Hi: result.Number(m.value + halfWidth), logSE: m.logSE, dof: m.dof}
}

// computeMeansInText returns the mean of each head of one text, followed by the mean over heads.
func computeMeansInText(values [][]float64, heads []terms, size sampleSize) (means []meanEstimate) {
	overall, standardError, haveSameBins := 0.0, 0.0, true
	for h, t := range heads {
		se := t.standardError(size, t.adjustedPairVariance(size))
		means = append(means, newMean(values[h][0], se, size.newBatching(len(t.queries)).count))
		overall += values[h][0] / float64(len(heads))
		standardError = max(standardError, se)
		haveSameBins = haveSameBins && len(t.queries) == len(heads[0].queries) && len(t.keys) == len(heads[0].keys)
	}
	// If rows of zeros were removed from some heads only, the largest error of a head is used.
	if haveSameBins {
		standardError = standardErrorOfMean(heads, size)
	}
	return append(means, newMean(overall, standardError, int(means[0].dof)+1))
}

// computeMeansOverTexts returns the mean of each head over texts, followed by the mean over heads.
// heads holds, for each head, a value for each block of rows of each text; blocks is the number of
// blocks of a text. The blocks of a single text count as texts.
func computeMeansOverTexts(heads [][]float64, blocks int) (means []meanEstimate) {
	texts := len(heads[0]) / max(1, blocks)
	if texts < 2 {
		texts = len(heads[0])
	}
	overall := make([]float64, texts)
	for _, textValues := range heads {
		textValues = batchMeans(textValues, texts)
		means = append(means, newStudentMean(textValues))
		for t, x := range textValues {
			overall[t] += x / float64(len(heads))
		}
	}
	return append(means, newStudentMean(overall))
}

// skewnessFactor returns the factor by which a relative error must be multiplied because squares
// are skewed. By simulation, 95 % intervals of lognormal and χ² numbers then have a coverage of at
// least 94 %, for standard deviations up to the mean.
func skewnessFactor(relativeError float64) float64 { return 1 + float64(3*relativeError*relativeError) }

// newStudentMean returns the mean of values with Student's error. The error of the logarithm comes
// from the jackknife, because Student's is too small for skewed numbers.
func newStudentMean(values []float64) meanEstimate {
	n, sum := float64(len(values)), elementary.Sum(values)
	m := newMean(sum/n, math.Sqrt(variance(values)/n), len(values))
	if m.se == 0 && sum != 0 { // the texts are equal, so the error is not known
		m.se = math.NaN()
		return m
	}
	logs := make([]float64, len(values))
	for i, x := range values {
		if !(sum > x) { // the mean of the other values has no logarithm
			return m
		}
		logs[i] = elementary.Log(sum - x)
	}
	m.logSE = math.Sqrt(variance(logs)/n) * (n - 1) * skewnessFactor(m.se/m.value)
	return m
}
